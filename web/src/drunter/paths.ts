/**
 * How tiles are put together from pieces of path, as the server's pictures do it (`svg_parts.py`): a tile is drawn lying
 * to the east and turned; its last square leads on to the next tile of its path, or is open to all sides.
 */

import type { TileFacts } from '$protocol/messages';
import type { DrunterArtwork, DrunterGeometry, Edition, Point } from '$lib/types';

/** A symbol of the artwork, moved and turned. */
export interface Piece {
  symbol: string;
  transform: string;
}

/** A tile, the square that its path came from, and the first one after it. */
export interface Placed {
  tile: TileFacts;
  before: string;
  after: string | null;
}

/** What of a tile lies where: its ground, and above it the pieces of its path from the start on. */
export interface DrawnTile {
  transform: string;
  ground: string;
  path: Piece[];
}

/** Where a path has come to, and the way it came (nowhere from a corner). */
export interface PathEnd {
  corner: string;
  kind: string;
  square: string;
  x: number;
  y: number;
}

/** How far from the middle of its square a cart stands: the mark on a tile's start is seen then. */
const AHEAD = 14;
/** Houses lean by their squares' numbers: a row has as many as this. */
const ROW = 32;

const squaresOf = new WeakMap<DrunterGeometry, Map<string, Point>>();

/** The middle of a square. */
export function middle(geometry: DrunterGeometry, square: string): Point {
  let squares = squaresOf.get(geometry);
  if (!squares) {
    squares = new Map(geometry.squares.map((each) => [each.name, each]));
    squaresOf.set(geometry, squares);
  }
  const found = squares.get(square);
  if (!found) throw new Error(`no square ${square}`);
  return found;
}

/** The step from one point towards another in the same row or column: one long. */
function step(from: Point, to: Point): Point {
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const length = Math.hypot(dx, dy);
  return { x: Math.round(dx / length) || 0, y: Math.round(dy / length) || 0 };
}

/** How far something that lies to the east is turned to lie in this direction. */
function turnOf({ x, y }: Point): number {
  if (x) return x > 0 ? 0 : 180;
  return y > 0 ? 90 : -90;
}

export function transformOf({ x, y }: Point, turn = 0): string {
  return (x || y ? `translate(${x} ${y})` : '') + (turn ? `rotate(${turn})` : '');
}

/** Tiles with the squares before and after them, in the order of laying. */
export function placed(geometry: DrunterGeometry, laid: readonly TileFacts[]): Placed[] {
  const at = new Map(geometry.gangs.map((gang) => [gang.name, gang.name]));
  const last = new Map<string, Placed>();
  return laid.map((tile) => {
    const found: Placed = { tile, before: at.get(tile.gang)!, after: null };
    const previous = last.get(tile.gang);
    if (previous) previous.after = tile.squares[0]!;
    last.set(tile.gang, found);
    at.set(tile.gang, tile.squares.at(-1)!);
    return found;
  });
}

/** The direction that a tile points in. */
const direction = (geometry: DrunterGeometry, { tile, before }: Placed): Point =>
  step(middle(geometry, before), middle(geometry, tile.squares.at(-1)!));

/** The piece of path on a tile's last square: where the next tile lies as seen from this one. */
function exit(geometry: DrunterGeometry, at: Placed): string {
  if (at.after === null) return 'open';
  const came = direction(geometry, at);
  const goes = step(middle(geometry, at.tile.squares.at(-1)!), middle(geometry, at.after));
  const turn = came.x * goes.y - came.y * goes.x;
  if (turn === 0) return 'run';
  return turn > 0 ? 'right' : 'left';
}

