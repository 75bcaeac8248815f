/** From a point to a spot, and from a spot to its neighbours. */

import type { Point, Spot } from '$lib/types';

const distance = (one: Point, other: Point): number => Math.hypot(one.x - other.x, one.y - other.y);

/** The spot that a point means: the nearest within reach. */
export function nearest<S extends Spot>(spots: readonly S[], point: Point): S | null {
  let best: S | null = null;
  for (const spot of spots) {
    const far = distance(spot, point);
    if (far <= spot.reach && (!best || far < distance(best, point))) best = spot;
  }
  return best;
}

export type Direction = 'up' | 'down' | 'left' | 'right';
const STEPS: Record<Direction, Point> = {
  up: { x: 0, y: -1 },
  down: { x: 0, y: 1 },
  left: { x: -1, y: 0 },
  right: { x: 1, y: 0 },
};
/** How much more sideways counts than forwards. */
const SIDEWAYS = 2;

/** The next point from one in a direction: near, and straight ahead rather than aside; null where there is none. */
export function towards<P extends Point>(points: readonly P[], from: Point, direction: Direction): P | null {
  const step = STEPS[direction];
  let best: P | null = null;
  let least = Infinity;
  for (const point of points) {
    const [dx, dy] = [point.x - from.x, point.y - from.y];
    const ahead = dx * step.x + dy * step.y;
    const aside = Math.abs(dx * step.y) + Math.abs(dy * step.x);
    const cost = ahead + SIDEWAYS * aside;
    if (ahead > 1 && aside <= ahead * 1.8 && cost < least) [best, least] = [point, cost];
  }
  return best;
}

/** Where on an SVG's own coordinates a pointer is. */
export function pointIn(svg: SVGSVGElement, event: { clientX: number; clientY: number }): Point {
  const matrix = svg.getScreenCTM();
  if (!matrix) return { x: 0, y: 0 };
  const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix.inverse());
  return { x, y };
}
