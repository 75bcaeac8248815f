/** Whoever plays by keys is led to what is to be decided beside the board, and back to the board after it. */

const board = (): SVGElement | null => document.querySelector('svg.frame');

/** Go there, unless the person is busy elsewhere. */
export function leadTo(place: HTMLElement): void {
  const active = document.activeElement;
  if (active === document.body || active === board()) place.focus({ preventScroll: true });
}

/** Back to the board, if the person is still there. */
export function leadBack(place: HTMLElement): void {
  if (place.contains(document.activeElement)) board()?.focus({ preventScroll: true });
}
