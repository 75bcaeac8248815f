/** What waits for the connection, over a network that is there, is gone, and comes back. */

import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Live, Withdrawn, type Wish } from '$lib/live';

interface Sent {
  type: string;
  id: string;
}

/** A socket without a network behind it: the test says when it opens, and what is heard. */
class Socket {
  static readonly OPEN = 1;
  static readonly CONNECTING = 0;
  static all: Socket[] = [];
  readyState = 0;
  sent: Sent[] = [];
  onopen = (): void => undefined;
  onclose = (): void => undefined;
  onmessage: (event: { data: string }) => void = () => undefined;

  constructor() {
    Socket.all.push(this);
  }
  send(text: string): void {
    this.sent.push(JSON.parse(text) as Sent);
  }
  close(): void {
    this.readyState = 3;
    this.onclose();
  }
  open(): void {
    this.arrive();
    this.hear({ type: 'table' });
  }
  /** There is a connection, and no welcome yet. */
  arrive(): void {
    this.readyState = Socket.OPEN;
    this.onopen();
  }
  hear(message: object): void {
    this.onmessage({ data: JSON.stringify(message) });
  }
  get plays(): Sent[] {
    return this.sent.filter(({ type }) => type === 'play');
  }
}

const newest = (): Socket => Socket.all.at(-1)!;
const play: Wish = { type: 'play', seat: 0, number: 8, action: 'token a1' };
let live: Live;

beforeEach(() => {
  Socket.all = [];
  vi.useFakeTimers();
  vi.stubGlobal('WebSocket', Socket);
  live = new Live({
    address: 'ws://here/live',
    watch: null,
    language: () => 'en',
    since: () => 7,
    heard: () => undefined,
    state: () => undefined,
  });
  newest().open();
});

afterEach(() => {
  live.close();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

/** Without a network, then with one again. */
function comeBack(): Socket {
  vi.runOnlyPendingTimers();
  newest().open();
  return newest();
}

test('what has not left can be withdrawn, and never leaves', async () => {
  newest().close();
  const [parting, onsent] = [new AbortController(), vi.fn()];
  const answer = live.send(play, { signal: parting.signal, onsent });
  parting.abort();
  await expect(answer).rejects.toBeInstanceOf(Withdrawn);
  expect(comeBack().plays).toEqual([]);
  expect(onsent).not.toHaveBeenCalled();
});

test('what is not withdrawn leaves once, when the connection is back', async () => {
  newest().close();
  const [parting, onsent] = [new AbortController(), vi.fn()];
  const answer = live.send(play, { signal: parting.signal, onsent });
  expect(onsent).not.toHaveBeenCalled();
  const socket = comeBack();
  expect(onsent).toHaveBeenCalledOnce();
  parting.abort(); // too late
  const [{ id }, ...more] = socket.plays as [Sent, ...Sent[]];
  expect(more).toEqual([]);
  socket.hear({ type: 'answer', id, number: 8 });
  await expect(answer).resolves.toMatchObject({ number: 8 });
});

test('what left before the connection broke is not withdrawn: it may have arrived', async () => {
  const first = newest();
  const parting = new AbortController();
  const answer = live.send(play, { signal: parting.signal });
  expect(first.plays).toHaveLength(1);
  first.close();
  parting.abort();
  const socket = comeBack();
  expect(socket.plays).toEqual(first.plays); // the same id: it is not done twice
  socket.hear({ type: 'answer', id: socket.plays[0]!.id, number: 8 });
  await expect(answer).resolves.toMatchObject({ number: 8 });
});

test('what is wished before the welcome leaves with it, once, and can be withdrawn until then', async () => {
  newest().close();
  vi.runOnlyPendingTimers();
  const socket = newest();
  socket.arrive();
  const parting = new AbortController();
  const withdrawn = live.send(play, { signal: parting.signal });
  void live.send({ ...play, action: 'token b2' } as Wish);
  expect(socket.plays).toEqual([]);
  parting.abort();
  await expect(withdrawn).rejects.toBeInstanceOf(Withdrawn);
  socket.hear({ type: 'table' });
  socket.hear({ type: 'table' }); // with other eyes
  expect(socket.plays).toMatchObject([{ action: 'token b2' }]);
});
