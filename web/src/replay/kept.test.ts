import { beforeEach, expect, test } from 'vitest';
import { forgetRecord, keepRecord, keptRecord } from './kept';

beforeEach(() => sessionStorage.clear());

test('a record is kept until another one is, or none', () => {
  expect(keptRecord()).toBe(null);
  keepRecord('{"game":"cronberg"}');
  keepRecord('{"game":"drunter"}');
  expect(keptRecord()).toBe('{"game":"drunter"}');
  forgetRecord();
  expect(keptRecord()).toBe(null);
});

test('one that is too large is forgotten, and so is the one before', () => {
  keepRecord('{}');
  keepRecord('x'.repeat(20_000_000));
  expect(keptRecord()).toBe(null);
});
