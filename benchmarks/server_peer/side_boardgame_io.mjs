// How boardgame.io is played: the lobby over HTTP, then what its own client's transport does over socket.io: `sync` to
// take a seat at a match, `update` with an action and the state's number to move, `update` with the new state to hear.

import { io } from "socket.io-client";
import { post } from "./tools.mjs";

const GAME = "cells";
const SEATS = 4;

/** Four seats that stay together from game to game, a connection each. The table sets onDue, onAcknowledged, onOver, onRefused. */
export class Group {
  constructor(url) {
    this.url = url;
    this.sockets = [];
    this.games = [];
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

  /** Sit down at the next game; the seat that begins, or null when no game is left. */
  async sit() {
    const game = this.games.shift();
    if (!game) return null;
    this.game = game;
    this.states = Array(SEATS).fill(null);
    this.movedAt = Array(SEATS).fill(null); // the state's number that a seat has moved at and not heard of
    const synced = new Promise((resolve) => (this.synced = resolve));
    this.sockets.forEach((socket, seat) => socket.emit("sync", game.match, String(seat), game.credentials[seat], SEATS));
    await synced;
    return Number(this.states[0].ctx.currentPlayer);
  }

  /** Take a free cell, as the seat knows them. */
  move(seat) {
    const { G, _stateID } = this.states[seat];
    const free = G.cells.flatMap((owner, cell) => (owner === null ? [cell] : []));
    const cell = free[Math.floor(Math.random() * free.length)];
    const playerID = String(seat);
    this.movedAt[seat] = _stateID;
    const payload = { type: "take", args: [cell], playerID, credentials: this.game.credentials[seat] };
    this.sockets[seat].emit("update", { type: "MAKE_MOVE", payload }, _stateID, this.game.match, playerID);
  }

  alive() {
    return this.sockets.every((socket) => socket.connected);
  }

  leave() {
    this.sockets.forEach((socket) => socket.close());
  }

  #hear(seat, state) {
    this.states[seat] = state;
    if (this.movedAt[seat] !== null && this.movedAt[seat] < state._stateID) {
      this.movedAt[seat] = null;
      this.onAcknowledged(seat);
    }
    if (state.ctx.gameover) this.onOver(seat);
    else if (state.ctx.currentPlayer === String(seat)) this.onDue(seat);
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
      this.#hear(seat, state);
    });
    socket.on("disconnect", (reason) => reason !== "io client disconnect" && this.onRefused(`seat ${seat}: ${reason}`));
    return new Promise((resolve, reject) => {
      socket.on("connect", () => resolve(socket));
      socket.on("connect_error", reject);
    });
  }
}
