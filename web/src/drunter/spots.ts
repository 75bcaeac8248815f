/** Where one may point on Schilda's board, by the actions that are legal. */

import type { DrunterFacts, DrunterPreview, LayAction } from '$protocol/messages';
import { nearest } from '$lib/pointing';
import type { Action, DrunterGeometry, Point, Preview, Spot } from '$lib/types';
import { around, type Box } from '$parts/beside';
import { boxAround, middle } from './paths';

const REACH = 50;

/** Tiles of a kind and a length. */
export interface Pile {
  kind: string;
  length: number;
}

export const isLay = (action: Action): action is LayAction => action.kind === 'lay';

/** Whether a tile comes from a pile. */
export const isFrom = (pile: Pile, action: Action): boolean =>
  isLay(action) && action.tile === pile.kind && action.squares.length === pile.length;

/** A spot for the last square of every tile that may be laid; tiles that end there share it, the shortest first. */
export function spots(geometry: DrunterGeometry, legal: readonly Action[]): Spot[] {
  const found = new Map<string, Spot>();
  const tiles = legal.filter(isLay);
  for (const action of tiles.sort((one, other) => one.squares.length - other.squares.length)) {
    const id = action.squares.at(-1)!;
    const spot = found.get(id);
    if (spot) spot.actions.push(action);
    else {
      const { x, y } = middle(geometry, id);
      found.set(id, { id, x, y, reach: REACH, actions: [action] });
    }
  }
  return [...found.values()];
}

/** What pointing at a square would mean, whether legal or not: a short tile there, of the path whose gang is nearest. */
export function meant(
  geometry: DrunterGeometry,
  facts: Pick<DrunterFacts, 'gangs'> | null,
  legal: readonly Action[],
  point: Point,
): string | null {
  const squares = geometry.squares.map(({ name, x, y }) => ({ id: name, x, y, reach: REACH, actions: [] }));
  const square = nearest(squares, point);
  if (!square) return null;
  const paths = legal.filter(isLay).flatMap(({ tile, gang }) => {
    const at = facts?.gangs[gang];
    return at ? [{ id: `${tile} ${gang}`, ...middle(geometry, at), reach: Infinity, actions: [] }] : [];
  });
  const path = nearest(paths, square);
  return path && `lay ${path.id} ${square.id}`;
}

/** The sign that asks for a vote stands out above a tile's first square. */
const SIGN = { x: -33, y: -67, width: 66, height: 55 };

/** What a ghost takes up of the town: its squares, and the sign above them. */
export function extent(geometry: DrunterGeometry, action: Action, preview: Preview | null): Box | null {
  if (!isLay(action)) return null;
  const tile = boxAround(geometry, action.squares, 0);
  if (!(preview as DrunterPreview | null)?.needs_vote) return tile;
  const { x, y } = middle(geometry, action.squares[0]!);
  return around([tile, { ...SIGN, x: x + SIGN.x, y: y + SIGN.y }]);
}

/** All squares, for walking over the board. */
export const walkable = (geometry: DrunterGeometry): { id: string; x: number; y: number }[] =>
  geometry.squares.map(({ name, x, y }) => ({ id: name, x, y }));

/** The whole board, with or without room. */
export const frame = (geometry: DrunterGeometry): number[] => geometry.view_box;
