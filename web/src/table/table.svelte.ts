/** A table as the page knows it: what the server told, and what the person is about to do. It knows no rule. */

import type {
  ChatLine,
  ClockFacts,
  EntriesMessage,
  EntryFacts,
  FairFacts,
  HintMessage,
  MutedFacts,
  SeatFacts,
  TableFacts,
  TableMessage,
  TakebackMessage,
  TakebackWish,
  TurnMessage,
} from '$protocol/messages';
import { Refusal } from '$lib/api';
import { entropy } from '$lib/guest.svelte';
import { spoken, t } from '$lib/i18n.svelte';
import { Live, Withdrawn, type Leaving, type LinkState } from '$lib/live';
import type { Action, Facts, Preview, Status, ToClient } from '$lib/types';
import { isTakeback, settled } from './entries';

/** A refusal that is shown until the next decision. */
export interface Complaint {
  code: string;
  sentence: string;
  rule: string | null;
  places: string[];
}

export class Table {
  readonly id: string;
  /** The token of the link for watching by which one came. */
  readonly watch: string | null;
  told = $state.raw<TableFacts | null>(null);
  status = $state<Status>('open');
  facts = $state.raw<Facts | null>(null);
  seats = $state.raw<SeatFacts[]>([]);
  spectators = $state(0);
  entries = $state.raw<EntryFacts[]>([]);
  number = $state(0);
  /** With whose eyes the board is seen; null for a spectator's. */
  viewer = $state<number | null>(null);
  host = $state(false);
  /** By seat: the turns that are told and not over. */
  turns = $state.raw<Record<number, TurnMessage>>({});
  previews = $state.raw<Record<string, Preview>>({});
  thinking = $state.raw<Record<number, string>>({});
  chat = $state.raw<ChatLine[]>([]);
  /** Who wrote here and is not to be heard. */
  muted = $state.raw<MutedFacts[]>([]);
  clocks = $state.raw<ClockFacts[] | null>(null);
  /** When `clocks` were told, by this device's clock. */
  clocksAt = $state(0);
  takeback = $state.raw<TakebackWish | null>(null);
  fair = $state.raw<FairFacts | null>(null);
  next = $state<string | null>(null);
  rematchAsked = $state.raw<number[]>([]);
  link = $state<LinkState>('connecting');
  complaint = $state.raw<Complaint | null>(null);
  /** Something good to know, until it is closed. */
  notice = $state<string | null>(null);
  /** By entry: what it brought about, where the server tells. */
  results = $state.raw<Record<number, unknown>>({});
  /** Whether one is answered who asks for a hint. */
  hints = $state(false);
  /** A hint is on its way. */
  isHintAsked = $state(false);
  #hint = $state.raw<HintMessage | null>(null);
  /** Why there is no coming back. */
  ended = $state<string | null>(null);
  /** A decision is on its way. */
  sending = $state(false);
  /** What waits for the connection, and can still be withdrawn. */
  held = $state.raw<Action | null>(null);
  #parting = new AbortController();
  #live: Live;
  #asked = new Set<string>();

