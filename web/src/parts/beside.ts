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
/** How far from the ghost they may stand, looked for in such steps. */
const FAR = 2 * TARGET;
const STEP = TARGET / 8;
const ASKEW = 0.5;

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
 * Where the two stand near a ghost, in pixels; `others` are places where one may point, too. None of those is covered:
 * a hasty finger would confirm what it did not mean. Null where no such place is near: the bar has both as well.
 */
export function beside(
  ghost: Box,
  area: { width: number; height: number },
  others: readonly Point[] = [],
): Place | null {
  let found: Place | null = null;
  let best = FAR;
  for (const place of candidates(ghost, area)) {
    const box = boxOf(place);
    const away = between(box, ghost);
    if (away < GAP || away + apart(box, ghost) >= best) continue;
    if (others.some((other) => between(box, { ...other, width: 0, height: 0 }) < FINGER)) continue;
    found = place;
    best = away + apart(box, ghost);
  }
  return found;
}

/** All around the ghost, on the board. */
function* candidates(ghost: Box, area: { width: number; height: number }): Generator<Place> {
  for (const isUpright of [true, false]) {
    const { width, height } = boxOf({ x: 0, y: 0, isUpright });
    const [left, top] = [Math.max(0, ghost.x - width - FAR), Math.max(0, ghost.y - height - FAR)];
    const right = Math.min(area.width - width, ghost.x + ghost.width + FAR);
    const bottom = Math.min(area.height - height, ghost.y + ghost.height + FAR);
    for (let y = top; y <= bottom; y += STEP)
      for (let x = left; x <= right; x += STEP) yield { x, y, isUpright };
  }
}

const boxOf = ({ x, y, isUpright }: Place): Box => ({
  x,
  y,
  ...(isUpright ? { width: TARGET, height: LONG } : { width: LONG, height: TARGET }),
});

const middleOf = ({ x, y, width, height }: Box): Point => ({ x: x + width / 2, y: y + height / 2 });

/** From edge to edge. */
const between = (one: Box, other: Box): number =>
  Math.hypot(
    Math.max(one.x - other.x - other.width, 0, other.x - one.x - one.width),
    Math.max(one.y - other.y - other.height, 0, other.y - one.y - one.height),
  );

/** How much they look askew: in part of what their middles are apart. */
const apart = (one: Box, other: Box): number => {
  const [here, there] = [middleOf(one), middleOf(other)];
  return ASKEW * Math.min(Math.abs(here.x - there.x), Math.abs(here.y - there.y));
};
