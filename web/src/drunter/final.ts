/** The reveal at the end in steps: by seat the objective turns over, then each building that is left, then the tie-break. */

import type { DrunterFacts } from '$protocol/messages';
import type { DrunterGeometry, Facts } from '$lib/types';
import type { Counting } from '../games';
import type { Flight } from '../table/flights';
import { houses } from './town';

export interface Revealed {
  seat: number;
  objective: string;
  /** Whether its objective has turned over. */
  isTurned: boolean;
  /** Squares of the buildings counted so far. */
  counted: string[];
  /** What has been counted so far; the server's own sum once all is. */
  points: number;
  isCounted: boolean;
  tiebreak: number | null;
}

/** How many steps the whole reveal has. */
const steps = (facts: DrunterFacts | null): number =>
  (facts?.final ?? []).reduce((sum, { uncovered }) => sum + 1 + uncovered.length, 0);

/** What is to be seen after a number of steps. */
export function reveal(
  geometry: DrunterGeometry,
  facts: DrunterFacts | null,
  after: number,
): { seats: Revealed[]; isWhole: boolean } {
  let left = after;
  const seats = (facts?.final ?? []).map(({ seat, objective, uncovered, points, tiebreak }) => {
    const isTurned = left > 0;
    const counted = uncovered.slice(0, Math.max(0, left - 1));
    const isCounted = left > uncovered.length;
    left -= 1 + uncovered.length;
    const soFar =
      valueOf(geometry, uncovered) === points
        ? valueOf(geometry, counted)
        : (points / uncovered.length) * counted.length; // each counts the same
    return { seat, objective, isTurned, counted, points: isCounted ? points : soFar, isCounted, tiebreak };
  });
  return { seats, isWhole: left >= 0 };
}

/** What is not counted yet is in nobody's score, and on no square of the board. */
function after(geometry: DrunterGeometry, facts: DrunterFacts, number: number): DrunterFacts {
  if (!facts.final || number >= steps(facts)) return facts;
  const shown = reveal(geometry, facts, number).seats;
  const scores = facts.scores.map((_score, seat) => shown.find((each) => each.seat === seat)?.points ?? 0);
  const final = facts.final.map((each, index) => ({ ...each, uncovered: shown[index]!.counted }));
  return { ...facts, scores, final };
}

/** A card that turns over brings nothing, a building that is counted its points. */
function brought(geometry: DrunterGeometry, facts: DrunterFacts, step: number): Flight | null {
  const [before, now] = [step - 1, step].map((each) => reveal(geometry, facts, each).seats);
  for (const [index, { seat, counted, points }] of now!.entries()) {
    const known = before![index]!;
    const at = counted[known.counted.length];
    if (at !== undefined) return { seat, at, points: points - known.points };
  }
  return null;
}

export const counting: Counting = {
  steps: (facts) => steps(facts as DrunterFacts | null),
  after: (geometry, facts, number) =>
    facts && after(geometry as DrunterGeometry, facts as DrunterFacts, number),
  brought: (geometry, facts, step) =>
    facts && brought(geometry as DrunterGeometry, facts as DrunterFacts, step),
};

/** Nobody knows the others' objectives before the end: there are no points until then. */
export const points = (facts: Facts, seat: number): number | null =>
  (facts as DrunterFacts).final ? (facts.scores[seat] ?? 0) : null;

const valueOf = (geometry: DrunterGeometry, squares: readonly string[]): number =>
  squares.reduce((sum, square) => sum + (houses(geometry).get(square)?.value ?? 0), 0);
