/** What can be played here: the games with their editions, options and bots, as the server tells them. */

import type { GameFacts } from '$protocol/forms';
import { get } from '$lib/api';
import { named } from '$lib/i18n.svelte';
import type { GameName } from '$lib/types';

/** The games whose rooms this page has, as addresses name them. */
export const GAMES: readonly GameName[] = ['cronberg', 'drunter'];

/** The game that an address names: the first where it names none, null where there is none of that name. */
export function gameAsked(name: string | null | undefined): GameName | null {
  return name ? (GAMES.find((game) => game === name) ?? null) : GAMES[0]!;
}

let fetched: Promise<GameFacts[]> | null = null;

/** Asked once. */
export function games(): Promise<GameFacts[]> {
  fetched ??= get<GameFacts[]>('/api/games').then(
    (all) => {
      called = botNames(all);
      return all;
    },
    (error: unknown) => {
      fetched = null;
      throw error;
    },
  );
  return fetched;
}

let called = (bot: string): string => bot;

/** What a bot is called, once the games are known; until then its id. */
export const botName = (bot: string): string => called(bot);

/** What bots are called, by their ids. */
export function botNames(all: GameFacts[]): (bot: string) => string {
  const bots = new Map(all.flatMap((each) => each.bots.map((bot) => [bot.bot, bot.name] as const)));
  return (bot) => named(bots.get(bot), bot);
}
