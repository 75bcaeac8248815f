/** The page's own fonts inside a drawing: as a picture of its own it looks as it does on the page. */

/** A file of a font, and for which characters it is. */
export interface Face {
  /** As drawings call it. */
  family: string;
  style: string;
  weight: string;
  /** `U+0-FF, U+131`; everything where empty. */
  range: string;
  /** Its address. */
  source: string;
}

/** What the page calls the fonts with all weights in one file; drawings know them by their plain names. */
const OF_THE_PAGE = / Variable$/;

/** The fonts that style sheets tell of. */
export function declared(sheets: Iterable<CSSStyleSheet>): Face[] {
  return [...sheets].flatMap((sheet) =>
    [...sheet.cssRules]
      .filter((rule) => rule instanceof CSSFontFaceRule)
      .map((rule) => {
        const said = (name: string): string => rule.style.getPropertyValue(name);
        return {
          family: said('font-family').replace(/["']/g, '').replace(OF_THE_PAGE, ''),
          style: said('font-style') || 'normal',
          weight: said('font-weight') || 'normal',
          range: said('unicode-range'),
          source: new URL(/url\(["']?([^"')]+)/.exec(said('src'))?.[1] ?? '', sheet.href ?? location.href)
            .href,
        };
      }),
  );
}

/** Whether a font's file is for any of these characters. */
export function holds(range: string, characters: Iterable<number>): boolean {
  if (!range.trim()) return true;
  const spans = range.split(',').map((span) => {
    const [first = '', last = first] = span.trim().replace(/^U\+/i, '').split('-');
    return [parseInt(first.replace(/\?/g, '0'), 16), parseInt(last.replace(/\?/g, 'f'), 16)] as const;
  });
  return [...characters].some((each) => spans.some(([first, last]) => first <= each && each <= last));
}

/** The fonts that a drawing needs for what is written on it. */
export function needed(svg: string, faces: readonly Face[]): Face[] {
  const written = svg.replace(/<(style|title|desc)\b[\s\S]*?<\/\1>|<[^>]*>/g, '');
  const characters = new Set([...written].map((each) => each.codePointAt(0)!));
  return faces.filter(
    ({ family, style, range }) =>
      svg.includes(family) &&
      (style === 'normal' || svg.includes(`font-style="${style}"`)) &&
      holds(range, characters),
  );
}

/** A drawing that brings along fonts, each as its address in `data:`. */
export function bringing(svg: string, fonts: readonly { face: Face; data: string }[]): string {
  const rules = fonts.map(
    ({ face, data }) =>
      `@font-face{font-family:'${face.family}';font-style:${face.style};font-weight:${face.weight};` +
      `src:url(${data})format('woff2')${face.range ? `;unicode-range:${face.range}` : ''}}`,
  );
  return rules.length ? svg.replace(/<svg\b[^>]*>/, (tag) => `${tag}<style>${rules.join('')}</style>`) : svg;
}

/** A drawing with the fonts that it is written in; as it is where they can't be had. */
export async function withFonts(svg: string): Promise<string> {
  try {
    const faces = needed(svg, declared(document.styleSheets));
    const fonts = await Promise.all(
      faces.map(async (face) => ({ face, data: await dataOfFont(face.source) })),
    );
    return bringing(svg, fonts);
  } catch {
    return svg; // without a network, say: a plainer picture is better than none
  }
}

const fetched = new Map<string, Promise<string>>();

/** A file of a font in `data:`; asked for once, as several pictures stand on a page. */
function dataOfFont(source: string): Promise<string> {
  const known = fetched.get(source);
  if (known) return known;
  const coming = fetch(source).then(dataOfFile);
  fetched.set(source, coming);
  coming.catch(() => fetched.delete(source));
  return coming;
}

async function dataOfFile(response: Response): Promise<string> {
  if (!response.ok) throw new Error(response.statusText);
  const bytes = new Uint8Array(await response.arrayBuffer());
  const characters = Array.from(bytes, (byte) => String.fromCharCode(byte));
  return `data:font/woff2;base64,${btoa(characters.join(''))}`;
}
