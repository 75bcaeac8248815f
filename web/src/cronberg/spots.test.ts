import { expect, test } from 'vitest';
import type { CronbergGeometry } from '$lib/types';
import { meant } from './spots';

const geometry = {
  crossings: [
    { name: 'a1', x: 0, y: 0 },
    { name: 'a2', x: 100, y: 0 },
  ],
  places: [
    { on: ['A1', 'A2'], x: 25, y: 43 },
    { on: ['A2', 'A3'], x: 75, y: 43 },
  ],
} as unknown as CronbergGeometry;
const at = (x: number, y: number): string | null => meant(geometry, null, [], { x, y });

test('who points right at a crossing means a token there', () => {
  expect(at(3, -4)).toBe('token a1');
  expect(at(90, 10)).toBe('token a2');
});

test('who points between crossings means a rhomb around the point', () => {
  expect(at(30, 40)).toBe('place A1+A2');
  expect(at(70, 50)).toBe('place A2+A3');
});

test('far from everything nothing is meant', () => {
  expect(at(0, 400)).toBe(null);
});