/** A tile: its ground and its path, with the mark on its start, and the hump of a bridge. */
export function drawn(geometry: DrunterGeometry, paths: DrunterArtwork['paths'], at: Placed): DrawnTile {
  const { kind, squares } = at.tile;
  const [path, length, side] = [paths[kind]!, squares.length, geometry.unit];
  const way = direction(geometry, at);
  const { x, y } = middle(geometry, squares[0]!);
  const edge = { x: x - (way.x * side) / 2, y: y - (way.y * side) / 2 };
  const piece = (name: string, square = 0): Piece => ({
    symbol: `drunter-${name}`,
    transform: transformOf({ x: square * side, y: 0 }),
  });
  return {
    transform: transformOf(edge, turnOf(way)),
    ground: `drunter-card-${kind}-${length}`,
    path: [
      ...squares.slice(1).map((_square, index) => piece(`run-${path}`, index)),
      piece(`${exit(geometry, at)}-${path}`, length - 1),
      ...(length === geometry.bridge ? [piece(`span-${kind}`)] : []),
      piece(`plaque-${path}`),
    ],
  };
}

/** The path that leads to a tile: out of its corner, and under bridges. Drawn before all tiles' paths. */
export function passages(geometry: DrunterGeometry, paths: DrunterArtwork['paths'], at: Placed): Piece[] {
  const way = direction(geometry, at);
  const [turn, half, path] = [turnOf(way), geometry.unit / 2, paths[at.tile.kind]!];
  const out = geometry.gangs.some((gang) => gang.name === at.before)
    ? [{ symbol: `drunter-stub-${path}`, transform: transformOf(middle(geometry, at.before), turn) }]
    : [];
  const under = at.tile.under.map((square) => {
    const { x, y } = middle(geometry, square);
    const edge = { x: x - way.x * half, y: y - way.y * half };
    return { symbol: `drunter-run-${path}`, transform: transformOf(edge, turn) };
  });
  return [...out, ...under];
}

/** Where each path has come to: there its cart stands, or the sign that its gang is gone. */
export function ends(geometry: DrunterGeometry, tiles: readonly Placed[]): PathEnd[] {
  return geometry.gangs.map(({ name, kind }) => {
    const last = tiles.findLast((each) => each.tile.gang === name);
    const square = last ? last.tile.squares.at(-1)! : name;
    const way = last ? direction(geometry, last) : { x: 0, y: 0 };
    const { x, y } = middle(geometry, square);
    return { corner: name, kind, square, x: x + way.x * AHEAD, y: y + way.y * AHEAD };
  });
}

/** The upright box around squares in a line. */
export function boxAround(
  geometry: DrunterGeometry,
  squares: readonly string[],
  inset = 2,
): { x: number; y: number; width: number; height: number } {
  const points = squares.map((square) => middle(geometry, square));
  const [xs, ys] = [points.map(({ x }) => x), points.map(({ y }) => y)];
  const half = geometry.unit / 2 - inset;
  const [left, top] = [Math.min(...xs) - half, Math.min(...ys) - half];
  return { x: left, y: top, width: Math.max(...xs) + half - left, height: Math.max(...ys) + half - top };
}

/** The parts of a square's name: the letter of its column, the number of its row. */
export const columnOf = (square: string): string => square.slice(0, 1);
export const rowOf = (square: string): string => square.slice(1);

/** How crooked a house stands, in degrees: always the same on the same square. */
export function lean(geometry: DrunterGeometry, square: string, isOuthouse: boolean): number {
  const index = geometry.squares.findIndex((each) => each.name === square);
  const wide = geometry.squares.findIndex((each) => rowOf(each.name) !== rowOf(geometry.squares[0]!.name));
  const number = Math.floor(index / wide) * ROW + (index % wide);
  return isOuthouse ? (((number * 5) % 7) - 3) * 2 : (((number * 7) % 5) - 2) * 1.6;
}

/** The same town seen from its side, for a screen that is higher than wide: turned to the right by a quarter. */
export function turnedToSide(edition: Edition): Edition {
  const geometry = edition.geometry as DrunterGeometry;
  const [left, top, wide, high] = geometry.view_box as [number, number, number, number];
  const right = geometry.height * geometry.unit;
  return {
    ...edition,
    geometry: {
      ...geometry,
      width: geometry.height,
      height: geometry.width,
      view_box: [top, left, high, wide],
      squares: geometry.squares.map(({ name, x, y }) => ({ name, x: right - y, y: x })),
    },
  };
}
