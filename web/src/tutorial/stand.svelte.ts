/** Where a newcomer stands in a tutorial: the scene, what may be tapped, how often it was something else. */

import type { Tried } from '$protocol/forms';
import type { EntryFacts, SeatFacts, TurnMessage } from '$protocol/messages';
import { post } from '$lib/api';
import type { Action, Facts, Preview } from '$lib/types';
import { asEntry, type Step } from '../replay/steps';
import type { Stand } from '../table/table.svelte';
import { ownEyes, SEAT, type Scene } from './lesson';

/** After so many taps on something else the right place lights up. */
const TRIES = 2;

export class Lesson implements Stand {
  readonly scenes: readonly Scene[];
  readonly seats: SeatFacts[];
  readonly viewer = SEAT;
  readonly status = 'playing';
  readonly isHotSeat = false;
  #record: unknown;
  #steps: readonly Step[];
  index = $state(0);
  misses = $state(0);
  told = $state.raw<Tried | null>(null);
  sending = $state(false);
  failure = $state<unknown>(undefined);

  constructor(record: unknown, steps: readonly Step[], scenes: readonly Scene[], names: readonly string[]) {
    this.#record = record;
    this.#steps = steps;
    this.scenes = scenes;
    this.seats = names.map((name, seat) => ({
      name,
      bot: null,
      person: true,
      yours: seat === SEAT,
      here: true,
    }));
    void this.#offer();
  }

  get scene(): Scene | null {
    return this.scenes[this.index] ?? null;
  }

  get isOver(): boolean {
    return this.index >= this.scenes.length;
  }

  get number(): number {
    return this.scene?.at ?? this.#steps.at(-1)!.number;
  }

  get facts(): Facts | null {
    return ownEyes(this.#steps.findLast((step) => step.number <= this.number)!.facts);
  }

  get entries(): EntryFacts[] {
    const all = this.#steps.flatMap((step) => step.entries);
    return all.filter((entry) => entry.number <= this.number).map(asEntry);
  }

  get results(): Record<number, unknown> {
    return Object.fromEntries(
      this.#steps.flatMap((step) => step.entries).map((entry) => [entry.number, entry.result]),
    );
  }

  get turn(): TurnMessage | null {
    const turn = this.told?.turns.find(({ seat }) => seat === SEAT);
    return turn ? { type: 'turn', seat: SEAT, number: this.index, legal: turn.legal } : null;
  }

  get previews(): Record<string, Preview> {
    const turn = this.told?.turns.find(({ seat }) => seat === SEAT);
    return Object.fromEntries((turn?.previews ?? []).map((each, index) => [turn!.legal[index]!.text, each]));
  }

  /** What is asked for. */
  get answer(): Action | null {
    return this.turn?.legal.find(({ text }) => text === this.scene?.answer) ?? null;
  }

  /** Whether the newcomer needs to be shown. */
  get isShown(): boolean {
    return this.misses >= TRIES;
  }

  name(seat: number): string {
    return this.seats[seat]?.name ?? String(seat + 1);
  }

  /** Something else was tapped: possible, but not what is asked for. */
  miss(): void {
    this.misses += 1;
  }

  /** Decide; anything but what is asked for is a miss. */
  play(action: Action): Promise<boolean> {
    const isRight = action.text === this.scene?.answer;
    if (isRight) this.go(this.index + 1);
    else this.miss();
    return Promise.resolve(isRight);
  }

  go(index: number): void {
    this.index = Math.min(Math.max(index, 0), this.scenes.length);
    this.misses = 0;
    this.told = null;
    void this.#offer();
  }

  /** Have the legal actions of a scene told. */
  async #offer(): Promise<void> {
    const { index, scene } = this;
    if (scene?.kind !== 'ask') return;
    try {
      const told = await post<Tried>('/api/records/try', { record: this.#record, at: scene.at });
      if (index === this.index) this.told = told;
    } catch (error) {
      this.failure = error;
    }
  }
}
