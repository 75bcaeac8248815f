/** The table's own entries in words, and what is due at it; the game's are its room's affair. */

import type { EntryFacts } from '$protocol/messages';
import { botName as knownBot } from '$lib/games';
import { listed, t } from '$lib/i18n.svelte';
import type { Edition } from '$lib/types';
import type { Room, Told } from '../games';
import type { Table } from './table.svelte';

const SEAT = /^seat (\d+): (person|bot|open) ?(.*)$/;

/** A line for an entry that is no decision of the game; null for one that nobody needs to read. */
export function tableEntry(entry: EntryFacts, names: string[], botName = knownBot): Told | null {
  const name = entry.seat === null ? '' : (names[entry.seat] ?? '');
  const said = sentence(entry.text, name, names, botName);
  return said === null ? null : { text: said, places: [] };
}

function sentence(
  text: string,
  name: string,
  names: string[],
  botName: (bot: string) => string,
): string | null {
  const seat = SEAT.exec(text);
  if (seat) return seated(Number(seat[1]), seat[2]!, seat[3]!, names, botName);
  const [first] = text.split(' ');
  switch (first) {
    case 'start':
      return t('table.log_start');
    case 'first':
      return t('table.log_first', { name: names[Number(text.split(' ')[1])] ?? '' });
    case 'takeback':
      return t('table.log_takeback');
    case 'resign':
      return t('table.log_resign', { name });
    case 'flag':
      return t('table.log_flag', { name });
    case 'abort':
      return t('table.log_abort');
    case 'close':
      return t('table.log_close');
    case 'over':
      return t('table.over');
    case 'clock':
      return t('table.log_clock');
    default:
      return null; // entropy and the deal are told elsewhere
  }
}

function seated(
  seat: number,
  who: string,
  whom: string,
  names: string[],
  botName: (bot: string) => string,
): string {
  if (who === 'open') return t('table.log_open', { seat: seat + 1 });
  if (who === 'person') return t('table.log_person', { name: whom });
  const [bot, name] = [botName(whom), names[seat] ?? ''];
  return bot === name ? t('table.log_person', { name }) : t('table.log_bot', { bot, name });
}

/** What is to be done now, by whom; empty before the start. */
export function dueNow(table: Table, { words }: Room, edition: Edition, names: string[]): string {
  const { facts, turn } = table;
  if (!facts) return '';
  if (turn) {
    const due = words.due(edition, facts, true, names, turn.seat);
    return table.isHotSeat ? t('table.due_by', { name: table.name(turn.seat), due }) : due;
  }
  if (facts.waiting.length === 1) return words.due(edition, facts, false, names);
  return t('table.waiting_for', { names: listed(facts.waiting.map((seat) => table.name(seat))) });
}
