import { expect, test } from 'vitest';
import type { GameFacts } from '$protocol/forms';
import { clocksFor, Wish } from './wish.svelte';

const option = (name: string, needs: string[] = []): unknown => ({ option: name, needs });
const facts = {
  edition: 'usual',
  options: [option('variant'), option('more', ['variant'])],
} as unknown as GameFacts;

test('a table with friends has one seat of mine and open ones', () => {
  const form = new Wish('cronberg').form(facts);
  expect(form.seats).toEqual(['me', 'open']);
  expect(form.names).toEqual([null, null]);
  expect(form).toMatchObject({ game: 'cronberg', edition: 'usual', public: false, clock: null, games: 1 });
});

test('at one device all sit here, and all but the first have names', () => {
  const wish = new Wish('drunter', { isDevice: true });
  wish.names[2] = '  Ulla ';
  const form = wish.form(facts);
  expect(form.seats).toEqual(['me', 'me', 'me']);
  expect(form.names?.[0]).toBeNull();
  expect(form.names?.[1]).toBeTruthy();
  expect(form.names?.[2]).toBe('Ulla');
});

test('an option without what it needs is not asked for', () => {
  const wish = new Wish('drunter');
  wish.options = { more: true };
  expect(wish.form(facts).options).toEqual({});
  wish.options = { more: true, variant: true };
  expect(wish.form(facts).options).toEqual({ more: true, variant: true });
});

test('another game has other boards and options', () => {
  const wish = new Wish('cronberg');
  wish.edition = 'quarters';
  wish.options = { variant: true };
  wish.turnTo('drunter');
  expect(wish.form(facts)).toMatchObject({ game: 'drunter', edition: 'usual', options: {} });
});

test('clocks suit the pace', () => {
  expect(clocksFor('live')).not.toContain('day');
  expect(clocksFor('days')).not.toContain('minute');
});

test('who begins is drawn by lot, or a seat that there is', () => {
  const wish = new Wish('cronberg', { isDevice: true });
  expect(wish.form(facts).first).toBeNull();
  wish.first = 2;
  expect(wish.form(facts).first).toBe(2);
  wish.players = 2;
  expect(wish.form(facts).first).toBeNull();
  wish.players = 3;
  expect(wish.form(facts).first).toBe(2);
});
