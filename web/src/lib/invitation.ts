/** Links to a table, looked at before they are used, and what they lead to in a few words. */

import type { GameFacts, Invitation, SeatSummary } from '$protocol/forms';
import { ask, get, Refusal } from '$lib/api';
import { botNames } from '$lib/games';
import { count, listed, named, spoken, t } from '$lib/i18n.svelte';

/** What follows the `#` of an address: the token of a link to a seat, or a table and the token for watching it. */
export interface Asked {
  token: string | null;
  table: string | null;
  watch: string | null;
}

export function askedBy(hash: string): Asked {
  const given = new URLSearchParams(hash);
  const table = given.get('table');
  return table === null
    ? { token: hash, table: null, watch: null }
    : { token: null, table, watch: given.get('watch') };
}

/** How it is answered where a table is not open, or its id is none, or empty: by a link, it is the link that is wrong. */
const WRONG = ['no_such_table', 'malformed_request', 'not_found'];

/** What a link leads to; nothing is used up. A one-time token travels in a header, since addresses stand in logs. */
export async function look({ token, table, watch }: Asked): Promise<Invitation> {
  if (table === null)
    return ask('GET', '/api/claims', undefined, { 'embertown-link': encodeURIComponent(token ?? '') });
  const query = watch === null ? '' : `?watch=${encodeURIComponent(watch)}`;
  try {
    return await get(`/api/tables/${encodeURIComponent(table)}/invitation${query}`);
  } catch (error) {
    const isWrong = error instanceof Refusal && WRONG.includes(error.code);
    throw isWrong ? new Refusal('link_unknown', t('home.link_wrong')) : error;
  }
}

const UNITS = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
] as const;

/** Seconds in the largest unit that they are whole numbers of. */
export function span(seconds: number): string {
  const [unit, size] = UNITS.find(([, size]) => seconds % size === 0) ?? UNITS.at(-1)!;
  const style = { style: 'unit', unit, unitDisplay: 'long' } as const;
  return new Intl.NumberFormat(spoken(), style).format(seconds / size);
}

/** How much time there is. */
export function clockWords(clock: Invitation['clock']): string {
  const { total, per_move: move } = clock ?? {};
  const limits = [
    ...(total ? [t('home.each_time', { time: span(total) })] : []),
    ...(move ? [t('home.move_time', { time: span(move) })] : []),
  ];
  return limits.length ? listed(limits) : t('home.no_clock');
}

/** Whether this seat is the one that the link leads to. */
const isFor = (told: Invitation, seat: number): boolean => told.kind !== 'watch' && told.seat === seat;

/** Whether nobody has to be invited: the link brought them to its seat before, or leads to a table at which they play. */
export const isSeated = ({ seat, seats }: Invitation): boolean =>
  seat === null ? seats.some(({ yours }) => yours) : Boolean(seats[seat]?.yours);

/** Who sits at a seat, or would. */
export function sitter(told: Invitation, seat: number, games: GameFacts[]): string {
  const { name, bot, person, yours }: SeatSummary = told.seats[seat]!;
  if (!person && bot !== null) return t('home.bot', { level: botNames(games)(bot) });
  if (yours) return t('home.that_is_you', { name: name ?? '' });
  if (isFor(told, seat)) return t('home.your_seat');
  return person && name !== null ? name : t('home.still_open');
}

/** Who begins. */
export function beginner(told: Invitation): string {
  const { first } = told;
  if (first === null) return t('home.told_begins_lot');
  const { name, bot, person, yours } = told.seats[first]!;
  if (yours || isFor(told, first)) return t('home.told_begins_you');
  if (person && name !== null && bot === null) return t('home.told_begins', { name });
  return t('home.told_begins_seat', { seat: first + 1 });
}

/** Board and variants, where they are not the usual ones. */
function kinds(told: Invitation, facts: GameFacts | undefined): string[] {
  const isUsual = told.edition === facts?.edition;
  const board = named(told.edition_title ?? undefined, told.edition);
  const options = (facts?.options ?? []).filter(({ option }) => told.options[option]);
  return [
    ...(isUsual ? [] : [t('home.board', { name: board })]),
    ...options.map(({ name, option }) => t('home.with_option', { name: named(name, option) })),
  ];
}

/** What is played, and how, in a few words each. */
export function points(told: Invitation, games: GameFacts[]): string[] {
  const facts = games.find(({ game }) => game === told.game);
  return [
    count('home.players_many', told.seats.length),
    told.pace === 'days' ? t('home.over_days') : t('home.at_once'),
    clockWords(told.clock),
    ...(told.games > 1 ? [count('home.games_row', told.games)] : []),
    ...kinds(told, facts),
  ];
}

/** The heading: who invites, and to what. */
export function headline(told: Invitation): string {
  if (told.kind === 'move') return t('home.invited_move', { name: told.seats[told.seat!]?.name ?? '' });
  if (told.host === null) return t('home.invited');
  return t(told.kind === 'watch' ? 'home.invited_watch' : 'home.invited_seat', { name: told.host });
}
