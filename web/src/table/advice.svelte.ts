/** Hints at a table: what a network or a short search would do, on the board and in words; a click lays it as the draft. */

import { announcer } from '$lib/announce.svelte';
import { percent, t } from '$lib/i18n.svelte';
import type { Action, Edition } from '$lib/types';
import type { Hinted, Room } from '../games';
import { joined } from '../replay/steps';
import type { Draft } from './draft.svelte';
import { hintedBy } from './hinted';
import type { Table } from './table.svelte';

/** Where hints are asked for. */
interface Setting {
  table: Table;
  edition: Edition;
  room: Room;
  draft: Draft;
}

/** A hint in words. */
export interface Advised extends Hinted {
  words: string;
  /** As a person reads it. */
  share: string;
  /** 0 to 1. */
  part: number;
  isChosen: boolean;
}

export class Advice {
  #setting: () => Setting;

  constructor(setting: () => Setting) {
    this.#setting = setting;
  }

  /** Whether one may ask now, and there is something to choose. */
  get isOffered(): boolean {
    const { table, draft } = this.#setting();
    return table.hints && table.turn !== null && draft.legal.length > 1;
  }

  get isAsked(): boolean {
    return this.#setting().table.isHintAsked;
  }

  get isShown(): boolean {
    return this.#setting().table.hint !== null;
  }

  /** Whether something is chosen, and said in words elsewhere. */
  get isBrief(): boolean {
    return this.#setting().draft.action !== null;
  }

  get hinted(): Hinted[] {
    const { table, draft } = this.#setting();
    return hintedBy(table.hint, draft.legal);
  }

  /** The best few, in words. */
  get list(): Advised[] {
    const { table, edition, room, draft } = this.#setting();
    const shares = new Map(table.hint?.best.map(({ action, share }) => [action, share]));
    return this.hinted.map(({ rank, action }) => ({
      rank,
      action,
      words: room.words.action(edition, table.facts, action),
      share: percent(shares.get(action.text) ?? 0),
      part: shares.get(action.text) ?? 0,
      isChosen: room.isLaid(draft, action),
    }));
  }

  /** Who says so: the network, a search with its help, or a search alone. */
  get heading(): string {
    return t(`table.hint_by_${this.#setting().table.hint?.by ?? 'network'}`);
  }

  /** The share of the win that is expected; empty where nothing is known. */
  get expected(): string {
    const share = this.#setting().table.hint?.win_share ?? null;
    return share === null ? '' : t('table.hint_win', { share: percent(share) });
  }

  /** Ask, and have it said; or put away what was told. */
  async ask(): Promise<void> {
    const { table } = this.#setting();
    if (table.hint) return table.forgetHint();
    if (table.hints && !this.isOffered) return; // there is nothing to choose; where hints are not given, it is said why
    if (!(await table.askHint())) return;
    const said = this.list.map(({ rank, words, share }) => t('table.hint_one', { rank, words, share }));
    announcer.say(`${this.heading} ${joined([...said, this.expected])}`);
  }

  lay(action: Action): void {
    const { table, room, draft } = this.#setting();
    table.complaint = null;
    room.lay(draft, action);
  }
}
