import { expect, test } from 'vitest';
import { finalTotal, sum, total } from './sums';

// the worked examples of the rules (C8.2)
test.each([
  [[3, 2], false, 2, 20, '(3 + 2) × 2 × 2 = 20'],
  [[6, 3, -2], false, 1, 14, '(6 + 3 − 2) × 2 = 14'],
  [[-4], true, 0, 4, '|−4| = 4'],
  [[2], true, 0, 2, '2'],
  [[4], false, 1, 8, '4 × 2 = 8'],
])('final %j', (numbers, coat, parks, points, right) => {
  expect(finalTotal(numbers, coat, parks, points)).toBe(right);
});

test('sums have real minus signs', () => {
  expect(sum([6, -8])).toBe('6 − 8');
  expect(total([6, -8], -2)).toBe('6 − 8 = −2');
  expect(total([-3], -3)).toBe('−3');
});
