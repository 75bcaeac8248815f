/** Pictures and records to keep and to hand on. */

/** Pixels of the longer side of a picture. */
const SIDE = 2000;

/** A picture as pixels, drawn here: nothing leaves the page. */
export async function pngOf(svg: string): Promise<Blob> {
  const { width, height } = sizeOf(svg);
  const scale = SIDE / Math.max(width, height);
  const canvas = document.createElement('canvas');
  canvas.width = Math.round(width * scale);
  canvas.height = Math.round(height * scale);
  const image = new Image(canvas.width, canvas.height);
  image.src = dataOf(sized(svg, canvas.width, canvas.height));
  await image.decode();
  await settled(image, width / height);
  canvas.getContext('2d')!.drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve, reject) =>
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('no picture'))), 'image/png'),
  );
}

/** How often in a row a picture has to look the same, and how long it is waited each time, in ms. */
const STEADY = 3;
const PAUSE = 60;
const PROBE = 400;

/** Fonts inside a picture come a moment after it: wait until nothing changes any more. */
async function settled(image: HTMLImageElement, shape: number): Promise<void> {
  const canvas = document.createElement('canvas');
  canvas.width = PROBE;
  canvas.height = Math.round(PROBE / shape);
  const context = canvas.getContext('2d', { willReadFrequently: true })!;
  let before: Uint32Array | null = null;
  for (let same = 0; same < STEADY;) {
    context.clearRect(0, 0, canvas.width, canvas.height);
    context.drawImage(image, 0, 0, canvas.width, canvas.height);
    const now = new Uint32Array(context.getImageData(0, 0, canvas.width, canvas.height).data.buffer);
    same = before?.every((pixel, index) => pixel === now[index]) ? same + 1 : 0;
    before = now;
    await new Promise((resolve) => setTimeout(resolve, PAUSE));
  }
}

/** Width and height by the `viewBox` of a drawing. */
export function sizeOf(svg: string): { width: number; height: number } {
  const box =
    /viewBox="([^"]+)"/
      .exec(svg)?.[1]
      ?.trim()
      .split(/[\s,]+/)
      .map(Number) ?? [];
  const [, , width = NaN, height = NaN] = box;
  if (!(width > 0 && height > 0)) throw new Error('a drawing without a size');
  return { width, height };
}

/** A drawing with a size of its own, which browsers need to draw it into a canvas. */
export function sized(svg: string, width: number, height: number): string {
  return svg.replace(/<svg\b([^>]*)>/, (_whole, rest: string) => {
    const others = rest.replace(/\s(width|height)="[^"]*"/g, '');
    return `<svg${others} width="${width}" height="${height}">`;
  });
}

/** A drawing as an address that an `<img>` may show under the policy. */
export const dataOf = (svg: string): string => `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;

/** Have the browser keep a file. */
export function save(blob: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

/** Hand files on by the device's own means, or the address where it takes no files; whether it was done. */
export async function handOn(files: File[], title: string, url: string): Promise<boolean> {
  const data = navigator.canShare?.({ files }) ? { files, title } : { title, url };
  try {
    await navigator.share(data);
    return true;
  } catch {
    return false; // the person thought better of it
  }
}
