/** Lists of tables. */

import { get } from '$lib/api';
import { me } from '$lib/guest.svelte';
import type { GameName } from '$lib/types';

export interface TableSummary {
  id: string;
  title: string;
  game: GameName;
  status: string;
  pace: string;
  public: boolean;
  seats: { name: string | null; bot: string | null; person: boolean; yours: boolean }[];
  created: string;
  changed: string;
  your_turn: boolean | null;
}

export const openTables = (): Promise<TableSummary[]> => get<TableSummary[]>('/api/tables');

export async function myTables(): Promise<TableSummary[]> {
  await me.present();
  return get<TableSummary[]>('/api/tables/mine');
}
