// How Embertown is played: guests and tables over HTTP, then a WebSocket for each seat of a table (docs/protocol.md).

import { WebSocket } from "ws";
import { post } from "./tools.mjs";

const PROTOCOL = 1;
const SEATS = 4;

/** Four seats that stay together from game to game, a connection each. The table sets onDue, onAcknowledged, onOver, onRefused. */
export class Group {
  constructor(url) {
    this.url = url;
    this.cookies = [];
    this.tables = [];
    this.sockets = [];
    this.sent = 0;
  }

  /** Four guests. */
  async gather() {
    for (let seat = 0; seat < SEATS; seat++) {
      const { cookies } = await this.#post(null, "/api/guests", { name: `Seat ${seat}` });
      this.cookies.push(cookies.map((cookie) => cookie.split(";")[0]).join("; "));
    }
  }

  /** Make a table, and take its seats by their links; with the last one the game begins. */
  async prepare() {
    const seats = ["me", ...Array(SEATS - 1).fill("open")];
    const { body } = await this.#post(0, "/api/tables", { game: "cronberg", seats });
    for (const [seat, token] of Object.entries(body.links)) await this.#post(Number(seat), "/api/claims", { token });
    this.tables.push(body.table);
  }

  /** Sit down at the next game; the seat that begins, or null when no game is left. */
  async sit() {
    const table = this.tables.shift();
    if (!table) return null;
    this.turns = Array(SEATS).fill(null);
    this.asked = Array(SEATS).fill(null); // the id of a seat's message that is not answered yet
    this.isOver = Array(SEATS).fill(false);
    const first = new Promise((resolve) => (this.onFirst = resolve));
    if (this.sockets.length) this.sockets.forEach((socket) => this.#send(socket, { type: "go", id: `g${++this.sent}`, table }));
    else this.sockets = await Promise.all(this.cookies.map((_, seat) => this.#connect(table, seat)));
    const seat = await first;
    this.onFirst = null;
    return seat;
  }

  /** Any legal action, as the server told them. */
  move(seat) {
    const { number, legal } = this.turns[seat];
    const { text } = legal[Math.floor(Math.random() * legal.length)];
    const id = `m${++this.sent}`;
    this.asked[seat] = id;
    this.#send(this.sockets[seat], { type: "play", id, seat, number: number + 1, action: text });
  }

  alive() {
    return this.sockets.every((socket) => socket.readyState === WebSocket.OPEN);
  }

  leave() {
    for (const socket of this.sockets) socket.removeAllListeners("close").close();
  }

  #post(seat, path, body) {
    const headers = { origin: this.url, ...(seat === null ? {} : { cookie: this.cookies[seat] }) };
    return post(this.url + path, body, headers);
  }

  #send(socket, message) {
    socket.send(JSON.stringify(message));
  }

  /** A connection of a seat; it is there once the server has sent the table. */
  #connect(table, seat) {
    const address = `${this.url.replace("http", "ws")}/api/tables/${table}/live`;
    const socket = new WebSocket(address, {
      headers: { cookie: this.cookies[seat] },
      origin: this.url,
      perMessageDeflate: false,
    });
    return new Promise((resolve, reject) => {
      socket.on("open", () => this.#send(socket, { type: "hello", id: `h${++this.sent}`, protocol: PROTOCOL, batch: true }));
      socket.on("message", (data) => {
        const told = JSON.parse(data);
        for (const message of Array.isArray(told) ? told : [told]) {
          if (message.type === "table") resolve(socket);
          this.#hear(seat, message);
        }
      });
      socket.on("error", reject);
      socket.on("close", (code, reason) => this.onRefused(`seat ${seat}: closed, ${code} ${reason}`));
    });
  }

  #hear(seat, message) {
    if (message.type === "turn") this.#hearTurn(seat, message);
    else if (message.type === "answer" && message.id === this.asked[seat]) {
      this.asked[seat] = null;
      this.onAcknowledged(seat);
      this.#endIfOver(seat);
    } else if (message.type === "entries" && message.status === "over") {
      this.isOver[seat] = true;
      this.#endIfOver(seat);
    } else if (message.type === "refusal" || message.type === "bye") {
      this.onRefused(`seat ${seat}: ${message.code}: ${message.sentence}`);
    }
  }

  #hearTurn(seat, message) {
    const isNews = this.turns[seat] === null || this.turns[seat].number < message.number;
    this.turns[seat] = message;
    if (this.onFirst) this.onFirst(seat);
    else if (isNews) this.onDue(seat);
  }

  /** A seat is done when it knows that the game is over and its own last message is answered. */
  #endIfOver(seat) {
    if (this.isOver[seat] && this.asked[seat] === null) this.onOver(seat);
  }
}
