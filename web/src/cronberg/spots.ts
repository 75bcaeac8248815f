/** Where one may point on Cronberg's board, by the actions that are legal. */

import type { CronbergPreview } from '$protocol/messages';
import type { Action, CronbergGeometry, Point, Preview, Spot } from '$lib/types';
import { nearest } from '$lib/pointing';
import { around, type Box } from '$parts/beside';

const CROSSING_REACH = 34;
const RHOMB_REACH = 50;

/** The place of a rhomb on two triangles. */
export function placeOf(
  geometry: CronbergGeometry,
  on: readonly string[],
): CronbergGeometry['places'][number] {
  const found = geometry.places.find((each) => each.on[0] === on[0] && each.on[1] === on[1]);
  if (!found) throw new Error(`no place ${on.join('+')}`);
  return found;
}

/** A spot for each crossing and each place with a legal action; the turns of a rhomb share one. */
export function spots(geometry: CronbergGeometry, legal: readonly Action[]): Spot[] {
  const crossings = new Map(geometry.crossings.map((each) => [each.name, each]));
  const found = new Map<string, Spot>();
  for (const action of legal) {
    if (action.kind === 'token') {
      const { x, y } = crossings.get(action.crossing)!;
      found.set(action.crossing, { id: action.crossing, x, y, reach: CROSSING_REACH, actions: [action] });
    } else if (action.kind === 'place') {
      const id = action.on.join('+');
      const spot = found.get(id);
      if (spot) spot.actions.push(action);
      else {
        const { x, y } = placeOf(geometry, action.on);
        found.set(id, { id, x, y, reach: RHOMB_REACH, actions: [action] });
      }
    }
  }
  return [...found.values()];
}

/** A crossing is meant by who points right at it: else it is the rhomb's place around the point. */
const AT_CROSSING = 22;

/** What pointing there would mean, whether legal or not: a token on the crossing, or a rhomb on its two triangles. */
export function meant(
  geometry: CronbergGeometry,
  _facts: unknown,
  _legal: readonly Action[],
  point: Point,
): string | null {
  const crossings = geometry.crossings.map(({ name, x, y }) => ({
    id: name,
    x,
    y,
    reach: AT_CROSSING,
    actions: [],
  }));
  const crossing = nearest(crossings, point);
  if (crossing) return `token ${crossing.id}`;
  const places = geometry.places.map(({ on, x, y }) => ({
    id: on.join('+'),
    x,
    y,
    reach: RHOMB_REACH,
    actions: [],
  }));
  const place = nearest(places, point);
  return place && `place ${place.id}`;
}

/** How far a token reaches around its crossing, and a rhomb's numbers around its corners. */
const TOKEN = 28;
const CORNER = 4;

const boxAt = ({ x, y }: Point, half: number): Box => ({
  x: x - half,
  y: y - half,
  width: 2 * half,
  height: 2 * half,
});

/** Where the points of a crossing stand. */
export const pointsBox = ({ x, y }: Point): Box => ({ x: x - 22, y: y - 47, width: 44, height: 30 });

/** What a ghost takes up, with the points that it would bring. */
export function extent(geometry: CronbergGeometry, action: Action, preview: Preview | null): Box | null {
  const crossings = new Map(geometry.crossings.map((each) => [each.name, each]));
  const scored = (preview as CronbergPreview | null)?.scored ?? [];
  const points = scored.map(({ at }) => pointsBox(crossings.get(at)!));
  if (action.kind === 'token') return around([boxAt(crossings.get(action.crossing)!, TOKEN), ...points]);
  if (action.kind !== 'place') return null;
  const corners = placeOf(geometry, action.on).corners.map((name) => boxAt(crossings.get(name)!, CORNER));
  return around([...corners, ...points]);
}

/** Crossings and triangles, for walking over the board. */
export const walkable = (geometry: CronbergGeometry): { id: string; x: number; y: number }[] =>
  [...geometry.crossings, ...geometry.triangles].map(({ name, x, y }) => ({ id: name, x, y }));
