import { expect, test } from 'vitest';
import type { EntryFacts } from '$protocol/messages';
import { isTimeOver, settled } from './entries';

const log = (...texts: string[]): EntryFacts[] =>
  texts.map((text, index) => ({ number: index + 1, seat: 0, text, at: '', by: null, stands: true }));
const gone = (...texts: string[]): number[] =>
  settled(log(...texts)).flatMap((entry) => (entry.stands ? [] : [entry.number]));

test('what was taken back does not stand, but the table’s own affairs do', () => {
  expect(gone('start', 'token d4', 'draw', 'drawn church', 'seat 1: bot greedy', 'takeback to 2')).toEqual([
    3, 4,
  ]);
});

test('what comes after it stands, until it is taken back itself', () => {
  expect(gone('start', 'token d4', 'takeback to 1', 'token e5')).toEqual([2]);
  expect(gone('start', 'token d4', 'takeback to 1', 'token e5', 'takeback to 1')).toEqual([2, 4]);
});

test('nothing is taken back where nobody asked', () => {
  const entries = log('start', 'token d4');
  expect(settled(entries)).toEqual(entries);
});

test('time is over from the flag until the person is back', () => {
  const begun = ['seat 0: person Anna', 'start'];
  const [flag, bot] = ['flag', 'seat 0: bot journeyman'];
  expect(isTimeOver(log(...begun, bot), 0)).toBe(false);
  expect(isTimeOver(log(...begun, flag, bot, 'draw'), 0)).toBe(true);
  expect(isTimeOver(log(...begun, flag, bot), 1)).toBe(false);
  expect(isTimeOver(log(...begun, flag, bot, 'seat 0: person Anna', bot), 0)).toBe(false);
});
