import { describe, expect, it } from 'vitest';
import type { Action } from '$lib/types';
import { apart, hintedBy } from './hinted';

const legal: Action[] = [
  { text: 'draw', kind: 'draw' },
  { text: 'token d4', kind: 'token', crossing: 'd4' },
  { text: 'token a1', kind: 'token', crossing: 'a1' },
];

describe('what a hint names', () => {
  it('is found among what may be done, the best first', () => {
    const best = [
      { action: 'token a1', share: 0.7 },
      { action: 'draw', share: 0.2 },
    ];
    const found = hintedBy({ best }, legal);
    expect(found.map(({ rank, action }) => [rank, action.text])).toEqual([
      [1, 'token a1'],
      [2, 'draw'],
    ]);
  });

  it('keeps its number where another of them may not be done', () => {
    const best = [
      { action: 'pass', share: 0.7 },
      { action: 'draw', share: 0.2 },
    ];
    expect(hintedBy({ best }, legal)).toEqual([{ rank: 2, action: legal[0] }]);
  });

  it('is nothing without a hint', () => expect(hintedBy(null, legal)).toEqual([]));
});

describe('numbers at one place', () => {
  it('stand beside each other, around it', () => {
    const points = [
      { rank: 1, x: 10, y: 5 },
      { rank: 2, x: 40, y: 5 },
      { rank: 3, x: 10, y: 5 },
    ];
    expect(apart(points, 20).map(({ rank, x, y }) => [rank, x, y])).toEqual([
      [1, 0, 5],
      [2, 40, 5],
      [3, 20, 5],
    ]);
  });
});
