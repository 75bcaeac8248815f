// A small client of the live protocol (docs/protocol.md). It knows no rule: it draws facts and offers legal actions.

const PROTOCOL = 1;
const LANGUAGES = ["en", "de", "fr"];
const LONGEST_WAIT = 16000; // milliseconds between attempts to connect
const SVG = "http://www.w3.org/2000/svg";
const $ = (id) => document.getElementById(id);
const language = LANGUAGES.find((each) => navigator.language.startsWith(each)) ?? "en";
const newId = () => crypto.getRandomValues(new Uint32Array(3)).join("-");
const hash = () => new URLSearchParams(location.hash.slice(1));

// ---- requests

async function ask(method, path, body) {
  const headers = { "accept-language": language, ...(body && { "content-type": "application/json" }) };
  const answer = await fetch(`/api${path}`, { method, headers, body: body && JSON.stringify(body) });
  const told = answer.status === 204 ? null : await answer.json();
  if (!answer.ok) throw Object.assign(new Error(told.sentence), { code: told.code });
  return told;
}

let hiding;
function complain(sentence) {
  $("problem").textContent = sentence;
  $("problem").hidden = false;
  clearTimeout(hiding);
  hiding = setTimeout(() => ($("problem").hidden = true), 6000);
}

async function become() {
  await ask("POST", "/guests", { language });
  localStorage.setItem("guest", "yes"); // so that nobody asks for tables that can't be there
}

// ---- the start page

async function home() {
  $("home").hidden = false;
  for (const button of document.querySelectorAll("[data-game]")) {
    button.onclick = () => make(button.dataset.game, button.dataset.seats.split(",")).catch((error) => complain(error.message));
  }
  const mine = localStorage.getItem("guest") ? await ask("GET", "/tables/mine").catch(() => []) : [];
  $("mine").replaceChildren(
    ...mine.map((each) => {
      const line = document.createElement("li");
      const link = document.createElement("a");
      link.href = `/table/${each.id}`;
      link.textContent = `${each.title}: ${each.seats.map((seat) => seat.name ?? "open").join(", ")}`;
      line.append(link, ` (${each.your_turn ? "your turn" : each.status})`);
      return line;
    }),
  );
}

async function make(game, seats) {
  await become();
  const made = await ask("POST", "/tables", { game, seats, entropy: newId() });
  const links = Object.values(made.links).map((token) => ["Link for another player", `${location.origin}/join#${token}`]);
  links.push(["Link for watching", `${location.origin}/table/${made.table}#watch=${made.watch}`]);
  sessionStorage.setItem(`links ${made.table}`, JSON.stringify(links));
  location.assign(`/table/${made.table}`);
}

async function join(token) {
  await become();
  history.replaceState(null, "", "/join"); // the token is used up
  const seat = await ask("POST", "/claims", { token, entropy: newId() });
  location.replace(`/table/${seat.table}`);
}

// ---- the table

const table = { id: "", watch: null, facts: null, seats: [], entries: new Map(), number: 0, turn: null, chosen: null,
  previews: new Map(), drawn: null, told: null, thinking: new Set() };
let socket;
let attempts = 0;

async function sit(id) {
  table.id = id;
  table.watch = hash().get("watch");
  $("table").hidden = false;
  const query = table.watch ? `?watch=${encodeURIComponent(table.watch)}` : "";
  table.drawn = await ask("GET", `/tables/${id}/edition${query}`);
  dress(table.drawn.artwork);
  showLinks();
  connect();
}

function connect() {
  socket = new WebSocket(`${location.origin.replace("http", "ws")}/api/tables/${table.id}/live`);
  socket.onopen = () => {
    $("connection").textContent = "";
    const watch = table.watch ? { watch: table.watch } : {};
    send({ type: "hello", protocol: PROTOCOL, since: table.number, language, ...watch });
  };
  socket.onmessage = (event) => {
    const message = JSON.parse(event.data);
    heard[message.type]?.(message); // what is not known is passed over
  };
  socket.onclose = () => {
    $("connection").textContent = "connecting …";
    setTimeout(connect, Math.min(LONGEST_WAIT, 500 * 2 ** attempts++));
  };
}

function send(message) {
  const id = newId();
  if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify({ id, ...message }));
  return id;
}

