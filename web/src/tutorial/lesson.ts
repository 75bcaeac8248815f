/** A tutorial: an annotated record in which the newcomer makes the moves of one seat. */

import type { ReplayEntry } from '$protocol/forms';
import type { Language } from '$lib/settings.svelte';
import type { Facts, GameName } from '$lib/types';

/** The newcomer's seat. */
export const SEAT = 0;

export interface Notes {
  title: string;
  intro: { title: string; text: string }[];
  /** By the number of the move, from 1: what the newcomer is asked for, and what has happened then. */
  moves: Record<string, { before?: string; after: string }>;
  end: string;
}

/** The newcomer decides, or reads what was done. */
export interface Scene {
  kind: 'ask' | 'told';
  /** From 1. */
  move: number;
  /** The position: after which entry. */
  at: number;
  text: string;
  /** What is asked for, as the log writes it. */
  answer: string | null;
  /** What happened in the move, for its places. */
  entries: ReplayEntry[];
}

const texts = import.meta.glob<{ default: Notes }>('../locale/tutorial/*/*.json');

export const notesOf = async (language: Language, game: GameName): Promise<Notes> =>
  (await texts[`../locale/tutorial/${language}/${game}.json`]!()).default;

const verb = (entry: ReplayEntry): string => entry.text.split(' ')[0]!;
/** What a move of a record begins with in its log; all else goes on with it. */
const BEGINS = new Set(['token', 'draw', 'pass', 'lay']);

/** The entries of each move of a record. */
export function movesOf(entries: readonly ReplayEntry[]): ReplayEntry[][] {
  const moves: ReplayEntry[][] = [];
  for (const entry of entries) {
    if (BEGINS.has(verb(entry)) || !moves.length) moves.push([]);
    moves.at(-1)!.push(entry);
  }
  return moves;
}

/** Before which entry somebody decides: what several decide at once, they decide before any of it is known. */
function before(move: readonly ReplayEntry[], entry: ReplayEntry): number {
  const first = move.find((each) => verb(each) === verb(entry))!;
  return first.number - 1;
}

/** What is shown, one after the other. */
export function scenesOf(entries: readonly ReplayEntry[], notes: Notes): Scene[] {
  return movesOf(entries).flatMap((move, index) => {
    const note = notes.moves[String(index + 1)]!;
    const scene = { move: index + 1, entries: move };
    const asked = move
      .filter((entry) => entry.seat === SEAT)
      .map((entry) => ({
        ...scene,
        kind: 'ask' as const,
        at: before(move, entry),
        text: note.before ?? '',
        answer: entry.text,
      }));
    return [
      ...asked,
      { ...scene, kind: 'told' as const, at: move.at(-1)!.number, text: note.after, answer: null },
    ];
  });
}

/** What the newcomer may know of the facts: others keep their cards. */
export function ownEyes(facts: Facts): Facts {
  if (!('objectives' in facts) || facts.outcome) return facts;
  return {
    ...facts,
    objectives: facts.objectives.map((cards, seat) => (seat === SEAT ? cards : cards.map(() => null))),
    chosen: facts.chosen.map((card, seat) => (seat === SEAT ? card : null)),
  };
}
