import { expect, test } from 'vitest';
import { curtainFor, dueOf } from './curtain';

const round = { status: 'playing', waiting: [1], own: [0, 1], viewer: null } as const;

test('a curtain hangs for who is due, until they look', () => {
  expect(curtainFor(round, true)).toBe(1);
  expect(curtainFor({ ...round, viewer: 0 }, true)).toBe(1);
  expect(curtainFor({ ...round, viewer: 1 }, true)).toBe(null);
});

test.each([
  ['without secrets', round, false],
  ['when others are waited for', { ...round, waiting: [2] }, true],
  ['after the game', { ...round, status: 'over' }, true],
  ['with one seat of one’s own', { ...round, own: [1] }, true],
] as const)('none hangs %s', (_when, seen, hasSecrets) => {
  expect(curtainFor(seen, hasSecrets)).toBe(null);
});

test('the first own seat is due', () => {
  expect(dueOf({ waiting: [3, 1, 0], own: [0, 1] })).toBe(1);
  expect(dueOf({ waiting: [], own: [0, 1] })).toBe(null);
});
