import { expect, test } from 'vitest';
import { bringing, holds, needed, type Face } from '$lib/fonts';

const face = (family: string, range = '', style = 'normal'): Face => ({
  family,
  style,
  weight: '400 800',
  range,
  source: `https://here/${family}-${style}.woff2`,
});
const LATIN = 'U+0000-00FF, U+0131, U+2000-206F';
const FACES = [
  face('EB Garamond', LATIN),
  face('EB Garamond', 'U+0400-045F'),
  face('EB Garamond', LATIN, 'italic'),
  face('Source Sans 3', 'U+01??'),
  face('Comic', LATIN),
];
const drawing = (words: string, more = ''): string =>
  `<svg viewBox="0 0 1 1"><title>Łódź</title><style>.a{font-family:'EB Garamond','Source Sans 3'}</style><text${more}>${words}</text></svg>`;

test('a file of a font is for the characters in its ranges', () => {
  expect(holds(LATIN, [0x41])).toBe(true);
  expect(holds(LATIN, [0x131])).toBe(true);
  expect(holds(LATIN, [0x132, 0x400])).toBe(false);
  expect(holds('U+4??', [0x4ff])).toBe(true);
  expect(holds('U+4??', [0x500])).toBe(false);
  expect(holds('', [0x10ffff])).toBe(true);
});

test('a drawing needs the fonts that it names, for what is written on it', () => {
  const sources = (svg: string): Face[] => needed(svg, FACES);
  expect(sources(drawing('Anne'))).toEqual([FACES[0]]);
  expect(sources(drawing('Анна'))).toEqual([FACES[1]]);
  expect(sources(drawing('Łukasz'))).toEqual([FACES[0], FACES[3]]);
  expect(sources(drawing('Anne', ' font-style="italic"'))).toEqual([FACES[0], FACES[2]]);
});

test('a drawing brings its fonts along', () => {
  const svg = bringing(drawing('Anne'), [{ face: FACES[0]!, data: 'data:font/woff2;base64,AAAA' }]);
  expect(svg).toMatch(/^<svg viewBox="0 0 1 1"><style>@font-face\{font-family:'EB Garamond'/);
  expect(svg).toContain('url(data:font/woff2;base64,AAAA)');
  expect(svg).toContain(`unicode-range:${LATIN}`);
  expect(new DOMParser().parseFromString(svg, 'image/svg+xml').querySelector('parsererror')).toBeNull();
  expect(bringing(drawing('Anne'), [])).toBe(drawing('Anne'));
});
