/** New tables. */

import { post } from '$lib/api';
import { entropy, me } from '$lib/guest.svelte';
import { keepLinks, type MadeTable } from '$lib/links';
import { route } from '$lib/router.svelte';
import type { GameName } from '$lib/types';

export interface TableWish {
  game: GameName;
  seats: string[];
  edition?: string;
  options?: Record<string, boolean>;
  public?: boolean;
  pace?: 'live' | 'days';
  clock?: { total?: number; per_move?: number } | null;
  games?: number;
  title?: string;
}

/** Make a table and go there. */
export async function makeTable(wish: TableWish): Promise<void> {
  await me.present();
  const made = await post<MadeTable>('/api/tables', { ...wish, entropy: entropy() });
  keepLinks(made);
  route.go(`/table/${made.table}`);
}
