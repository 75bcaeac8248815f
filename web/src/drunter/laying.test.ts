import { beforeEach, describe, expect, it } from 'vitest';
import type { TurnMessage } from '$protocol/messages';
import type { Action } from '$lib/types';
import { Draft } from '../table/draft.svelte';
import { isLaid, isOnSheet, lay } from './laying';
import { isFrom } from './spots';

const both: Action = { text: 'vote ja+nee', kind: 'vote', cards: ['ja', 'nee'] };
const yes: Action = { text: 'vote ja', kind: 'vote', cards: ['ja'] };
const saying: Action = { text: 'jeeiin no', kind: 'jeeiin', says: 'no' };
const school: Action = { text: 'choose school', kind: 'choose', objective: 'school' };
const tile: Action = {
  text: 'lay wall A1 B1',
  kind: 'lay',
  tile: 'wall',
  gang: 'A1',
  squares: ['B1'],
  under: [],
};

function draftOf(...legal: Action[]): Draft {
  const draft = new Draft('table');
  draft.follow({ type: 'turn', seat: 0, number: 1, legal } as TurnMessage);
  return draft;
}

beforeEach(() => sessionStorage.clear());

describe('laying an action', () => {
  it('lays cards ready, and no more of them', () => {
    const draft = draftOf(yes, both);
    lay(draft, both);
    expect(draft.picked).toEqual(['ja', 'nee']);
    expect([isLaid(draft, both), isLaid(draft, yes)]).toEqual([true, false]);
    lay(draft, yes);
    expect([isLaid(draft, both), isLaid(draft, yes)]).toEqual([false, true]);
    expect(draft.action).toBeNull();
  });

  it('points at an objective', () => {
    const draft = draftOf(school);
    lay(draft, school);
    expect([draft.picked, isLaid(draft, school)]).toEqual([['school'], true]);
  });

  it('makes a tile the draft, also of another pile than the board is narrowed to', () => {
    const draft = draftOf(tile);
    draft.filter = (action) => isFrom({ kind: 'river', length: 2 }, action);
    lay(draft, tile);
    expect(draft.action).toEqual(tile);
    expect(draft.narrowed).toEqual([tile]);
    expect(isLaid(draft, tile)).toBe(true);
  });
});

it('is on a sheet where cards are voted with', () => {
  expect([[yes], [saying], [tile], [school], []].map(isOnSheet)).toEqual([true, true, false, false, false]);
});
