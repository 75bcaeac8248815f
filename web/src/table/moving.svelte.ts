/**
 * The move that is about to be made on a board, be it the table's or a private one: what it would bring about, how it
 * turns, and that it is done.
 */

import type { Edition, Preview, Spot } from '$lib/types';
import type { Room } from '../games';
import type { Draft } from './draft.svelte';
import type { Stand } from './table.svelte';

/** What a move is made on. */
export interface Setting {
  stand: Stand;
  edition: Edition;
  room: Room;
  names: string[];
  /** Whether it is told what the move would bring. */
  hasHints: boolean;
}

export class Moving {
  readonly draft: Draft;
  #setting: () => Setting;

  constructor(draft: Draft, setting: () => Setting) {
    this.draft = draft;
    this.#setting = setting;
  }

  get preview(): Preview | null {
    const { action } = this.draft;
    return action ? (this.#setting().stand.previews[action.text] ?? null) : null;
  }

  /** What it would bring about, in words. */
  get foretold(): string[] {
    const { stand, edition, room, names, hasHints } = this.#setting();
    return this.preview && hasHints ? room.words.preview(edition, stand.facts, this.preview, names) : [];
  }

  /** Where it would be made: the moves there follow each other. */
  get #spot(): Spot | undefined {
    const { edition, room } = this.#setting();
    const { action, narrowed } = this.draft;
    if (!action) return undefined;
    const spots = room.spots(edition.geometry, narrowed);
    return spots.find((spot) => spot.actions.some((each) => each.text === action.text));
  }

  get canTurn(): boolean {
    return (this.#spot?.actions.length ?? 0) > 1;
  }

  turn(by = 1): void {
    const spot = this.#spot;
    if (spot) this.draft.point(spot, by);
  }

  async confirm(): Promise<void> {
    const { action } = this.draft;
    if (action) await this.draft.leave(() => this.#setting().stand.play(action));
  }
}
