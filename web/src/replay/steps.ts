/** A game step by step: the facts of every step, the points over time, the turning point. It knows no rule. */

import type { RecordReplay, ReplayEntry, TableReplay } from '$protocol/forms';
import type { EntryFacts } from '$protocol/messages';
import type { Edition, Facts } from '$lib/types';
import type { Room, Told } from '../games';
import { tableEntry } from '../table/words';

export type Replay = TableReplay | RecordReplay;

/** A position that is worth stopping at. */
export interface Step {
  /** Of the last entry that led there; 0 before the first. */
  number: number;
  facts: Facts;
  /** What happened since the step before: a draw and its outcome come together. */
  entries: ReplayEntry[];
}

/** Every position of a game; entries that change nothing are told with the next one that does. */
export function stepsOf(replay: Pick<Replay, 'facts' | 'entries'>): Step[] {
  const steps: Step[] = [];
  let facts = replay.facts as Facts | null;
  let entries: ReplayEntry[] = [];
  if (facts) steps.push({ number: 0, facts, entries });
  for (const entry of replay.entries) {
    entries = [...entries, entry];
    if (!Object.keys(entry.changes).length) continue;
    facts = { ...facts, ...entry.changes } as Facts;
    steps.push({ number: entry.number, facts, entries });
    entries = [];
  }
  return steps;
}

/** The step of an entry: the one that it led to, or else the last before it. */
export function indexOf(steps: readonly Step[], number: number): number {
  const exact = steps.findIndex((step) => step.entries.some((entry) => entry.number === number));
  return exact >= 0
    ? exact
    : Math.max(
        0,
        steps.findLastIndex((step) => step.number <= number),
      );
}

/** Points by seat over the steps; null where they never change before the end, as there is nothing to see. */
export function pointsOf(steps: readonly Step[]): number[][] | null {
  const seats = steps.at(-1)?.facts.scores.length ?? 0;
  const points = Array.from({ length: seats }, (_each, seat) =>
    steps.map((step) => step.facts.scores[seat] ?? 0),
  );
  const moves = steps.filter((_step, index) => index > 0 && points.some((of) => of[index] !== of[index - 1]));
  return moves.length > 1 ? points : null;
}

/** How far a seat is ahead of the best other. */
const lead = (points: readonly number[][], seat: number, index: number): number =>
  points[seat]![index]! - Math.max(...points.flatMap((of, other) => (other === seat ? [] : [of[index]!])));

/** The step with the largest swing of the lead before the end; null where there is none. */
export function turningPoint(points: readonly number[][] | null): number | null {
  if (!points || points.length < 2) return null;
  let best: number | null = null;
  let most = 0;
  for (let index = 1; index < points[0]!.length - 1; index += 1) {
    const swings = points.map((_of, seat) =>
      Math.abs(lead(points, seat, index) - lead(points, seat, index - 1)),
    );
    if (Math.max(...swings) > most) [best, most] = [index, Math.max(...swings)];
  }
  return best;
}

/** An entry as tables tell it: those of records may lack the time. */
export const asEntry = (entry: ReplayEntry): EntryFacts => ({ ...entry, at: entry.at ?? '' });

/** An entry in words, which may speak of what came before it among `entries`; null for one that nobody needs to read. */
export const toldOf = (
  room: Room,
  edition: Edition,
  entry: ReplayEntry,
  names: string[],
  entries: readonly ReplayEntry[] = [],
): Told | null =>
  room.words.entry(edition, asEntry(entry), entry.result, names, entries.map(asEntry)) ??
  tableEntry(asEntry(entry), names);

/** Several lines as one: some are whole sentences, some are not. */
export const joined = (lines: readonly string[]): string =>
  lines.map((line) => line.replace(/\.$/, '')).join('. ');

/** What follows the `#` of an address: a step, and the token of a link for watching. */
export function readHash(hash: string): { at: number | null; watch: string | null } {
  if (/^\d+$/.test(hash)) return { at: Number(hash), watch: null };
  const told = new URLSearchParams(hash);
  const at = told.get('at');
  return { at: at && /^\d+$/.test(at) ? Number(at) : null, watch: told.get('watch') };
}

export const writeHash = (at: number, watch: string | null): string =>
  watch === null ? `#${at}` : `#${new URLSearchParams({ watch, at: String(at) }).toString()}`;

/** Heights in their order, pushed apart where they are nearer than the gap, and kept between two rims. */
export function spread(
  heights: readonly number[],
  { least, most, gap }: { least: number; most: number; gap: number },
): number[] {
  const down = heights.reduce<number[]>(
    (found, height) => [...found, Math.max(height, (found.at(-1) ?? least - gap) + gap)],
    [],
  );
  return down.map((height, index) => Math.min(height, most - (down.length - 1 - index) * gap));
}
