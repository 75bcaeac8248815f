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

/** The link for watching: it says who invites; unless the table is public it needs a token, and is null where that is not known. */
export function watchLink(table: string, isPublic: boolean, watch: string | null = null): Link | null {
  const token = watch ?? kept(table)?.watch ?? null;
  if (!isPublic && token === null) return null;
  const address = `/join#table=${table}${isPublic ? '' : `&watch=${token}`}`;
  return { title: t('table.link_watch'), address: location.origin + address };
}

/** What is known of a table's links, as addresses. */
export function linksOf(table: string, isPublic: boolean, isOpen: (seat: number) => boolean): Link[] {
  const seats = Object.entries(kept(table)?.links ?? {})
    .filter(([seat]) => isOpen(Number(seat)))
    .map(([seat, token]) => ({
      title: t('table.link_seat', { seat: Number(seat) + 1 }),
      address: `${location.origin}/join#${token}`,
    }));
  const watch = watchLink(table, isPublic);
  return watch ? [...seats, watch] : seats;
}
