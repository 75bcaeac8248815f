import { expect, test } from 'vitest';
import type { ReplayEntry } from '$protocol/forms';
import { indexOf, pointsOf, readHash, spread, stepsOf, turningPoint, writeHash } from './steps';

const entry = (number: number, text: string, changes: object): ReplayEntry => ({
  number,
  seat: null,
  text,
  at: null,
  by: null,
  stands: true,
  note: null,
  changes,
  result: null,
});

const ENTRIES = [
  entry(1, 'start', {}),
  entry(2, 'first 0', { scores: [0, 0], phase: 'choice' }),
  entry(3, 'draw', {}),
  entry(4, 'drawn church', { phase: 'placement' }),
  entry(5, 'place A1+A2', { phase: 'choice', scores: [4, 0] }),
  entry(6, 'clock resumed', {}),
];

test('a step is an entry that changes something, with those before it that do not', () => {
  const steps = stepsOf({ facts: null, entries: ENTRIES });
  expect(steps.map((step) => step.number)).toEqual([2, 4, 5]);
  expect(steps[1]!.entries.map((each) => each.text)).toEqual(['draw', 'drawn church']);
  expect(steps[2]!.facts).toEqual({ scores: [4, 0], phase: 'choice' });
});

test('what is known before the first entry is a step of its own', () => {
  const facts = { scores: [1, 2] } as never;
  expect(stepsOf({ facts, entries: [] })).toEqual([{ number: 0, facts, entries: [] }]);
});

test('every entry leads to a step', () => {
  const steps = stepsOf({ facts: null, entries: ENTRIES });
  expect([0, 1, 2, 3, 4, 5, 6, 99].map((number) => indexOf(steps, number))).toEqual([0, 0, 0, 1, 1, 2, 2, 2]);
});

const scored = (...scores: number[][]) =>
  scores.map((each, number) => ({ number, facts: { scores: each } as never, entries: [] }));

test('points that change once at the end are no curve', () => {
  expect(pointsOf(scored([0, 0], [0, 0], [5, 3]))).toBeNull();
  expect(pointsOf(scored([0, 0], [1, 0], [5, 3]))).toEqual([
    [0, 1, 5],
    [0, 0, 3],
  ]);
});

test('the turning point is the largest swing of the lead, the end apart', () => {
  expect(turningPoint(pointsOf(scored([0, 0], [4, 0], [4, 9], [6, 9], [60, 9])))).toBe(2);
  expect(turningPoint(pointsOf(scored([0, 0], [0, 0], [6, 9])))).toBeNull();
  expect(turningPoint(null)).toBeNull();
});

test('an address names a step, also beside the token of a link', () => {
  expect(readHash('17')).toEqual({ at: 17, watch: null });
  expect(readHash('')).toEqual({ at: null, watch: null });
  expect(readHash(writeHash(17, 'a-b_c').slice(1))).toEqual({ at: 17, watch: 'a-b_c' });
  expect(readHash('watch=a-b_c')).toEqual({ at: null, watch: 'a-b_c' });
});

test('ends of lines stand apart, within the chart', () => {
  const room = { least: 10, most: 100, gap: 15 };
  expect(spread([20, 60], room)).toEqual([20, 60]);
  expect(spread([0, 3], room)).toEqual([10, 25]);
  expect(spread([10, 99, 100], room)).toEqual([10, 85, 100]);
  expect(spread([50, 50, 50], room)).toEqual([50, 65, 80]);
  expect(spread([], room)).toEqual([]);
});
