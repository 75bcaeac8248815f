/** A vote as it is shown: while it goes on, when the cards are turned over, and for a while after it. */

import type { DrunterFacts, EntryFacts } from '$protocol/messages';
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

/** The last vote that is over, from the log: the facts forget it at once. */
export function lastOver(
  geometry: DrunterGeometry,
  facts: DrunterFacts | null,
  entries: readonly EntryFacts[],
): Ballot | null {
  if (!facts || facts.votes) return null;
  const players = facts.scores.length;
  const cards: Ballot['cards'] = Array<null>(players).fill(null);
  const said: Ballot['said'] = Array<null>(players).fill(null);
  for (const entry of entries.filter(({ stands }) => stands).reverse()) {
    const tile = tileOf(entry.text);
    if (tile && cards.some((each) => each)) return counted(geometry, facts, entry, tile, cards, said);
    if (entry.seat === null) continue;
    if (VOTE.test(entry.text)) cards[entry.seat] = cardsOf(entry.text);
    const word = /^jeeiin (yes|no)$/.exec(entry.text)?.[1];
    if (word) said[entry.seat] = word as 'yes' | 'no';
  }
  return null;
}

function counted(
  geometry: DrunterGeometry,
  facts: DrunterFacts,
  entry: EntryFacts,
  tile: NamedTile,
  cards: Ballot['cards'],
  said: Ballot['said'],
): Ballot {
  const votes = cards.map((played, seat) => votesOf(geometry, played ?? [], said[seat] ?? null));
  const lies = facts.laid.some(({ squares }) => squares.join() === tile.squares.join());
  return {
    number: entry.number,
    seat: entry.seat ?? 0,
    tile,
    covers: coveredBy(geometry, tile),
    voted: cards.map((played) => played !== null),
    cards,
    said,
    yes: votes.reduce((sum, { yes }) => sum + yes, 0),
    no: votes.reduce((sum, { no }) => sum + no, 0),
    passed: lies,
  };
}

/** What a seat's cards count for; a card that counts for both sides counts as was said. */
export function votesOf(
  geometry: DrunterGeometry,
  cards: readonly string[],
  said: 'yes' | 'no' | null,
): { yes: number; no: number } {
  let [yes, no] = [0, 0];
  for (const card of geometry.cards.filter(({ name }) => cards.includes(name))) {
    const isEither = card.yes > 0 && card.no > 0;
    if (!isEither || said === 'yes') yes += card.yes;
    if (!isEither || said === 'no') no += card.no;
  }
  return { yes, no };
}
