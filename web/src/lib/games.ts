/** What can be played here: the games with their editions, options and bots, as the server tells them. */

import { get } from '$lib/api';
import type { GameName } from '$lib/types';

export interface GameFacts {
  game: GameName;
  players: [number, number];
  options: string[];
  editions: string[];
  edition: string;
  levels: string[];
  bots: string[];
}

let fetched: Promise<GameFacts[]> | null = null;

/** Asked once. */
export function games(): Promise<GameFacts[]> {
  fetched ??= get<GameFacts[]>('/api/games').catch((error: unknown) => {
    fetched = null;
    throw error;
  });
  return fetched;
}
