/** Moves that are only tried: what the server says they would lead to. Nothing of it happens. */

import type { Tried } from '$protocol/forms';
import type { EntryFacts, SeatFacts, TurnMessage } from '$protocol/messages';
import { Refusal } from '$lib/api';
import type { Action, Facts, Preview } from '$lib/types';
import type { Complaint, Stand } from '../table/table.svelte';

/** What hypothetical actions lead to. */
export type Ask = (actions: string[]) => Promise<Tried>;

/** How a vote ends can be supposed: nobody plays cards on a private board. */
const VOTE_ENDS = 'accepted';
const DRAWN = 'drawn ';

export class Trial implements Stand {
  #ask: Ask;
  readonly viewer: number | null;
  readonly seats: SeatFacts[];
  readonly status = 'playing';
  readonly isHotSeat = false;
  told = $state.raw<Tried | null>(null);
  /** What was tried so far, as texts. */
  actions = $state.raw<string[]>([]);
  previews = $state.raw<Record<string, Preview>>({});
  complaint = $state.raw<Complaint | null>(null);
  sending = $state(false);
  /** How many answers there were: tells one turn from another at the same place. */
  number = $state(0);

  constructor(ask: Ask, viewer: number | null, names: readonly string[]) {
    this.#ask = ask;
    this.viewer = viewer;
    this.seats = names.map((name) => ({ name, bot: null, person: true, yours: false, here: true }));
  }

  get facts(): Facts | null {
    return (this.told?.facts as Facts | undefined) ?? null;
  }

  get entries(): EntryFacts[] {
    return (this.told?.entries ?? []).map(({ seat, text }, index) => ({
      number: index + 1,
      seat,
      text,
      at: '',
      by: null,
      stands: true,
    }));
  }

  get results(): Record<number, unknown> {
    return Object.fromEntries((this.told?.entries ?? []).map(({ result }, index) => [index + 1, result]));
  }

  /** What can be supposed besides the legal actions. */
  get suppositions(): string[] {
    return this.told?.suppositions ?? [];
  }

  /** Whoever may act: one plays all seats, one's own before others. */
  get turn(): TurnMessage | null {
    const turns = this.told?.turns ?? [];
    const found = turns.find(({ seat }) => seat === this.viewer) ?? turns[0];
    if (!found || this.suppositions.includes(VOTE_ENDS)) return null;
    return { type: 'turn', seat: found.seat, number: this.number, legal: found.legal };
  }

  name(seat: number): string {
    return this.seats[seat]?.name ?? String(seat + 1);
  }

  begin(): Promise<boolean> {
    return this.#lead([]);
  }

  play(action: Action): Promise<boolean> {
    return this.#lead([...this.actions, action.text]);
  }

  /** Take something as given; another outcome of the same draw replaces the first. */
  suppose(text: string): Promise<boolean> {
    const isAgain = text.startsWith(DRAWN) && this.actions.at(-1)?.startsWith(DRAWN);
    return this.#lead([...(isAgain ? this.actions.slice(0, -1) : this.actions), text]);
  }

  /** A step back: a draw goes with what was supposed of it. */
  back(): Promise<boolean> {
    const by = this.actions.at(-1)?.startsWith(DRAWN) ? 2 : 1;
    return this.#lead(this.actions.slice(0, -by));
  }

  /** Have it told what an action would bring about. */
  async foresee(action: Action): Promise<void> {
    const { number } = this;
    if (action.text in this.previews) return;
    try {
      const before = this.told?.entries.length ?? 0;
      const { entries, facts } = await this.#ask([...this.actions, action.text]);
      const result = entries.slice(before).find((each) => each.result)?.result ?? null;
      const nothing = { scored: [], activated: [], driven: [], final: null };
      const preview = {
        ...nothing,
        tile: null,
        covers: [],
        needs_vote: false,
        blocked: [],
        ...result,
        scores: facts.scores,
      };
      if (number === this.number) this.previews = { ...this.previews, [action.text]: preview as Preview };
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
    }
  }

  async #lead(actions: string[]): Promise<boolean> {
    this.sending = true;
    this.complaint = null;
    try {
      const told = await this.#ask(actions);
      this.number += 1;
      this.told = told;
      this.actions = actions;
      this.previews = this.#foretold(told);
      return true;
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const { code, sentence, rule, places } = error;
      this.complaint = { code, sentence, rule, places };
      return false;
    } finally {
      this.sending = false;
    }
  }

  /** The previews that came along. */
  #foretold(told: Tried): Record<string, Preview> {
    const pairs = told.turns.flatMap(({ legal, previews }) =>
      (previews ?? []).map((preview, index) => [legal[index]!.text, preview] as const),
    );
    return Object.fromEntries(pairs);
  }
}
