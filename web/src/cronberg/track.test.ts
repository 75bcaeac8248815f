import { expect, test } from 'vitest';
import { markers, stone } from './track';

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
