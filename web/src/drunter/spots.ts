/** Where one may point on Schilda's board, by the actions that are legal. */

import type { Action, DrunterGeometry, Spot } from '$lib/types';

const REACH = 50;

/** A spot for the last square of every tile that may be laid; tiles that end there share it. */
export function spots(geometry: DrunterGeometry, legal: readonly Action[]): Spot[] {
  const squares = new Map(geometry.squares.map((each) => [each.name, each]));
  const found = new Map<string, Spot>();
  for (const action of legal) {
    if (action.kind !== 'lay') continue;
    const id = action.squares.at(-1)!;
    const spot = found.get(id);
    if (spot) spot.actions.push(action);
    else {
      const { x, y } = squares.get(id)!;
      found.set(id, { id, x, y, reach: REACH, actions: [action] });
    }
  }
  return [...found.values()];
}

/** All squares, for walking over the board. */
export const walkable = (geometry: DrunterGeometry): { id: string; x: number; y: number }[] =>
  geometry.squares.map(({ name, x, y }) => ({ id: name, x, y }));

/** The whole board, with or without room. */
export const frame = (geometry: DrunterGeometry): number[] => geometry.view_box;
