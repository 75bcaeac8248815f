/** What stands in the town, by square. */

import type { DrunterGeometry } from '$lib/types';

/** A building or an outhouse. */
export interface House {
  square: string;
  kind: string;
  /** Null for an outhouse. */
  value: number | null;
}

const housesOf = new WeakMap<DrunterGeometry, Map<string, House>>();

/** All houses that stand at the start, in the order of their squares. */
export function houses(geometry: DrunterGeometry): Map<string, House> {
  const known = housesOf.get(geometry);
  if (known) return known;
  const found = new Map<string, House>(
    geometry.buildings.map(({ at, kind, value }) => [at, { square: at, kind, value }]),
  );
  for (const square of geometry.outhouses) found.set(square, { square, kind: 'outhouse', value: null });
  const ordered = new Map(
    geometry.squares.flatMap(({ name }) => {
      const house = found.get(name);
      return house ? [[name, house] as const] : [];
    }),
  );
  housesOf.set(geometry, ordered);
  return ordered;
}

/** The squares from one to another in the same row or column, both with them. */
export function between(first: string, last: string): string[] {
  const [column, row] = [first.charCodeAt(0), Number(first.slice(1))];
  const [right, down] = [last.charCodeAt(0) - column, Number(last.slice(1)) - row];
  const length = Math.max(Math.abs(right), Math.abs(down));
  return Array.from(
    { length: length + 1 },
    (_, index) =>
      String.fromCharCode(column + Math.sign(right) * index) + String(row + Math.sign(down) * index),
  );
}
