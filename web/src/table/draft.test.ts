import { beforeEach, expect, test } from 'vitest';
import type { TurnMessage, VoteAction } from '$protocol/messages';
import { Draft } from './draft.svelte';

const legal = (text: string): VoteAction => ({ text, kind: 'vote', cards: [text] });
const turn = (seat: number, number: number, cards = ['ja', 'nee']): TurnMessage => ({
  type: 'turn',
  seat,
  number,
  legal: cards.map(legal),
});
const refreshed = (at: TurnMessage): Draft => {
  const draft = new Draft('table');
  draft.follow(at);
  return draft;
};

beforeEach(() => sessionStorage.clear());

test('cards that lie ready survive a refresh, in the same turn of the same seat', () => {
  refreshed(turn(0, 7)).pick(['ja']);
  expect(refreshed(turn(0, 7)).picked).toEqual(['ja']);
  expect(refreshed(turn(1, 7)).picked).toEqual([]);
  expect(refreshed(turn(0, 7, ['nee'])).picked).toEqual([]);
});

test('others who vote meanwhile change nothing', () => {
  const draft = refreshed(turn(0, 7));
  draft.pick(['ja']);
  draft.follow(turn(0, 8));
  expect(draft.picked).toEqual(['ja']);
  expect(refreshed(turn(0, 9)).picked).toEqual(['ja']);
});

test('what is played or taken back is not kept', () => {
  const draft = refreshed(turn(0, 7));
  draft.pick(['ja']);
  draft.choose(legal('nee'));
  draft.clear();
  expect(draft.picked).toEqual([]);
  expect(refreshed(turn(0, 7)).picked).toEqual([]);
  expect(refreshed(turn(0, 7)).action).toBe(null);
});

test('cards and actions are kept beside each other', () => {
  const draft = refreshed(turn(0, 7));
  draft.choose(legal('nee'));
  draft.pick(['ja']);
  const again = refreshed(turn(0, 7));
  expect([again.action?.text, again.picked]).toEqual(['nee', ['ja']]);
  again.undo();
  expect(refreshed(turn(0, 7)).picked).toEqual(['ja']);
});

test('what is on its way to the server stays as it is', () => {
  const draft = refreshed(turn(0, 7));
  draft.choose(legal('nee'));
  draft.isSent = true;
  draft.undo();
  draft.choose(legal('ja'));
  expect(draft.action?.text).toBe('nee');
  draft.isSent = false;
  draft.undo();
  expect(draft.action).toBe(null);
});

test('cards that are on their way stay as they are, until it is known whether they were played', async () => {
  const draft = refreshed(turn(0, 7));
  draft.pick(['ja']);
  for (const isDone of [false, true]) {
    const left = draft.leave(() => Promise.resolve(isDone));
    void draft.leave(() => expect.unreachable('it is decided once'));
    draft.pick(['nee']);
    expect([draft.isSent, draft.picked]).toEqual([true, ['ja']]);
    await left;
    expect([draft.isSent, draft.picked]).toEqual([false, isDone ? [] : ['ja']]);
  }
});
