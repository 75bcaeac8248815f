import { expect, test } from 'vitest';
import { Player } from './player.svelte';

const steps = [0, 2, 4, 5].map((number) => ({ number, facts: {} as never, entries: [] }));

test('keys walk within the game', () => {
  const player = new Player(steps, null);
  player.key('ArrowLeft');
  expect(player.index).toBe(0);
  player.key('.');
  player.key('ArrowRight');
  expect(player.step.number).toBe(4);
  player.key('End');
  player.key('ArrowRight');
  expect(player.index).toBe(3);
  player.key('Home');
  expect(player.index).toBe(0);
  expect(player.key('x')).toBe(false);
});

test('it begins at the step of an address', () => {
  expect(new Player(steps, 4).index).toBe(2);
});

test('playing stops at the end, by hand, and begins anew from the end', () => {
  const player = new Player(steps, 4);
  player.toggle();
  player.go(3);
  expect(player.isPlaying).toBe(false);
  player.toggle();
  expect([player.index, player.isPlaying]).toEqual([0, true]);
  player.jump(1);
  expect(player.isPlaying).toBe(false);
});
