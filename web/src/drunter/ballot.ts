/** A vote as it is shown: while it goes on, when the cards are turned over, and for a while after it. */

import type { DrunterFacts, DrunterVoteResult, EntryFacts } from '$protocol/messages';
import type { DrunterGeometry } from '$lib/types';
import { between, houses } from './town';

/** A tile as its text names it. */
export interface NamedTile {
  kind: string;
  gang: string;
  squares: string[];
}

export interface Ballot {
  /** The number of the entry that proposed the tile. */
  number: number;
  /** Whose tile it is. */
  seat: number;
  tile: NamedTile;
  covers: string[];
  voted: boolean[];
  /** By seat; null for cards that are face down, or not there yet. */
  cards: (string[] | null)[];
  said: ('yes' | 'no' | null)[];
  yes: number | null;
  no: number | null;
  /** Null while it goes on. */
  passed: boolean | null;
}

const LAY = /^lay (\w+) ([A-Z]\d+) ([A-Z]\d+)(?:-([A-Z]\d+))?$/;
const VOTE = /^vote (.+)$/;
const HIDDEN = '(hidden)';

/** The tile that an entry lays; null for other entries. */
export function tileOf(text: string): NamedTile | null {
  const found = LAY.exec(text);
  if (!found) return null;
  const [, kind, gang, first, last] = found as unknown as [string, string, string, string, string?];
  return { kind, gang, squares: between(first, last ?? first) };
}

/** The cards of an entry that votes; null where they are hidden. */
export const cardsOf = (text: string): string[] | null => {
  const cards = VOTE.exec(text)?.[1];
  return cards === undefined || cards === HIDDEN ? null : cards.split('+');
};

/** The squares of buildings and outhouses under a tile, in reading order. */
export const coveredBy = (geometry: DrunterGeometry, tile: NamedTile): string[] =>
  [...houses(geometry).keys()].filter((square) => tile.squares.includes(square));

/** The vote that is under way. */
export function underWay(facts: DrunterFacts | null, entries: readonly EntryFacts[]): Ballot | null {
  if (!facts?.proposal || !facts.votes) return null;
  const { kind, gang, squares, seat, covers } = facts.proposal;
  const number = entries.findLast((entry) => entry.stands && tileOf(entry.text))?.number ?? 0;
  return { number, seat, tile: { kind, gang, squares }, covers, ...facts.votes, passed: null };
}

/** What entries brought about, by their numbers. */
export type Results = Readonly<Record<number, unknown>>;

/** Whether something that an entry brought about is the end of a vote. */
export const isVoteResult = (result: unknown): result is DrunterVoteResult =>
  typeof result === 'object' && result !== null && 'passed' in result;

/** The last vote that is over, from the log: the facts forget it at once. */
export function lastOver(
  geometry: DrunterGeometry,
  entries: readonly EntryFacts[],
  results: Results,
): (Ballot & { endedAt: number }) | null {
  const end = entries.findLastIndex((entry) => entry.stands && isVoteResult(results[entry.number]));
  if (end < 0) return null;
  const proposed = entries.slice(0, end).findLast((entry) => entry.stands && tileOf(entry.text));
  const result = results[entries[end]!.number];
  const tile = proposed && tileOf(proposed.text);
  if (!tile || !isVoteResult(result)) return null;
  const { cards, said, yes, no, passed } = result;
  return {
    number: proposed.number,
    endedAt: entries[end]!.number,
    seat: proposed.seat ?? 0,
    tile,
    covers: coveredBy(geometry, tile),
    voted: cards.map(() => true),
    ...{ cards, said, yes, no, passed },
  };
}
