import { expect, test } from 'vitest';
import type { CronbergFacts } from '$protocol/messages';
import type { CronbergGeometry } from '$lib/types';
import { counting } from './counting';

const token = (seat: number, at: string, points: number) => ({
  ...{ seat, at, points, numbers: [points], coat: false, parks: 0 },
});
const facts = {
  scores: [20, -3],
  final: [token(0, 'a1', 7), token(1, 'b2', -4), token(0, 'c3', 5)],
} as unknown as CronbergFacts;
const geometry = {} as CronbergGeometry;
const scores = (steps: number) => counting.after(geometry, facts, steps)?.scores;

test('scores grow with the steps, up to what the server says', () => {
  expect(counting.steps(facts)).toBe(3);
  expect(scores(0)).toEqual([8, 1]);
  expect(scores(1)).toEqual([15, 1]);
  expect(scores(2)).toEqual([15, -3]);
  expect(scores(3)).toEqual([20, -3]);
  expect(scores(Infinity)).toEqual([20, -3]);
});

test('each step brings the points of a token from its crossing', () => {
  expect(counting.brought(geometry, facts, 2)).toMatchObject({ seat: 1, at: 'b2', points: -4 });
  expect(counting.brought(geometry, facts, 0)).toBe(null);
  expect(counting.brought(geometry, facts, 4)).toBe(null);
});

test('a game that was not played out has nothing to count', () => {
  const resigned = { ...facts, final: null };
  expect(counting.steps(resigned)).toBe(0);
  expect(counting.after(geometry, resigned, 0)).toEqual(resigned);
  expect(counting.after(geometry, null, 0)).toBe(null);
});
