import { expect, test } from 'vitest';
import { letters } from '$lib/letters';

test.each([
  [['Karl', 'ulla'], 'KU'],
  [['Karl', 'Kurt'], 'AB'],
  [['', 'Ulla'], 'AB'],
  [['Émile', '7 of 9', 'Ulla'], 'É7U'],
])('letters of %j', (names, right) => {
  expect(letters(names).join('')).toBe(right);
});
