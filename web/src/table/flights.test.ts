import { expect, test } from 'vitest';
import { flightsOf } from './flights';

const scored = [{ seat: 0, at: 'a2', numbers: [8, 6, -6], points: 8 }];
const RESULTS = { 3: { scored }, 4: { covers: ['D3'] }, 5: { scored: [{ seat: 1, at: 'd4', points: -2 }] } };

test('what is new flies, and nothing twice', () => {
  expect(flightsOf(RESULTS, 2, 4)).toEqual(scored);
  expect(flightsOf(RESULTS, 3, 5).map(({ at }) => at)).toEqual(['d4']);
  expect(flightsOf(RESULTS, 5, 5)).toEqual([]);
  expect(flightsOf(RESULTS, 5, 3)).toEqual([]);
});

test('what happened while somebody was away does not', () => {
  expect(flightsOf(RESULTS, 0, 40)).toEqual([]);
});
