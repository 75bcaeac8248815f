/** Cronberg's log and bars in words, in three languages. */

import { expect, it } from 'vitest';
import type { CronbergFacts, EntryFacts } from '$protocol/messages';
import { speak } from '$lib/i18n.svelte';
import type { Language } from '$lib/settings.svelte';
import type { Action, Edition } from '$lib/types';
import { words } from './words';

const edition = {
  geometry: {
    kinds: [{ name: 'market', names: { en: 'market', de: 'Markt', fr: 'marché' } }],
    triangles: [
      { name: 'A2', symbol: 'guard' },
      { name: 'B4', symbol: 'park' },
    ],
  },
  artwork: { names: { guard: { en: 'guard' }, park: { en: 'park' } } },
} as unknown as Edition;
const facts = { drawn: 'market' } as CronbergFacts;
const action = { text: '', kind: 'place', on: ['C7', 'D7'], head: null } as Action;
const entry = (number: number, text: string): EntryFacts => ({
  ...{ number, text, seat: 0, at: '', by: null, stands: true },
});
const entries = [
  entry(1, 'drawn church'),
  entry(2, 'place A1+A2'),
  entry(4, 'drawn market'),
  entry(5, 'place C7+D7'),
];

it.each([
  ['en', 'Market on C7+D7', 'Anna places the market on C7+D7', 'Anna places it on C7+D7'],
  ['de', 'Markt auf C7+D7', 'Anna legt auf C7+D7: Markt', 'Anna legt auf C7+D7'],
  ['fr', 'Marché sur C7+D7', 'Anna pose sur C7+D7 : marché', 'Anna le pose sur C7+D7'],
] as [Language, string, string, string][])('in %s', async (language, chosen, told, alone) => {
  await speak(language);
  expect(words.action(edition, facts, action)).toBe(chosen);
  const line = words.entry(edition, entries[3]!, null, ['Anna'], entries);
  expect(line).toMatchObject({ text: told, places: ['C7', 'D7'] });
  expect(words.entry(edition, entries[3]!, null, ['Anna'])?.text).toBe(alone);
});

it('an activated triangle is told with what is on it', async () => {
  await speak('en');
  const preview = { scored: [], activated: ['A2', 'B4'], driven: [], final: null, scores: [0, 0] };
  expect(words.preview(edition, facts, preview, ['Anna'])).toEqual(['Activated: A2 (guard), B4 (park)']);
});
