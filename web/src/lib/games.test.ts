import { expect, test } from 'vitest';
import { GAMES, gameAsked } from '$lib/games';

test('an address that names no game asks for the first', () => {
  expect(gameAsked(undefined)).toBe(GAMES[0]);
  expect(gameAsked(null)).toBe(GAMES[0]);
  expect(gameAsked('')).toBe(GAMES[0]);
});

test('an address that names a game asks for it, and for nothing else', () => {
  for (const game of GAMES) expect(gameAsked(game)).toBe(game);
  expect(gameAsked('chess')).toBeNull();
  expect(gameAsked('Cronberg')).toBeNull();
});
