// The peer: boardgame.io's own server with a small game. It is told a port and, to keep its matches in files, a folder:
//
//     node boardgame_io.cjs 8000            its in-memory storage
//     node boardgame_io.cjs 8000 FOLDER     its FlatFile storage
//
// The game is of Cronberg's size: four seats take a free cell of 54 in turn, and 40 moves are a game. The server checks
// every move; an occupied or unknown cell is refused.
"use strict";

const { Server, FlatFile } = require("boardgame.io/server");
const { INVALID_MOVE } = require("boardgame.io/core");

const SEATS = 4;
const CELLS = 54;
const MOVES = 40;

const cells = {
  name: "cells",
  minPlayers: SEATS,
  maxPlayers: SEATS,
  setup: () => ({ cells: Array(CELLS).fill(null), taken: 0 }),
  turn: { minMoves: 1, maxMoves: 1 },
  moves: {
    take: ({ G, playerID }, cell) => {
      if (!Number.isInteger(cell) || G.cells[cell] !== null) return INVALID_MOVE;
      G.cells[cell] = playerID;
      G.taken += 1;
    },
  },
  endIf: ({ G }) => (G.taken === MOVES ? { taken: G.taken } : undefined),
};

const [port, folder] = process.argv.slice(2);
const server = Server({ games: [cells], origins: [/localhost/], db: folder && new FlatFile({ dir: folder }) });
server.run({ port: Number(port), host: "127.0.0.1" }, () => console.log("ready"));
