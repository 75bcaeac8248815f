/** Cronberg in words: for the log, the headline, previews and screen readers. */

import type { CronbergFacts, CronbergPreview, EntryFacts } from '$protocol/messages';
import { capital, named, signed, t } from '$lib/i18n.svelte';
import type { Action, CronbergGeometry, Edition, Facts } from '$lib/types';
import type { Told, Words } from '../games';
import { finalTotal, total } from './sums';

/** What an entry brought about, as the server tells it. */
type Result = Partial<Omit<CronbergPreview, 'scores'>> | null;

const piece = (edition: Edition, name: string): string => {
  const kind = (edition.geometry as CronbergGeometry).kinds.find((each) => each.name === name);
  return named(kind?.names ?? edition.artwork.names[name], name);
};

/** What is printed on a triangle. */
const symbolOf = (edition: Edition, triangle: string): string => {
  const { triangles } = edition.geometry as CronbergGeometry;
  return piece(edition, triangles.find((each) => each.name === triangle)?.symbol ?? '');
};

function place(edition: Edition, facts: Facts | null, id: string, names: string[]): string {
  if (id.includes('+')) return spotOfRhomb(edition, id);
  return id === id.toLowerCase()
    ? crossing(facts as CronbergFacts | null, id, names)
    : triangle(edition, facts as CronbergFacts | null, id);
}

function spotOfRhomb(edition: Edition, id: string): string {
  const [first, second] = id.split('+').map((name) => symbolOf(edition, name));
  return t('cronberg.spot', { place: id, first: first!, second: second! });
}

function crossing(facts: CronbergFacts | null, id: string, names: string[]): string {
  const seat = facts?.tokens[id];
  const numbers = facts?.numbers[id] ?? [];
  const parts = [t('cronberg.crossing', { place: id })];
  if (seat !== undefined) parts.push(t('cronberg.token_of', { name: names[seat] ?? '' }));
  parts.push(
    numbers.length
      ? t('cronberg.numbers', { numbers: numbers.map(signed).join(', ') })
      : t('cronberg.no_numbers'),
  );
  if (facts?.barred.includes(id)) parts.push(t('cronberg.is_barred'));
  return parts.join(', ');
}

function triangle(edition: Edition, facts: CronbergFacts | null, id: string): string {
  const rhomb = facts?.rhombi.find((each) => each.on.includes(id));
  if (rhomb) return t('cronberg.covered', { place: id, rhomb: piece(edition, rhomb.kind) });
  const key = facts?.activated.includes(id) ? 'cronberg.free_active' : 'cronberg.free';
  return t(key, { place: id, symbol: symbolOf(edition, id) });
}

function action(edition: Edition, facts: Facts | null, chosen: Action): string {
  const drawn = (facts as CronbergFacts | null)?.drawn;
  switch (chosen.kind) {
    case 'token':
      return t('cronberg.token_on', { place: chosen.crossing });
    case 'place': {
      const rhomb = drawn ? capital(piece(edition, drawn)) : '';
      const where = { rhomb, place: chosen.on.join('+'), head: chosen.head ?? '' };
      return chosen.head === null ? t('cronberg.place_on', where) : t('cronberg.place_turned', where);
    }
    case 'draw':
    case 'pass':
      return t(`cronberg.${chosen.kind}`);
    default:
      return chosen.text;
  }
}

/** Scorings, guards and activations, each in a line with its rule. */
function items(edition: Edition, result: Result, names: string[]): NonNullable<Told['items']> {
  const who = (seat: number): string => names[seat] ?? '';
  const scored = (result?.scored ?? []).map((each) => ({
    text: t('cronberg.scored', {
      name: who(each.seat),
      place: each.at,
      sum: total(each.numbers, each.points),
    }),
    rule: 'C6.1',
    places: [each.at],
  }));
  const driven = (result?.driven ?? []).map((each) => ({
    text: t('cronberg.driven', { name: who(each.seat), place: each.at }),
    rule: 'C7.2',
    places: [each.at],
  }));
  const active = result?.activated ?? [];
  const shutIn = active.map((name) => `${name} (${symbolOf(edition, name)})`).join(', ');
  const activated = active.length
    ? [{ text: t('cronberg.activated', { places: shutIn }), rule: 'C7.1', places: [...active] }]
    : [];
  const final = (result?.final ?? []).map((each) => ({
    text: t('cronberg.scored', {
      name: who(each.seat),
      place: each.at,
      sum: finalTotal(each.numbers, each.coat, each.parks, each.points),
    }),
    rule: 'C8.2',
    places: [each.at],
  }));
  return [...scored, ...activated, ...driven, ...final];
}

const DRAWN = 'drawn ';

/** The rhomb that an entry places: what was drawn last before it; null where that is not known. */
function placedBy(told: EntryFacts, entries: readonly EntryFacts[]): string | null {
  const drawn = entries.findLast((each) => each.number < told.number && each.text.startsWith(DRAWN));
  return drawn?.text.slice(DRAWN.length) ?? null;
}

function placement(edition: Edition, place: string, name: string, rhomb: string | null): string {
  if (rhomb === null) return t('cronberg.log_place_it', { name, place });
  return t('cronberg.log_place', { name, place, rhomb: piece(edition, rhomb) });
}

function entry(
  edition: Edition,
  told: EntryFacts,
  result: unknown,
  names: string[],
  entries: readonly EntryFacts[] = [],
): Told | null {
  const [verb, rest = ''] = told.text.split(/ (.*)/);
  const name = told.seat === null ? '' : (names[told.seat] ?? '');
  const more = items(edition, result as Result, names);
  switch (verb) {
    case 'token':
      return { text: t('cronberg.log_token', { name, place: rest }), places: [rest], items: more };
    case 'draw':
      return { text: t('cronberg.log_draw', { name }), places: [] };
    case 'drawn':
      return { text: t('cronberg.log_drawn', { rhomb: piece(edition, rest) }), places: [] };
    case 'place': {
      const on = rest.split(' ')[0]!;
      const text = placement(edition, on, name, placedBy(told, entries));
      return { text, places: on.split('+'), items: more };
    }
    case 'pass':
      return { text: t('cronberg.log_pass', { name }), places: [] };
    default:
      return null;
  }
}

export const words: Words = {
  place,
  action,
  preview: (edition, _facts, preview, names) =>
    items(edition, preview as CronbergPreview, names).map((each) => each.text),
  entry,
  again: () => t('table.turn'),
  due: (edition, facts, isYours, names) => {
    const { phase, drawn, seat } = facts as CronbergFacts;
    const name = seat === null ? '' : (names[seat] ?? '');
    if (phase === 'placement' && drawn) {
      const rhomb = piece(edition, drawn);
      return isYours ? t('cronberg.due_place', { rhomb }) : t('cronberg.due_place_other', { rhomb, name });
    }
    return isYours ? t('cronberg.due_choice') : t('cronberg.due_choice_other', { name });
  },
};
