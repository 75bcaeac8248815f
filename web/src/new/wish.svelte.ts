/** What somebody wants of a new table, while they choose. */

import type { GameFacts } from '$protocol/forms';
import { t } from '$lib/i18n.svelte';
import type { TableWish } from '$lib/making';
import type { GameName } from '$lib/types';

export const MOST_SEATS = 4;
/** A clock that never runs out. */
export const NO_CLOCK = 'none';
const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const CLOCKS = {
  none: null,
  minute: { per_move: MINUTE },
  quarter: { total: 15 * MINUTE },
  hour: { total: HOUR },
  day: { per_move: DAY },
  three_days: { per_move: 3 * DAY },
} as const;
export type ClockName = keyof typeof CLOCKS;
export type Pace = 'live' | 'days';

/** The clocks that suit a pace. */
export const clocksFor = (pace: Pace): ClockName[] =>
  pace === 'live' ? ['none', 'minute', 'quarter', 'hour'] : ['none', 'day', 'three_days'];

const forAll = <T>(value: (seat: number) => T): T[] =>
  Array.from({ length: MOST_SEATS }, (_each, seat) => value(seat));

export class Wish {
  readonly isDevice: boolean;
  game = $state<GameName>('cronberg');
  players = $state(2);
  /** By seat: `me`, `open`, or a bot. */
  seats = $state<string[]>([]);
  names = $state<string[]>(forAll(() => ''));
  /** Who begins; null: by lot. */
  first = $state<number | null>(null);
  edition = $state<string | null>(null);
  options = $state<Record<string, boolean>>({});
  isPublic = $state(false);
  pace = $state<Pace>('live');
  clock = $state<ClockName>(NO_CLOCK);
  rounds = $state(1);

  constructor(game: GameName, { isDevice = false, isPublic = false } = {}) {
    this.game = game;
    this.isDevice = isDevice;
    this.isPublic = isPublic;
    this.players = isDevice ? 3 : 2;
    this.seats = forAll((seat) => (seat === 0 || isDevice ? 'me' : 'open'));
  }

  /** Another game: boards and options are its own. */
  turnTo(game: GameName): void {
    this.game = game;
    this.edition = null;
    this.options = {};
  }

  /** What a seat is called. At one device all but the first need a name, lest all be called like whose device it is. */
  nameOf(seat: number): string | null {
    const isOther = this.isDevice && this.seats[seat] === 'me' && this.seats.indexOf('me') < seat;
    return this.names[seat]?.trim() || (isOther ? t('home.player', { seat: seat + 1 }) : null);
  }

  /** Who begins, of those that there are: with fewer players a seat may be gone. */
  get begins(): number | null {
    return this.first !== null && this.first < this.players ? this.first : null;
  }

  /** Without what it needs an option can't be chosen. */
  isChosen(facts: GameFacts, option: string): boolean {
    const needs = facts.options.find((each) => each.option === option)?.needs ?? [];
    return Boolean(this.options[option]) && needs.every((each) => this.options[each]);
  }

  /** As the server is asked for it. */
  form(facts: GameFacts): TableWish {
    const chosen = facts.options.filter((each) => this.isChosen(facts, each.option));
    return {
      game: this.game,
      seats: this.seats.slice(0, this.players),
      names: Array.from({ length: this.players }, (_each, seat) => this.nameOf(seat)),
      first: this.begins,
      edition: this.edition ?? facts.edition,
      options: Object.fromEntries(chosen.map((each) => [each.option, true])),
      public: this.isPublic,
      pace: this.pace,
      clock: CLOCKS[this.clock],
      games: this.rounds,
    };
  }
}
