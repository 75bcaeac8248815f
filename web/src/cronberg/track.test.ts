import { expect, test } from 'vitest';
import { lap, markers, signOf, stone } from './track';

test('stones stand on a hexagon, and a score beyond the last walks on from the start', () => {
  expect(stone(100, 0)).toEqual(stone(100, 60));
  expect(stone(100, -1)).toEqual(stone(100, 59));
  for (const corner of [0, 10, 20, 30, 40, 50])
    expect(Math.hypot(stone(100, corner).x, stone(100, corner).y)).toBeCloseTo(100);
});

test('markers on one stone stand apart, others in its middle', () => {
  const [one, other, third] = markers(100, [5, 5, 7]);
  expect(Math.hypot(one!.x - other!.x, one!.y - other!.y)).toBeGreaterThan(20);
  expect({ x: third!.x, y: third!.y }).toEqual(stone(100, 7));
});

test.each([
  [0, ''],
  [59, ''],
  [60, '+60'],
  [119, '+60'],
  [120, '+120'],
  [-1, '−60'],
  [-60, '−60'],
  [-61, '−120'],
])('a score of %i has the sign of its round: %s', (score, sign) => {
  expect(lap(score)).toBe(sign);
});

test('the sign of a round stands nearer to the town than its marker', () => {
  for (const marker of markers(100, [61, 75, 75])) {
    const sign = signOf(marker);
    expect(Math.hypot(marker.x + sign.x, marker.y + sign.y)).toBeLessThan(Math.hypot(marker.x, marker.y));
  }
});