const heard = {
  table(message) {
    attempts = 0;
    Object.assign(table, { told: message.table, facts: message.facts, seats: message.seats, status: message.status });
    table.turn = table.chosen = null;
    keep(message);
    contribute(message);
  },
  entries(message) {
    table.facts = { ...table.facts, ...message.changes };
    table.status = message.status;
    if (table.turn && !table.facts.waiting?.includes(table.turn.seat)) table.turn = table.chosen = null;
    keep(message);
  },
  turn(message) {
    table.turn = message;
    table.chosen = null;
    table.previews = new Map(message.legal.map((each, index) => [each.text, message.previews?.[index]]));
    show();
  },
  previews(message) {
    if (table.chosen && message.id === table.chosen.asked) table.previews.set(table.chosen.action.text, message.previews[0]);
    show();
  },
  seats(message) {
    table.seats = message.seats;
    show();
  },
  thinking(message) {
    table.thinking[message.thinking ? "add" : "delete"](message.seat);
    show();
  },
  refusal(message) {
    complain(message.sentence);
    table.chosen = null;
    show();
  },
  bye(message) {
    complain(message.sentence);
  },
};

function keep(message) {
  for (const entry of message.entries) table.entries.set(entry.number, entry);
  table.number = message.number;
  show();
}

// A rematch waits for what its players add to the shuffles; elsewhere it was sent when the seat was taken.
function contribute({ status, seats, fair }) {
  if (status !== "open") return;
  seats.forEach((each, seat) => {
    if (each.yours && fair.entropy[seat] === null) send({ type: "entropy", seat, entropy: newId() });
  });
}

// ---- choosing: the first click shows what would follow, the second one plays

function choose(action) {
  if (table.chosen?.action.text === action.text || action.kind === "draw") return play(action);
  table.chosen = { action };
  if (!table.previews.get(action.text)) {
    table.chosen.asked = send({ type: "preview", seat: table.turn.seat, actions: [action.text] });
  }
  show();
}

function play(action) {
  const { seat, number } = table.turn;
  send({ type: "play", seat, number: number + 1, action: action.text });
  table.turn = table.chosen = null;
  show();
}

const name = (piece) => table.drawn.artwork.names[piece]?.[language] ?? piece;
const who = (seat) => table.seats[seat]?.name ?? `Seat ${seat + 1}`;

function foretold(action) {
  const preview = table.previews.get(action.text);
  if (!preview) return "…";
  const lines = [];
  for (const each of preview.scored ?? []) lines.push(`${who(each.seat)} scores ${each.points} at ${each.at}`);
  for (const each of preview.driven ?? []) lines.push(`${who(each.seat)} is driven away from ${each.at}`);
  if (preview.activated?.length) lines.push(`activated: ${preview.activated.join(", ")}`);
  if (preview.scores) lines.push(`Scores then: ${preview.scores.map((score, seat) => `${who(seat)} ${score}`).join(", ")}`);
  if (preview.covers?.length) lines.push(`covers ${preview.covers.join(", ")}`);
  if (preview.needs_vote) lines.push("needs a vote");
  if (preview.blocked?.length) lines.push(`blocks the gang of ${preview.blocked.join(", ")}`);
  return lines.join("\n") || "nothing more follows";
}

// ---- showing

function show() {
  if (!table.told) return;
  const title = table.drawn.artwork.title[language];
  document.title = `${table.turn ? "● " : ""}${title} – Embertown`;
  $("title").textContent = title;
  $("turn").textContent = headline();
  showSeats();
  showCard();
  showChoices();
  showLog();
  draw();
}

function headline() {
  const { facts, status } = table;
  if (status === "open") return "Waiting for players";
  if (status !== "playing") {
    const winners = facts?.outcome?.winners ?? [];
    return winners.length ? `Over: ${winners.map(who).join(" and ")} won` : "Over";
  }
  if (table.turn) return { placement: `Place the ${name(facts.drawn)}`, voting: "Your vote", jeeiin: "Jeeiin: yes or no?",
    choosing: "Choose your objective" }[facts.phase] ?? "Your turn";
  return `${facts.waiting.map(who).join(", ")} ${table.thinking.size ? "thinks …" : "to act"}`;
}

function element(kind, text, more = {}) {
  return Object.assign(document.createElement(kind), { textContent: text, ...more });
}

function showSeats() {
  $("seats").replaceChildren(
    ...table.seats.map((seat, number) => {
      const line = element("li", "");
      line.classList.toggle("due", Boolean(table.facts?.waiting?.includes(number)));
      line.innerHTML = `<svg viewBox="-16 -16 32 32"><use href="#${table.drawn.artwork.seats[number].symbol}"/></svg>`;
      const left = table.facts?.supply?.[number];
      const supply = left === undefined ? "" : ` · ${left} ${left === 1 ? "token" : "tokens"}`;
      const where = seat.yours ? " (you)" : seat.person && !seat.here ? " (away)" : "";
      line.append(element("span", `${seat.name ?? "open"}${where}${supply}`));
      line.append(element("b", table.facts?.scores?.[number] ?? ""));
      return line;
    }),
  );
}

