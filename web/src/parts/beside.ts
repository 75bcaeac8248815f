/** Where tick and cross stand: beside the ghost, never on it nor over the board's edge, and in the way of few others. */

import type { Point } from '$lib/types';

export interface Box extends Point {
  width: number;
  height: number;
}

/** Pixels that a finger needs. */
export const TARGET = 44;
const GAP = 4;
const LONG = 2 * TARGET + GAP;

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

const within = (low: number, value: number, high: number): number => Math.max(low, Math.min(value, high));

/** Where the two stand beside a ghost, in pixels; `others` are places where one may point, too. */
export function beside(
  ghost: Box,
  area: { width: number; height: number },
  others: readonly Point[] = [],
): Place {
  const found = candidates(ghost, area);
  const isInside = ({ x, y, isUpright }: Place): boolean => {
    const { width, height } = sizeOf(isUpright);
    return x >= 0 && y >= 0 && x + width <= area.width && y + height <= area.height;
  };
  const covered = (place: Place): number => {
    const { width, height } = sizeOf(place.isUpright);
    return others.filter(
      ({ x, y }) => x >= place.x && y >= place.y && x <= place.x + width && y <= place.y + height,
    ).length;
  };
  const fitting = found.filter(isInside);
  if (fitting.length) return fitting.reduce((one, other) => (covered(other) < covered(one) ? other : one));
  const { width, height } = sizeOf(false); // a board hardly larger than the two
  const { x, y } = found[0]!;
  return {
    x: within(0, x, area.width - width),
    y: within(0, y, area.height - height),
    isUpright: false,
  };
}

const sizeOf = (isUpright: boolean): { width: number; height: number } =>
  isUpright ? { width: TARGET, height: LONG } : { width: LONG, height: TARGET };

/** At each of the four sides, shifted along it as far as the board's edge wants, the best first. */
function candidates(ghost: Box, area: { width: number; height: number }): Place[] {
  const upright = sizeOf(true);
  const lying = sizeOf(false);
  const sideways = ({ width, height }: { width: number; height: number }, isUpright: boolean): Place[] => {
    const y = within(0, ghost.y + (ghost.height - height) / 2, area.height - height);
    return [
      { x: ghost.x + ghost.width + GAP, y, isUpright },
      { x: ghost.x - width - GAP, y, isUpright },
    ];
  };
  const updown = ({ width, height }: { width: number; height: number }, isUpright: boolean): Place[] => {
    const x = within(0, ghost.x + (ghost.width - width) / 2, area.width - width);
    return [
      { x, y: ghost.y + ghost.height + GAP, isUpright },
      { x, y: ghost.y - height - GAP, isUpright },
    ];
  };
  return [
    ...sideways(upright, true),
    ...updown(lying, false),
    ...sideways(lying, false),
    ...updown(upright, true),
  ];
}
