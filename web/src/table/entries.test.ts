import { expect, test } from 'vitest';
import type { EntryFacts } from '$protocol/messages';
import { settled } from './entries';

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
