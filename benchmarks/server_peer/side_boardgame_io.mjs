// How boardgame.io is played: the lobby over HTTP, then what its own client's transport does over socket.io: `sync` to
// take a seat at a match, `update` with an action and the state's number to move, `update` with the new state to hear.

import { io } from "socket.io-client";
import { post } from "./tools.mjs";

const GAME = "cells";
const SEATS = 4;

/** Seats that stay together from game to game, a connection each. */
export class Group {
  constructor(url) {
    this.url = url;
    this.sockets = [];
    this.games = [];
    this.heard = () => {};
    this.refused = () => {};
  }

  async gather() {
    this.sockets = await Promise.all(Array.from({ length: SEATS }, (_, seat) => this.#connect(seat)));
  }

  /** Make a match in the lobby and join it with every seat. */
  async prepare() {
    const { body } = await post(`${this.url}/games/${GAME}/create`, { numPlayers: SEATS });
    const match = body.matchID;
    const credentials = [];
    for (let seat = 0; seat < SEATS; seat++) {
      const joined = await post(`${this.url}/games/${GAME}/${match}/join`, {
        playerID: String(seat),
        playerName: `seat ${seat}`,
      });
      credentials.push(joined.body.playerCredentials);
    }
    this.games.push({ match, credentials });
  }

  /** Sit down at the next game; false when there is none. */
  async sit() {
    const game = this.games.shift();
    if (!game) return false;
    this.game = game;
    this.states = Array(SEATS).fill(null);
    const synced = new Promise((resolve) => (this.synced = resolve));
    this.sockets.forEach((socket, seat) => socket.emit("sync", game.match, String(seat), game.credentials[seat], SEATS));
    await synced;
    return true;
  }

  /** The number of the state that a seat knows, and who is next. */
  known(seat) {
    const { _stateID, ctx } = this.states[seat];
    return { number: _stateID, next: ctx.gameover ? null : Number(ctx.currentPlayer) };
  }

  /** Take a free cell, as the seat knows them. */
  move(seat) {
    const { G, _stateID } = this.states[seat];
    const free = G.cells.flatMap((owner, cell) => (owner === null ? [cell] : []));
    const cell = free[Math.floor(Math.random() * free.length)];
    const playerID = String(seat);
    const payload = { type: "take", args: [cell], playerID, credentials: this.game.credentials[seat] };
    this.sockets[seat].emit("update", { type: "MAKE_MOVE", payload }, _stateID, this.game.match, playerID);
  }

  alive() {
    return this.sockets.every((socket) => socket.connected);
  }

  leave() {
    this.sockets.forEach((socket) => socket.close());
  }

  #connect(seat) {
    const socket = io(`${this.url}/${GAME}`, { forceNew: true, transports: ["websocket"], reconnection: false });
    socket.on("sync", (match, { state }) => {
      if (match !== this.game?.match) return;
      this.states[seat] = state;
      if (this.states.every(Boolean)) this.synced();
    });
    socket.on("update", (match, state) => {
      if (match !== this.game?.match) return;
      this.states[seat] = state;
      this.heard(seat);
    });
    socket.on("disconnect", (reason) => reason !== "io client disconnect" && this.refused(`seat ${seat}: ${reason}`));
    return new Promise((resolve, reject) => {
      socket.on("connect", () => resolve(socket));
      socket.on("connect_error", reject);
    });
  }
}