  constructor(
    id: string,
    watch: string | null,
    /** What bots are called. */
    readonly botName: (bot: string) => string,
  ) {
    this.id = id;
    this.watch = watch;
    const scheme = location.protocol === 'https:' ? 'wss' : 'ws';
    this.#live = new Live({
      address: `${scheme}://${location.host}/api/tables/${id}/live`,
      watch,
      language: spoken,
      since: () => this.number,
      heard: (message) => this.hear(message),
      state: (state) => (this.link = state),
    });
  }

  close(): void {
    this.#live.close();
  }

  /** The seats of whoever is connected. */
  get own(): number[] {
    return this.seats.flatMap((seat, number) => (seat.yours ? [number] : []));
  }

  /** The turn that is to be decided now: that of the eyes, or the first. */
  get turn(): TurnMessage | null {
    const mine = this.viewer === null ? undefined : this.turns[this.viewer];
    return mine ?? Object.values(this.turns)[0] ?? null;
  }

  get isOver(): boolean {
    return ['over', 'aborted', 'closed'].includes(this.status);
  }

  /** Several own seats: one device goes round. */
  get isHotSeat(): boolean {
    return this.own.length > 1;
  }

  /** The hint for the turn that is to be decided now. */
  get hint(): HintMessage | null {
    const [hint, turn] = [this.#hint, this.turn];
    return hint?.seat === turn?.seat && hint?.number === turn?.number ? hint : null;
  }

  /** The entries since the person last decided something: what is new to them; for who only watches, the last one. */
  get news(): EntryFacts[] {
    if (!this.own.length) return this.entries.slice(-1);
    const due = this.turn?.seat ?? this.viewer; // at one device: since that one of them decided
    const seats = this.isHotSeat && due !== null ? [due] : this.own;
    const last = this.entries.findLastIndex((entry) => entry.seat !== null && seats.includes(entry.seat));
    return this.entries.slice(last + 1);
  }

  name(seat: number): string {
    const { name, bot, person } = this.seats[seat] ?? { name: null, bot: null, person: true };
    return !person && bot ? this.botName(bot) : (name ?? String(seat + 1));
  }

  // ---- what the server tells

  hear(message: ToClient): void {
    switch (message.type) {
      case 'table':
        return this.#whole(message);
      case 'entries':
        return this.#entries(message);
      case 'turn':
        this.turns = { ...this.turns, [message.seat]: message };
        if (message.previews) this.#preview(message.legal, message.previews);
        return;
      case 'seats':
        this.seats = message.seats;
        this.spectators = message.spectators;
        this.hints = message.hints;
        return;
      case 'thinking':
        return this.#think(message.seat, message.thinking ? message.bot : null);
      case 'chat':
        this.chat = merged(this.chat, message.lines, (line) => line.line);
        this.muted = message.muted ?? this.muted;
        return;
      case 'takeback':
        return this.#wished(message);
      case 'next':
        this.next = message.table ?? this.next;
        this.rematchAsked = message.asked;
        return;
      case 'bye':
        this.ended = message.sentence;
        return;
      default:
        return; // answers go to who asked
    }
  }

  #wished({ seat, number, waiting }: TakebackMessage): void {
    const before = this.takeback;
    this.takeback = seat === null || number === null ? null : { seat, number, waiting };
    // where all agreed, that is told right after it
    if (before && !this.takeback && this.own.includes(before.seat)) this.notice = t('table.takeback_refused');
  }

  #whole(message: TableMessage): void {
    const { table, status, viewer, host, seats, spectators, facts, clocks, takeback, fair, next, hints } =
      message;
    Object.assign(this, {
      told: table,
      status,
      viewer,
      host,
      seats,
      spectators,
      facts,
      takeback,
      fair,
      next,
      hints,
    });
    this.#hint = null; // with other eyes it is another's
    this.turns = {};
    this.previews = {};
    this.thinking = {};
    this.ended = null;
    this.#keepEntries(message.entries, message.number);
    this.#keepResults(message);
    this.#addToShuffles();
    this.#keepClocks(clocks);
  }

  #entries(message: EntriesMessage): void {
    if (message.viewer !== null && message.viewer !== this.viewer) return;
    const isChanged = Object.keys(message.changes).length > 0; // before the start there is nothing to draw
    if (isChanged) this.facts = { ...this.facts, ...message.changes } as Facts;
    this.status = message.status;
    this.previews = {};
    const waiting = this.facts?.waiting ?? [];
    this.turns = Object.fromEntries(
      Object.entries(this.turns).filter(([seat]) => waiting.includes(Number(seat))),
    );
    if (message.fair) this.fair = message.fair;
    this.#keepEntries(message.entries, message.number);
    if (message.entries.some(isTakeback)) {
      this.notice = t('table.log_takeback');
      this.complaint = null; // what was in the way may be so no longer
    }
    this.#keepResults(message);
    if (message.clocks) this.#keepClocks(message.clocks);
  }

  #keepEntries(entries: EntryFacts[], number: number): void {
    this.entries = settled(merged(this.entries, entries, (entry) => entry.number));
    this.number = number;
  }

  /** A rematch, or the next game of a match, begins when every person has added to its shuffles. */
  #addToShuffles(): void {
    if (this.status !== 'open') return;
    for (const seat of this.own) {
      if (this.fair?.entropy[seat] === null) void this.wish({ type: 'entropy', seat, entropy: entropy() });
    }
  }

  #keepResults(message: { type: string; results?: Record<string, unknown> }): void {
    if (message.results) this.results = { ...this.results, ...message.results };
  }

  #keepClocks(clocks: ClockFacts[] | null): void {
    this.clocks = clocks;
    this.clocksAt = Date.now();
  }

  #think(seat: number, bot: string | null): void {
    const others = Object.fromEntries(
      Object.entries(this.thinking).filter(([each]) => Number(each) !== seat),
    );
    this.thinking = bot === null ? others : { ...others, [seat]: bot };
  }

  #preview(actions: readonly { text: string }[], previews: readonly Preview[]): void {
    const told = Object.fromEntries(actions.map((action, index) => [action.text, previews[index]!]));
    this.previews = { ...this.previews, ...told };
  }

  // ---- what the person wants

  /** Decide; whether it was done. A refusal stays as `complaint`. */
  async play(action: Action): Promise<boolean> {
    const turn = this.turn;
    if (!turn || this.sending) return false;
    this.sending = true;
    this.complaint = null;
    this.held = action;
    this.#parting = new AbortController();
    const done = await this.wish(
      { type: 'play', seat: turn.seat, number: turn.number + 1, action: action.text },
      { signal: this.#parting.signal, onsent: () => (this.held = null) },
    );
    this.held = null;
    this.sending = false;
    return done;
  }

  /** Withdraw a decision that waits for the connection: it is not done, and can be thought over. */
  withdraw(): void {
    this.#parting.abort();
  }

  /** Send any wish; a refusal stays as `complaint`. */
  async wish(wish: Parameters<Live['send']>[0], leaving?: Leaving): Promise<boolean> {
    try {
      await this.#live.send(wish, leaving);
      return true;
    } catch (error) {
      if (error instanceof Withdrawn) return false;
      if (!(error instanceof Refusal)) throw error;
      this.#complain(error);
      return false;
    }
  }

  #complain({ code, sentence, rule, places }: Refusal): void {
    this.complaint = { code, sentence, rule, places };
  }

  /** Have it said why a move can't be done: `complaint`, with its rule. Whether there is a rule against it. */
  async whyNot(move: string): Promise<boolean> {
    const turn = this.turn;
    if (!turn || this.link !== 'open') return false;
    try {
      await this.#live.send({ type: 'preview', seat: turn.seat, actions: [move] });
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      if (error.rule) this.#complain(error);
      return error.rule !== null;
    }
    return false;
  }

  /** Ask what would be best here; it appears in `hint`. A refusal stays as `complaint`. */
  async askHint(): Promise<HintMessage | null> {
    const turn = this.turn;
    if (!turn || this.isHintAsked) return null;
    this.isHintAsked = true;
    this.complaint = null;
    try {
      const answer = await this.#live.send({ type: 'hint', seat: turn.seat, number: turn.number });
      if (answer.type === 'hint') this.#hint = answer;
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      // where the turn is over, nobody needs to know any more
      if (turn.seat === this.turn?.seat && turn.number === this.turn.number) this.#complain(error);
    } finally {
      this.isHintAsked = false;
    }
    return this.hint;
  }

  /** Do without the hint. */
  forgetHint(): void {
    this.#hint = null;
  }

  /** Have the consequences of actions told; they appear in `previews`. */
  async foresee(actions: readonly Action[]): Promise<void> {
    const turn = this.turn;
    const wanted = actions.filter((each) => !(each.text in this.previews) && !this.#asked.has(each.text));
    if (!turn || !wanted.length) return;
    for (const each of wanted) this.#asked.add(each.text);
    const texts = wanted.map((each) => each.text);
    try {
      const answer = await this.#live.send({ type: 'preview', seat: turn.seat, actions: texts });
      if (answer.type === 'previews' && answer.number === this.number) this.#preview(wanted, answer.previews);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error; // the turn is over: nobody needs to know any more
    } finally {
      for (const each of texts) this.#asked.delete(each);
    }
  }
}

/** What a game's controls need of a table: a private board and a lesson have it as well. */
export type Stand = Pick<
  Table,
  | 'entries'
  | 'facts'
  | 'isHotSeat'
  | 'name'
  | 'number'
  | 'play'
  | 'previews'
  | 'results'
  | 'seats'
  | 'sending'
  | 'status'
  | 'turn'
  | 'viewer'
>;

/** What is new put over what is known, in the order of their numbers. */
export function merged<T>(known: readonly T[], news: readonly T[], numberOf: (each: T) => number): T[] {
  const all = new Map(known.map((each) => [numberOf(each), each]));
  for (const each of news) all.set(numberOf(each), each);
  return [...all.values()].sort((one, other) => numberOf(one) - numberOf(other));
}
