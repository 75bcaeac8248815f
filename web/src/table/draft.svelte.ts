/**
 * What the person is about to decide: a draft until it is confirmed. It survives a refresh of the page, and steps back.
 * Kept for one turn of one table: when the turn is another, the draft is gone. Turns are told apart by what is legal:
 * while several vote, numbers go on without anything being new to who still thinks.
 */

import type { TurnMessage } from '$protocol/messages';
import type { Action, Spot } from '$lib/types';

const key = (table: string): string => `embertown draft ${table}`;

const legalOf = (turn: TurnMessage): string => turn.legal.map((each) => each.text).join();

/** Pixels. */
const THRESHOLD = 3;

interface Kept {
  seat: number;
  legal: string;
  steps: string[];
  picked?: string[];
}

export class Draft {
  #table: string;
  #turn: TurnMessage | null = null;
  /** The actions chosen one after the other, as texts; the last one counts. */
  steps = $state.raw<string[]>([]);
  legal = $state.raw<Action[]>([]);
  /** Cards that lie ready beside the board; together they may become an action. */
  picked = $state.raw<string[]>([]);
  /** What a game's controls narrow the choice to: a kind of tile, say. */
  filter = $state.raw<((action: Action) => boolean) | null>(null);

  /** It is on its way to the server: without a network that takes a while, and nothing about it changes meanwhile. */
  isSent = $state(false);

  /** A piece from beside the board follows the pointer. */
  isDragged = $state(false);

  constructor(table: string) {
    this.#table = table;
  }

  get action(): Action | null {
    const last = this.steps.at(-1);
    return this.legal.find((each) => each.text === last) ?? null;
  }

  /** The legal actions that the choice is narrowed to. */
  get narrowed(): Action[] {
    return this.filter ? this.legal.filter(this.filter) : this.legal;
  }

  /** A turn was told, or is over. */
  follow(turn: TurnMessage | null): void {
    if (turn && turn.seat === this.#turn?.seat && turn.number === this.#turn.number) return;
    this.#turn = turn;
    this.legal = turn?.legal ?? [];
    this.filter = null;
    const kept = turn && this.#kept(turn); // without a turn the kept one stays: the network may be back soon
    this.steps = kept?.steps ?? [];
    this.picked = kept?.picked ?? [];
  }

  choose(action: Action): void {
    if (this.isSent || this.steps.at(-1) === action.text) return;
    this.steps = [...this.steps, action.text];
    this.#keep();
  }

  /** Lay these cards ready, instead of those before. */
  pick(cards: string[]): void {
    if (this.isSent) return;
    this.picked = cards;
    this.#keep();
  }

  /** Point at a place: its first action, or after that the next one (it turns). */
  point(spot: Spot, by = 1): void {
    const at = spot.actions.findIndex((each) => each.text === this.action?.text);
    const next = at < 0 ? 0 : (at + by + spot.actions.length) % spot.actions.length;
    this.choose(spot.actions[next]!);
  }

  /**
   * A piece beside the board is grasped: it is dragged once the pointer has moved a little. Where pieces lie in a row
   * that scrolls, a finger that goes sideways scrolls it.
   */
  drag(event: PointerEvent): void {
    event.preventDefault(); // else words beside it would be marked
    const { clientX, clientY, currentTarget, pointerType } = event;
    const canScroll =
      pointerType === 'touch' && getComputedStyle(currentTarget as Element).touchAction === 'pan-x';
    const end = (): void => {
      removeEventListener('pointermove', begin);
      removeEventListener('pointerup', end);
      removeEventListener('pointercancel', end);
    };
    const begin = (moved: PointerEvent): void => {
      const [across, along] = [Math.abs(moved.clientX - clientX), Math.abs(moved.clientY - clientY)];
      if (Math.hypot(across, along) < THRESHOLD) return;
      if (canScroll && across > along) return end();
      this.isDragged = true;
      end();
    };
    addEventListener('pointermove', begin);
    addEventListener('pointerup', end);
    addEventListener('pointercancel', end);
  }

  undo(): void {
    if (this.isSent) return;
    this.steps = this.steps.slice(0, -1);
    this.#keep();
  }

  /** Decide, once: until that is done nothing about it changes; then it is a draft no more. */
  async leave(decide: () => Promise<boolean>): Promise<void> {
    if (this.isSent) return;
    this.isSent = true;
    const isDone = await decide().finally(() => (this.isSent = false));
    if (isDone) this.clear();
  }

  clear(): void {
    this.steps = [];
    this.picked = [];
    this.#keep();
  }

  #keep(): void {
    const [turn, { steps, picked }] = [this.#turn, this];
    try {
      if (turn && (steps.length || picked.length)) {
        const kept: Kept = { seat: turn.seat, legal: legalOf(turn), steps, picked };
        sessionStorage.setItem(key(this.#table), JSON.stringify(kept));
      } else sessionStorage.removeItem(key(this.#table));
    } catch {
      // a browser that keeps nothing: the draft lasts as long as the page
    }
  }

  #kept(turn: TurnMessage): Pick<Kept, 'steps' | 'picked'> | null {
    try {
      const kept = JSON.parse(sessionStorage.getItem(key(this.#table)) ?? 'null') as Kept | null;
      if (kept?.seat !== turn.seat || kept.legal !== legalOf(turn)) return null;
      const legal = new Set(turn.legal.map((each) => each.text));
      return { ...kept, steps: kept.steps.filter((step) => legal.has(step)) };
    } catch {
      return null;
    }
  }
}