function showCard() {
  const own = table.seats.findIndex((seat) => seat.yours);
  const cards = table.facts?.objectives?.[own]?.filter(Boolean) ?? [];
  $("card").hidden = cards.length === 0;
  $("card").querySelector("strong").textContent = cards.map(name).join(" or ");
}

$("card").querySelector("button").onclick = (event) => {
  const shown = $("card").querySelector("strong");
  shown.hidden = !shown.hidden;
  event.target.textContent = shown.hidden ? "Show my card" : "Hide my card";
};

function showChoices() {
  const legal = table.turn?.legal ?? [];
  const words = (action) => action.cards?.join(" + ") ?? action.says ?? (action.objective && name(action.objective)) ?? action.text;
  $("choices").replaceChildren(
    ...legal.filter((action) => !spot(action)).map((action) => {
      const button = element("button", words(action), { onclick: () => choose(action) });
      button.dataset.action = action.text;
      return button;
    }),
  );
  $("chosen").hidden = !table.chosen;
  if (table.chosen) $("chosen").querySelector("p").textContent = `${table.chosen.action.text}\n${foretold(table.chosen.action)}`;
}

$("confirm").onclick = () => table.chosen && play(table.chosen.action);
$("cancel").onclick = () => {
  table.chosen = null;
  show();
};

function showLog() {
  const log = $("log");
  const isAtEnd = log.scrollTop + log.clientHeight > log.scrollHeight - 40;
  const lines = [...table.entries.values()].sort((one, other) => one.number - other.number);
  log.replaceChildren(
    ...lines.map((entry) => {
      const by = entry.by ? ` (${entry.by})` : "";
      const line = element("li", `${entry.seat === null ? "" : `${who(entry.seat)}${by}: `}${entry.text}`, { value: entry.number });
      line.classList.toggle("gone", !entry.stands);
      return line;
    }),
  );
  if (isAtEnd) log.scrollTop = log.scrollHeight;
}

function showLinks() {
  const links = JSON.parse(sessionStorage.getItem(`links ${table.id}`) ?? "[]");
  $("links").hidden = links.length === 0;
  $("links").replaceChildren(
    ...links.map(([words, address]) => {
      const line = element("li", "");
      line.append(element("a", words, { href: address }));
      return line;
    }),
  );
}

// ---- drawing

function dress(artwork) {
  const sheet = new CSSStyleSheet(); // the policy forbids styles inside the page
  sheet.replaceSync(artwork.style);
  document.adoptedStyleSheets = [sheet];
  const symbols = document.createElementNS(SVG, "svg");
  symbols.setAttribute("width", 0);
  symbols.setAttribute("height", 0);
  symbols.setAttribute("aria-hidden", "true");
  symbols.innerHTML = `<defs>${artwork.defs}${Object.values(artwork.symbols).join("")}</defs>`;
  document.body.append(symbols);
}

function draw() {
  const { geometry, artwork } = table.drawn;
  const facts = table.facts ?? {};
  const content = geometry.game === "cronberg" ? cronberg(geometry, artwork, facts) : drunter(geometry, artwork, facts);
  const focused = document.activeElement?.dataset?.action;
  $("board").innerHTML = `<svg viewBox="${geometry.view_box.join(" ")}" class="${artwork.classes}" role="group"
    aria-label="The board">${content}${spots()}</svg>`;
  for (const each of $("board").querySelectorAll(".spot")) {
    const action = table.turn.legal[Number(each.dataset.index)];
    each.onclick = () => choose(action);
    each.onkeydown = (event) => {
      if (event.key === "Enter" || event.key === " ") choose(action);
    };
    if (action.text === focused) each.focus();
  }
}

const use = (id, x, y, turn = 0, more = "") =>
  `<use href="#${id}" transform="translate(${x} ${y})${turn ? ` rotate(${turn})` : ""}" ${more}/>`;

function placeOf(geometry, on) {
  return geometry.places.find((each) => each.on[0] === on[0] && each.on[1] === on[1]);
}

function rhomb(geometry, artwork, kind, on, head) {
  const place = placeOf(geometry, on);
  const turned = head !== null && place.corners[2] === head ? 1 : 0;
  return `<g transform="translate(${place.x} ${place.y})">${artwork.rhombi[kind][place.turn][turned]}</g>`;
}

