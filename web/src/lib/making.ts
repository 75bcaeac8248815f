/** New tables. */

import type { MadeTable, NewTable } from '$protocol/forms';
import { post } from '$lib/api';
import { entropy, me } from '$lib/guest.svelte';
import { keepLinks } from '$lib/links';
import { route } from '$lib/router.svelte';

export type TableWish = Omit<NewTable, 'entropy'>;

/** Make a table and go there. */
export async function makeTable(wish: TableWish): Promise<void> {
  await me.present();
  const made = await post<MadeTable>('/api/tables', { ...wish, entropy: entropy() });
  keepLinks(made);
  route.go(`/table/${made.table}`);
}
