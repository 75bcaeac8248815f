import { expect, it } from 'vitest';
import type { DrunterFacts } from '$protocol/messages';
import type { DrunterGeometry } from '$lib/types';
import { reveal, steps } from './final';
import shipped from './fixture/edition.json';

const geometry = shipped.geometry as unknown as DrunterGeometry;
const facts = {
  final: [
    { seat: 0, objective: 'school', uncovered: ['C2', 'I10'], points: 3, tiebreak: null },
    { seat: 1, objective: 'ones', uncovered: ['G1', 'C2', 'H4'], points: 3, tiebreak: 4 },
    { seat: 2, objective: 'church', uncovered: [], points: 0, tiebreak: 2 },
  ],
} as unknown as DrunterFacts;

it('turns a card over, counts its houses, and goes on to the next seat', () => {
  expect(steps(facts)).toBe(8);
  const seen = (after: number) =>
    reveal(geometry, facts, after).seats.map(({ isTurned, points }) => (isTurned ? points : null));
  expect(seen(0)).toEqual([null, null, null]);
  expect(seen(1)).toEqual([0, null, null]);
  expect(seen(2)).toEqual([2, null, null]);
  expect(seen(3)).toEqual([3, null, null]);
  expect(seen(6)).toEqual([3, 2, null]);
  expect(seen(8)).toEqual([3, 3, 0]);
});

it('says when all is told', () => {
  expect(reveal(geometry, facts, 7).isWhole).toBe(false);
  expect(reveal(geometry, facts, 8).isWhole).toBe(true);
  expect(reveal(geometry, null, 0)).toEqual({ seats: [], isWhole: true });
});
