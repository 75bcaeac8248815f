import { expect, it } from 'vitest';
import type { DrunterFacts } from '$protocol/messages';
import type { DrunterGeometry } from '$lib/types';
import { counting, points, reveal } from './final';
import shipped from './fixture/edition.json';

const geometry = shipped.geometry as unknown as DrunterGeometry;
const facts = {
  scores: [3, 3, 0],
  final: [
    { seat: 0, objective: 'school', uncovered: ['C2', 'I10'], points: 3, tiebreak: null },
    { seat: 1, objective: 'ones', uncovered: ['G1', 'C2', 'H4'], points: 3, tiebreak: 4 },
    { seat: 2, objective: 'church', uncovered: [], points: 0, tiebreak: 2 },
  ],
} as unknown as DrunterFacts;

it('turns a card over, counts its houses, and goes on to the next seat', () => {
  expect(counting.steps(facts)).toBe(8);
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

it('lets scores and what is counted on the board grow with the steps', () => {
  const seen = (after: number) => counting.after(geometry, facts, after) as DrunterFacts;
  expect([0, 2, 3, 6, 8, Infinity].map((after) => seen(after).scores)).toEqual([
    [0, 0, 0],
    [2, 0, 0],
    [3, 0, 0],
    [3, 2, 0],
    [3, 3, 0],
    [3, 3, 0],
  ]);
  expect(seen(2).final!.map(({ uncovered }) => uncovered)).toEqual([['C2'], [], []]);
  expect(seen(8)).toEqual(facts);
});

it('brings the points of each building from its square', () => {
  const told = [1, 2, 3, 4, 5].map((step) => counting.brought(geometry, facts, step));
  expect(told).toEqual([
    null,
    { seat: 0, at: 'C2', points: 2 },
    { seat: 0, at: 'I10', points: 1 },
    null,
    { seat: 1, at: 'G1', points: 1 },
  ]);
});

it('has no points before the end', () => {
  expect(points({ ...facts, final: null } as DrunterFacts, 0)).toBe(null);
  expect(points(facts, 1)).toBe(3);
});
