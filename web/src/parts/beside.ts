/** Where tick and cross stand: beside the ghost, never on it nor over the board's edge, and in nobody's way. */

import type { Point } from '$lib/types';

export interface Box extends Point {
  width: number;
  height: number;
}

/** Pixels that a finger needs. */
export const TARGET = 44;
const GAP = 4;
const LONG = 2 * TARGET + GAP;
/** How far from a place a finger still means it, in pixels. */
const FINGER = 14;
/** How far from the ghost they may stand, and shifted along it. */
const AWAY = [GAP, 3 * GAP, 6 * GAP, TARGET];
const SHIFTS = [0, 1, -1, 2, -2, 3, -3, 4, -4, 5, -5].map((step) => (step * TARGET) / 4);

export interface Place extends Point {
  /** One above the other. */
  isUpright: boolean;
}

/** A box of the board's own units in pixels, on a drawing that shows `view` in the middle of `width` by `height`. */
export function onScreen(box: Box, view: readonly number[], width: number, height: number): Box {
  const [left, top, wide, high] = view as [number, number, number, number];
  const scale = Math.min(width / wide, height / high);
  return {
    x: (box.x - left) * scale + (width - wide * scale) / 2,
    y: (box.y - top) * scale + (height - high * scale) / 2,
    width: box.width * scale,
    height: box.height * scale,
  };
}

/** The smallest box around boxes. */
export function around(boxes: readonly Box[]): Box {
  const [x, y] = [Math.min(...boxes.map((each) => each.x)), Math.min(...boxes.map((each) => each.y))];
  return {
    x,
    y,
    width: Math.max(...boxes.map((each) => each.x + each.width)) - x,
    height: Math.max(...boxes.map((each) => each.y + each.height)) - y,
  };
}

/**
 * Where the two stand beside a ghost, in pixels; `others` are places where one may point, too. None of those is covered:
 * a hasty finger would confirm what it did not mean. Null where there is no such place: the bar has both as well.
 */
export function beside(
  ghost: Box,
  area: { width: number; height: number },
  others: readonly Point[] = [],
): Place | null {
  const isFree = (place: Place): boolean => {
    const { x, y, width, height } = boxOf(place);
    const isInside = x >= 0 && y >= 0 && x + width <= area.width && y + height <= area.height;
    return isInside && !others.some((other) => distance(boxOf(place), other) < FINGER);
  };
  for (const away of AWAY) {
    const found = sides(ghost, away).find(isFree);
    if (found) return found;
  }
  return null;
}

const boxOf = ({ x, y, isUpright }: Place): Box => ({
  x,
  y,
  ...(isUpright ? { width: TARGET, height: LONG } : { width: LONG, height: TARGET }),
});

const distance = ({ x, y, width, height }: Box, point: Point): number =>
  Math.hypot(Math.max(x - point.x, 0, point.x - x - width), Math.max(y - point.y, 0, point.y - y - height));

/** At each of the four sides, shifted along it, the nearest to its middle first. */
function sides(ghost: Box, away: number): Place[] {
  return SHIFTS.flatMap((shift) =>
    [true, false].flatMap((isUpright) => {
      const { width, height } = boxOf({ x: 0, y: 0, isUpright });
      const x = ghost.x + (ghost.width - width) / 2 + shift;
      const y = ghost.y + (ghost.height - height) / 2 + shift;
      const sideways = [ghost.x + ghost.width + away, ghost.x - width - away];
      const updown = [ghost.y + ghost.height + away, ghost.y - height - away];
      const lying = sideways.map((side) => ({ x: side, y, isUpright }));
      const standing = updown.map((side) => ({ x, y: side, isUpright }));
      return isUpright ? [...lying, ...standing] : [...standing, ...lying];
    }),
  );
}
