// The load generator, one program for both servers: node load.mjs SETTINGS (JSON; benchmarks/server.py knows them)
//
// A table is four connected seats. The seat to move sends its move when its own connection has learned of the one before:
// at once (thought: 0) or after some seconds. A move counts when the seat that made it and the seat that is next have both
// received it; its time is from sending to the next seat's receipt. Games are made before the clock starts; the next game of a
// table, with new seats for the server to bring up to date, is part of the load.
//
// Results are JSON lines on standard output.

import { each, percentiles, sleep } from "./tools.mjs";

const SIDES = { "boardgame.io": "./side_boardgame_io.mjs", embertown: "./side_embertown.mjs" };
const AT_ONCE = 32; // requests under way while tables are made
const PATIENCE_MS = 60_000; // for one move on each open table

/** What is counted between the warm-up and the end. */
class Count {
  constructor() {
    this.refusals = [];
    this.restart();
  }

  restart() {
    this.began = performance.now();
    this.moves = 0;
    this.turns = 0; // moves after which another seat is next
    this.games = 0;
    this.toOthers = [];
    this.toSelf = [];
  }

  move({ mover, next, sent, seen }) {
    this.moves += 1;
    if (next !== mover) this.turns += 1;
    (next === mover ? this.toSelf : this.toOthers).push(seen - sent);
  }

  results() {
    const seconds = (performance.now() - this.began) / 1000;
    return {
      seconds,
      moves: this.moves,
      turns: this.turns,
      games: this.games,
      moves_per_second: this.moves / seconds,
      turns_per_second: this.turns / seconds,
      next_seat_ms: percentiles(this.toOthers),
      same_seat_ms: percentiles(this.toSelf),
      refusals: this.refusals.length,
      first_refusals: this.refusals.slice(0, 5),
    };
  }
}

/** Four seats that play one game after the other. */
class Table {
  constructor(group, count, thought = 0) {
    this.group = group;
    this.count = count;
    this.thought = thought;
    this.quiet = false; // nobody moves by itself
    this.ranOut = () => {};
    group.onDue = (seat) => this.due(seat);
    group.onAcknowledged = (seat) => this.acknowledged(seat);
    group.onOver = (seat) => this.over(seat);
    group.onRefused = (why) => count.refusals.push(why);
  }

  /** Sit down at the next game. */
  async sit() {
    this.pending = [];
    this.ended = new Set();
    this.first = await this.group.sit();
    if (this.first === null) this.ranOut();
  }

  begin() {
    if (this.first !== null) this.ask(this.first);
  }

  ask(seat) {
    if (this.quiet) return;
    if (this.thought) setTimeout(() => this.quiet || this.send(seat), 1000 * this.thought);
    else this.send(seat);
  }

  send(mover) {
    this.pending.push({ mover, next: null, sent: performance.now(), seen: 0, acknowledged: false });
    this.group.move(mover);
  }

  /** A seat has learned that its own move is made. */
  acknowledged(seat) {
    const move = this.pending.find((each) => each.mover === seat && !each.acknowledged);
    if (!move) return;
    move.acknowledged = true;
    this.settle();
  }

  /** A seat has learned that it is its turn. */
  due(seat) {
    this.see(seat);
    this.ask(seat);
  }

  /** A seat has learned that the game is over. */
  over(seat) {
    const last = this.pending.at(-1);
    if (last && seat === (last.mover + 1) % 4) this.see(seat);
    this.ended.add(seat);
    if (this.ended.size < 4) return;
    this.count.games += 1;
    this.sit().then(
      () => this.begin(),
      (error) => this.count.refusals.push(String(error)),
    );
  }

  see(seat) {
    const move = this.pending.at(-1);
    if (!move || move.seen) return;
    Object.assign(move, { seen: performance.now(), next: seat });
    this.settle();
  }

  settle() {
    this.pending = this.pending.filter((move) => {
      const settled = move.acknowledged && move.seen;
      if (settled) this.count.move(move);
      return !settled;
    });
  }
}

function say(event, more = {}) {
  console.log(JSON.stringify({ event, ...more }));
}

async function gather({ side, url, tables, games }) {
  const { Group } = await import(SIDES[side]);
  const groups = Array.from({ length: tables }, () => new Group(url));
  await each(groups, AT_ONCE, (group) => group.gather());
  for (let game = 0; game < games; game++) await each(groups, AT_ONCE, (group) => group.prepare());
  say("prepared");
  return groups;
}

/** Closed loop, or with a thought before each move: moves in a fixed time, and how long the next seat waits for each. */
async function play(settings) {
  const count = new Count();
  const groups = await gather(settings);
  const tables = groups.map((group) => new Table(group, count, settings.thought));
  const ranOut = new Promise((resolve) => tables.forEach((table) => (table.ranOut = resolve)));
  await each(tables, AT_ONCE, (table) => table.sit());
  for (const table of tables) setTimeout(() => table.begin(), 1000 * Math.random() * settings.thought);
  await Promise.race([sleep(settings.warm_up), ranOut]);
  count.restart();
  say("warm");
  await Promise.race([sleep(settings.seconds), ranOut.then(() => say("ran out of games"))]);
  tables.forEach((table) => (table.quiet = true));
  say("result", count.results());
  groups.forEach((group) => group.leave());
}

/** Tables that are only open for a while; then every one of them still takes a move. */
async function open(settings) {
  const count = new Count();
  const groups = await gather(settings);
  const tables = groups.map((group) => new Table(group, count));
  tables.forEach((table) => (table.quiet = true));
  await each(tables, AT_ONCE, (table) => table.sit());
  say("open");
  await sleep(settings.seconds);
  const alive = groups.filter((group) => group.alive()).length;
  say("after a while");
  count.restart();
  tables.forEach((table) => table.send(table.first));
  const patience = performance.now() + PATIENCE_MS;
  while (count.moves < tables.length && performance.now() < patience) await sleep(0.1);
  say("result", { alive, ...count.results() });
  groups.forEach((group) => group.leave());
}

const settings = JSON.parse(process.argv[2]);
await (settings.mode === "open" ? open : play)(settings);
process.exit(0);
