/** Lists of tables. */

import type { TableSummary } from '$protocol/forms';
import { get } from '$lib/api';
import { me } from '$lib/guest.svelte';

export const openTables = (): Promise<TableSummary[]> => get<TableSummary[]>('/api/tables');

export async function myTables(): Promise<TableSummary[]> {
  await me.present();
  return get<TableSummary[]>('/api/tables/mine');
}