function cronberg(geometry, artwork, facts) {
  const covered = new Set((facts.rhombi ?? []).flatMap((each) => each.on));
  const crossings = Object.fromEntries(geometry.crossings.map((each) => [each.name, each]));
  const parts = [geometry.wall.svg];
  for (const each of geometry.triangles.filter((triangle) => !covered.has(triangle.name))) {
    const turn = each.points_up ? 0 : 180;
    parts.push(use(`cronberg-block-${each.symbol}`, each.x, each.y, turn));
    if (facts.activated?.includes(each.name)) parts.push(use("cronberg-glow", each.x, each.y, turn));
    if (artwork.pictures[each.symbol]) parts.push(use(artwork.pictures[each.symbol], each.x, each.y + (turn ? -3 : 3)));
  }
  for (const each of geometry.crossings) {
    parts.push(use(facts.barred?.includes(each.name) ? "cronberg-barred" : "cronberg-plaza", each.x, each.y));
  }
  for (const each of facts.rhombi ?? []) parts.push(rhomb(geometry, artwork, each.kind, each.on, each.head));
  for (const [at, seat] of Object.entries(facts.tokens ?? {})) {
    parts.push(use(artwork.seats[seat].symbol, crossings[at].x, crossings[at].y));
  }
  const action = table.chosen?.action;
  if (action?.kind === "place") {
    parts.push(`<g class="ghost">${rhomb(geometry, artwork, facts.drawn, action.on, action.head)}</g>`);
  }
  return parts.join("");
}

function drunter(geometry, artwork, facts) {
  const at = Object.fromEntries(geometry.squares.map((each) => [each.name, each]));
  const picture = (piece, square, size = 92) =>
    `<use href="#${artwork.pictures[piece]}" x="${at[square].x - size / 2}" y="${at[square].y - size / 2}" width="${size}" height="${size}"/>`;
  const covered = new Set(facts.covered ?? []);
  const parts = [artwork.meadow];
  for (const each of facts.laid ?? []) parts.push(tile(at, each.kind, each.squares, ""));
  for (const each of geometry.gangs) parts.push(picture(`${each.kind}-start`, each.name));
  for (const each of geometry.buildings.filter((building) => !covered.has(building.at))) {
    const { x, y } = at[each.at];
    parts.push(picture(each.kind, each.at, 84), use("drunter-sign", x + 29, y + 28));
    parts.push(`<text class="number" x="${x + 29}" y="${y + 39}">${each.value}</text>`);
  }
  for (const each of geometry.outhouses.filter((square) => !covered.has(square))) parts.push(picture("outhouse", each, 80));
  for (const square of Object.values(facts.gangs ?? {})) if (square) parts.push(picture("gang", square, 70));
  if (facts.proposal) parts.push(tile(at, facts.proposal.kind, facts.proposal.squares, "asked"));
  const action = table.chosen?.action;
  if (action?.kind === "lay") parts.push(tile(at, action.tile, action.squares, "ghost asked"));
  return parts.join("");
}

function tile(at, kind, squares, more) {
  const xs = squares.map((square) => at[square].x);
  const ys = squares.map((square) => at[square].y);
  const [left, top] = [Math.min(...xs) - 44, Math.min(...ys) - 44];
  return `<rect class="tile ${kind} ${more}" x="${left}" y="${top}" width="${Math.max(...xs) + 44 - left}"
    height="${Math.max(...ys) + 44 - top}" rx="10"/>`;
}

// Where to click for an action; null for those that have no place.
function spot(action) {
  const { geometry } = table.drawn;
  const point = (list, named) => list.find((each) => each.name === named);
  if (action.kind === "token") return { ...point(geometry.crossings, action.crossing), r: 13 };
  if (action.kind === "lay") {
    const last = point(geometry.squares, action.squares.at(-1));
    return { x: last.x, y: last.y, r: 24 };
  }
  if (action.kind !== "place") return null;
  const place = placeOf(geometry, action.on);
  if (action.head === null) return { x: place.x, y: place.y, r: 11 };
  const head = point(geometry.crossings, action.head); // of two ways to lie, the one that points there
  return { x: place.x + (head.x - place.x) * 0.24, y: place.y + (head.y - place.y) * 0.24, r: 9 };
}

function spots() {
  const seen = new Map();
  return (table.turn?.legal ?? []).map((action, index) => {
    const found = spot(action);
    if (!found) return "";
    const key = `${found.x} ${found.y}`;
    const before = seen.get(key) ?? 0; // gangs that meet: beside each other
    seen.set(key, before + 1);
    const taken = table.chosen?.action.text === action.text ? " taken" : "";
    return `<g class="spot${taken}" role="button" tabindex="0" aria-label="${action.text}" data-index="${index}"
      data-action="${action.text}"><circle cx="${found.x + before * found.r * 1.2}" cy="${found.y}" r="${found.r}"/></g>`;
  }).join("");
}

// ---- where are we?

const [, room, id] = location.pathname.split("/");
const going = room === "table" ? sit(id) : room === "join" ? join(location.hash.slice(1)) : home();
going.catch((error) => complain(error.message));
