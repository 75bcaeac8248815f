/**
 * A table's WebSocket: comes back by itself after a break, tells what was missed, and sends again what was not answered
 * (with the same id, so that nothing is done twice).
 */

import { PROTOCOL, type AnswerMessage, type HintMessage, type PreviewsMessage } from '$protocol/messages';
import type { FromClient, ToClient } from '$lib/types';
import { Refusal } from '$lib/api';

export type LinkState = 'connecting' | 'open' | 'broken' | 'ended';
type WithoutId<M> = M extends unknown ? Omit<M, 'id'> : never;
export type Wish = WithoutId<Exclude<FromClient, { type: 'hello' }>>;
type Answer = AnswerMessage | HintMessage | PreviewsMessage | { type: 'pong'; id: string };

const FIRST_WAIT = 300;
const LONGEST_WAIT = 15_000;
const PING_EVERY = 20_000;
const PONG_WITHIN = 8_000;
/** After these there is no coming back. */
const FOR_GOOD = new Set(['no_such_table', 'other_protocol', 'banned', 'guests_only', 'closed_here']);

/** A wish was withdrawn before it left: nothing has happened. */
export class Withdrawn extends Error {}

/** How a wish leaves. */
export interface Leaving {
  /** Withdraws it, for as long as it has not left. */
  signal?: AbortSignal;
  /** It has left: from now on only its answer tells whether it was done. */
  onsent?: () => void;
}

interface Waiting {
  message: object;
  /** Whether it ever went into the network: it may have arrived, whatever became of the connection since. */
  isSent: boolean;
  onsent: (() => void) | undefined;
  resolve: (answer: Answer) => void;
  reject: (reason: Refusal | Withdrawn) => void;
}

export interface LiveOptions {
  address: string;
  watch: string | null;
  language: () => string;
  since: () => number;
  heard: (message: ToClient) => void;
  state: (state: LinkState) => void;
}

export class Live {
  #options: LiveOptions;
  #socket: WebSocket | null = null;
  #waiting = new Map<string, Waiting>();
  #number = 0;
  #attempts = 0;
  /** Whether the connection has not been welcomed yet: `look` also brings a `table`. */
  #isNew = true;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #pinger: ReturnType<typeof setInterval> | undefined;
  #ended = false;
  #prefix = crypto.getRandomValues(new Uint32Array(1))[0]!.toString(36);
  #wake = (): void => this.#hurry();
  #drop = (): void => this.#socket?.close(); // the system says that there is no network

  constructor(options: LiveOptions) {
    this.#options = options;
    addEventListener('online', this.#wake);
    addEventListener('offline', this.#drop);
    document.addEventListener('visibilitychange', this.#wake);
    this.#open();
  }

  /** Send a wish; settled by its answer, or rejected by a refusal. Kept over breaks of the connection. */
  send(wish: Wish, { signal, onsent }: Leaving = {}): Promise<Answer> {
    const id = this.#id();
    return new Promise((resolve, reject) => {
      const waiting: Waiting = { message: { ...wish, id }, isSent: false, onsent, resolve, reject };
      this.#waiting.set(id, waiting);
      this.#transmit(waiting);
      signal?.addEventListener('abort', () => {
        if (waiting.isSent) return;
        this.#waiting.delete(id);
        reject(new Withdrawn());
      });
    });
  }

  close(): void {
    this.#ended = true;
    removeEventListener('online', this.#wake);
    removeEventListener('offline', this.#drop);
    document.removeEventListener('visibilitychange', this.#wake);
    clearTimeout(this.#timer);
    clearInterval(this.#pinger);
    this.#socket?.close();
  }

  #id(): string {
    this.#number += 1;
    return `${this.#prefix}-${this.#number}`;
  }

  #open(): void {
    clearTimeout(this.#timer);
    this.#options.state(this.#attempts ? 'broken' : 'connecting');
    const socket = new WebSocket(this.#options.address);
    this.#socket = socket;
    socket.onopen = () => this.#greet(socket);
    socket.onmessage = (event: MessageEvent<string>) =>
      this.#hear(JSON.parse(event.data) as ToClient | ToClient[]);
    socket.onclose = () => this.#lost(socket);
  }

  #greet(socket: WebSocket): void {
    const { watch, language, since } = this.#options;
    const hello = {
      type: 'hello',
      id: this.#id(),
      protocol: PROTOCOL,
      since: since(),
      language: language(),
      watch,
      batch: true,
    };
    socket.send(JSON.stringify(hello));
    this.#isNew = true;
    clearInterval(this.#pinger);
    this.#pinger = setInterval(() => this.#ping(), PING_EVERY);
  }

  #hear(told: ToClient | ToClient[]): void {
    for (const message of Array.isArray(told) ? told : [told]) {
      if (message.type === 'table') this.#welcome();
      if (message.type === 'bye' && FOR_GOOD.has(message.code)) this.#end();
      this.#settle(message);
      this.#options.heard(message);
    }
  }

  #welcome(): void {
    const isFirst = this.#isNew;
    this.#isNew = false;
    if (isFirst) for (const waiting of this.#waiting.values()) this.#transmit(waiting);
    this.#attempts = 0;
    this.#options.state('open');
  }

  #settle(message: ToClient): void {
    if (!('id' in message) || message.id === null) return;
    const waiting = this.#waiting.get(message.id);
    if (!waiting) return;
    this.#waiting.delete(message.id);
    if (message.type === 'refusal') {
      const { code, sentence, rule, places } = message;
      waiting.reject(new Refusal(code, sentence, rule, places));
    } else waiting.resolve(message as Answer);
  }

  /** What comes before the welcome leaves with it, once: a hint asked for twice would be refused. */
  #transmit(waiting: Waiting): void {
    if (this.#socket?.readyState !== WebSocket.OPEN || this.#isNew) return;
    waiting.isSent = true;
    this.#socket.send(JSON.stringify(waiting.message));
    waiting.onsent?.();
  }

  /** A phone that slept may hold a dead connection that says it is open. */
  #ping(): void {
    const socket = this.#socket;
    const timer = setTimeout(() => socket?.close(), PONG_WITHIN);
    void this.send({ type: 'ping' }).finally(() => clearTimeout(timer));
  }

  #hurry(): void {
    if (this.#ended || document.visibilityState === 'hidden') return;
    if (this.#socket?.readyState === WebSocket.OPEN) this.#ping();
    else if (this.#socket?.readyState !== WebSocket.CONNECTING) this.#open();
  }

  #lost(socket: WebSocket): void {
    if (socket !== this.#socket || this.#ended) return;
    clearInterval(this.#pinger);
    this.#options.state('broken');
    const wait = Math.min(FIRST_WAIT * 2 ** this.#attempts, LONGEST_WAIT);
    this.#attempts += 1;
    this.#timer = setTimeout(() => this.#open(), wait * (0.75 + Math.random() / 2));
  }

  #end(): void {
    this.close();
    this.#options.state('ended');
  }
}
