import { beforeEach, expect, test } from 'vitest';
import type { GameFacts, Invitation } from '$protocol/forms';
import { speak } from '$lib/i18n.svelte';
import { askedBy, beginner, clockWords, headline, isSeated, points, sitter, span } from '$lib/invitation';

const anna = { name: 'Anna', bot: null, person: true, yours: false };
const nobody = { name: null, bot: null, person: false, yours: false };
const bot = { name: 'master', bot: 'master', person: false, yours: false };
const told: Invitation = {
  kind: 'seat',
  seat: 1,
  host: 'Anna',
  yours: false,
  table: null,
  title: 'cronberg',
  game: 'cronberg',
  edition: 'usual',
  edition_title: null,
  options: {},
  first: null,
  games: 1,
  pace: 'live',
  clock: null,
  status: 'open',
  seats: [anna, nobody, nobody, bot],
};
const games = [
  {
    game: 'cronberg',
    edition: 'usual',
    options: [{ option: 'variant', name: { en: 'the variant', de: 'Variante', fr: 'variante' } }],
    bots: [{ bot: 'master', name: { en: 'Master', de: 'Meister', fr: 'Maître' } }],
  },
] as unknown as GameFacts[];

beforeEach(() => speak('en'));

test('an address names a seat’s token, or a table to watch', () => {
  expect(askedBy('abc-_9')).toEqual({ token: 'abc-_9', table: null, watch: null });
  expect(askedBy('table=t&watch=w')).toEqual({ token: null, table: 't', watch: 'w' });
});

test('who sits there needs no invitation', () => {
  const mine = { ...anna, yours: true };
  const watch = { ...told, kind: 'watch', seat: null } as const;
  expect(isSeated(told)).toBe(false);
  expect(isSeated({ ...told, seats: [mine, nobody] })).toBe(false); // the link is for another seat
  expect(isSeated({ ...told, seats: [anna, mine] })).toBe(true);
  expect(isSeated(watch)).toBe(false);
  expect(isSeated({ ...watch, seats: [anna, mine] })).toBe(true);
});

test('who invites, and to what', async () => {
  expect(headline(told)).toBe('Anna invites you to play');
  expect(headline({ ...told, kind: 'watch', seat: null })).toBe('Anna invites you to watch');
  expect(headline({ ...told, kind: 'move', seat: 0 })).toBe('The seat of Anna, on this device');
  expect(headline({ ...told, host: null })).toBe('You are invited');
  await speak('de');
  expect(headline(told)).toBe('Anna lädt dich zum Spielen ein');
});

test('who sits there, and which seat is meant', () => {
  const who = told.seats.map((_seat, number) => sitter(told, number, games));
  expect(who).toEqual(['Anna', 'Your seat', 'Still open', 'Bot: Master']);
  const brought = { ...told, seats: [{ ...nobody, name: 'Karl' }, nobody] };
  expect(sitter(brought, 0, games)).toBe('Still open'); // of a record: nobody sits there yet
});

test('only what is unusual is said', () => {
  expect(points(told, games)).toEqual(['4 players', 'now', 'no clock']);
  const other: Invitation = {
    ...told,
    pace: 'days',
    clock: { total: null, per_move: 86_400 },
    games: 3,
    edition: 'mine',
    options: { variant: true },
  };
  expect(points(other, games)).toEqual([
    '4 players',
    'over days',
    '1 day a move',
    '3 games in a row',
    'Board: mine',
    'With the variant',
  ]);
});

test('who begins', () => {
  expect(beginner(told)).toContain('by lot');
  expect(beginner({ ...told, first: 0 })).toBe('Anna begins.');
  expect(beginner({ ...told, first: 1 })).toBe('You begin.');
  expect(beginner({ ...told, first: 2 })).toBe('Seat 3 begins.');
  expect(beginner({ ...told, kind: 'watch', seat: null, first: 1 })).toBe('Seat 2 begins.');
});

test('time in whole units', async () => {
  expect([90, 60, 900, 7200, 259_200].map(span)).toEqual([
    '90 seconds',
    '1 minute',
    '15 minutes',
    '2 hours',
    '3 days',
  ]);
  expect(clockWords({ total: 900, per_move: 60 })).toBe('15 minutes each and 1 minute a move');
  await speak('fr');
  expect(clockWords({ total: 3600, per_move: null })).toMatch(/^1\sheure par personne$/);
});
