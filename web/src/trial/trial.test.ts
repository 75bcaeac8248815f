import { expect, test } from 'vitest';
import type { Tried } from '$protocol/forms';
import { Refusal } from '$lib/api';
import { Trial } from './trial.svelte';

const action = (text: string) => ({ text, kind: 'draw' }) as never;

/** A server that tells what it was asked. */
function server(more: (actions: string[]) => Partial<Tried> = () => ({})) {
  const asked: string[][] = [];
  const ask = (actions: string[]): Promise<Tried> => {
    asked.push(actions);
    if (actions.includes('wrong')) return Promise.reject(new Refusal('no', 'No.', 'C4.1', ['d4']));
    return Promise.resolve({
      game: 'cronberg',
      viewer: 1,
      at: 7,
      whole: false,
      facts: { scores: [1, 2] } as never,
      entries: actions.map((text) => ({ seat: 0, text, result: null })),
      turns: [
        { seat: 0, legal: [action('draw')] },
        { seat: 1, legal: [action('pass')] },
      ],
      suppositions: [],
      ...more(actions),
    });
  };
  return { asked, ask };
}

test('moves are tried one after the other, and go back one by one', async () => {
  const { asked, ask } = server();
  const trial = new Trial(ask, null, ['Anna', 'Ben']);
  await trial.begin();
  await trial.play(action('token d4'));
  await trial.play(action('draw'));
  await trial.back();
  expect(asked).toEqual([[], ['token d4'], ['token d4', 'draw'], ['token d4']]);
  expect(trial.entries.map((each) => each.text)).toEqual(['token d4']);
});

test('what was supposed of a draw is replaced, and goes back with it', async () => {
  const { asked, ask } = server();
  const trial = new Trial(ask, null, ['Anna', 'Ben']);
  await trial.play(action('draw'));
  await trial.suppose('drawn church');
  await trial.suppose('drawn market');
  await trial.back();
  expect(asked.slice(1)).toEqual([['draw', 'drawn church'], ['draw', 'drawn market'], []]);
});

test('one plays all seats, one’s own first', async () => {
  const spectator = new Trial(server().ask, null, ['Anna', 'Ben']);
  const ben = new Trial(server().ask, 1, ['Anna', 'Ben']);
  await Promise.all([spectator.begin(), ben.begin()]);
  expect([spectator.turn?.seat, ben.turn?.seat]).toEqual([0, 1]);
});

test('two turns at the same place are told apart', async () => {
  const trial = new Trial(server().ask, null, ['Anna', 'Ben']);
  await trial.begin();
  const first = trial.turn!.number;
  await trial.begin();
  expect(trial.turn!.number).not.toBe(first);
});

test('how a vote ends is supposed: nobody plays cards', async () => {
  const { ask } = server(() => ({ suppositions: ['accepted', 'refused'] }));
  const trial = new Trial(ask, 1, ['Anna', 'Ben']);
  await trial.begin();
  expect(trial.turn).toBeNull();
});

test('a refusal changes nothing and is told', async () => {
  const trial = new Trial(server().ask, null, ['Anna', 'Ben']);
  await trial.play(action('draw'));
  expect(await trial.play(action('wrong'))).toBe(false);
  expect(trial.actions).toEqual(['draw']);
  expect(trial.complaint).toEqual({ code: 'no', sentence: 'No.', rule: 'C4.1', places: ['d4'] });
  expect(trial.sending).toBe(false);
});

test('a preview holds what the action itself would bring about', async () => {
  const scored = {
    scored: [{ seat: 0, at: 'd4', numbers: [4], points: 4 }],
    activated: [],
    driven: [],
    final: null,
  };
  const { ask } = server((actions) => ({
    entries: actions.map((text) => ({ seat: 0, text, result: text === 'draw' ? scored : null })),
  }));
  const trial = new Trial(ask, null, ['Anna', 'Ben']);
  await trial.play(action('draw'));
  await trial.foresee(action('token a1'));
  expect(trial.previews['token a1']).toMatchObject({ scored: [], scores: [1, 2] });
});
