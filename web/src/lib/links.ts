/** Links to the seats of a table that was made here: the server tells them once, so this device keeps them. */

import type { MadeTable } from '$protocol/forms';
import { t } from '$lib/i18n.svelte';
import type { Link } from '$parts/Links.svelte';

const key = (table: string): string => `embertown links ${table}`;

export function keepLinks(made: MadeTable): void {
  try {
    localStorage.setItem(key(made.table), JSON.stringify(made));
  } catch {
    // nothing is kept: fresh links can be made at the table
  }
}

function kept(table: string): MadeTable | null {
  try {
    return JSON.parse(localStorage.getItem(key(table)) ?? 'null') as MadeTable | null;
  } catch {
    return null;
  }
}

/** What is known of a table's links, as addresses. */
export function linksOf(table: string, isOpen: (seat: number) => boolean): Link[] {
  const made = kept(table);
  if (!made) return [];
  const seats = Object.entries(made.links)
    .filter(([seat]) => isOpen(Number(seat)))
    .map(([seat, token]) => ({
      title: t('table.link_seat', { seat: Number(seat) + 1 }),
      address: `${location.origin}/join#${token}`,
    }));
  if (!made.watch) return seats;
  const watch = {
    title: t('table.link_watch'),
    address: `${location.origin}/table/${table}#watch=${made.watch}`,
  };
  return [...seats, watch];
}
