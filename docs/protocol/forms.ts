// Made from the server's forms by tools/protocol.py.

import type {
  ChooseAction,
  CronbergChanges,
  CronbergFacts,
  CronbergPreview,
  CronbergResult,
  DrunterChanges,
  DrunterFacts,
  DrunterPreview,
  DrunterTileResult,
  DrunterVoteResult,
  EntryFacts,
  FairFacts,
  JeeiinAction,
  LayAction,
  OutcomeFacts,
  PlaceAction,
  PlainAction,
  SeatFacts,
  TableFacts,
  TokenAction,
  VoteAction,
} from "./messages";

/** A bot. */
export interface BotFacts {
  /** As a new table's `seats` name it. */
  bot: string;
  name: InLanguages;
  /** How it plays, in a sentence; null where nobody has told. */
  words: InLanguages | null;
}

/** A building. */
export interface BuildingShape {
  /** Its square. */
  at: string;
  kind: string;
  value: number;
}

/** Use a one-time link. */
export interface Claim {
  token: string;
  entropy?: string | null;
}

/** Seconds; at least one of them. */
export interface ClockWish {
  total?: number | null;
  per_move?: number | null;
}

/** What drawings of Cronberg refer to. */
export interface CronbergArtwork {
  /** Its id. */
  theme: string;
  /** All that ship with the game. */
  themes: string[];
  /** Of the element that holds the drawing. */
  classes: string;
  /** Before the names of classes and variables in the style sheet. */
  prefix: string;
  title: NamedInLanguages;
  subtitle: NamedInLanguages;
  /** What pieces, places and cards are called. */
  names: Record<string, InLanguages>;
  /** By piece: the id of its symbol. */
  pictures: Record<string, string>;
  /** Colours. */
  day: Record<string, string>;
  /** Colours. */
  night: Record<string, string>;
  /** By seat. */
  seats: SeatArt[];
  /** The style sheet. */
  style: string;
  /** By id: SVG. */
  symbols: Record<string, string>;
  /** Patterns and the like: SVG. */
  defs: string;
  game: "cronberg";
  /** By kind and degrees of its place: SVG with the head at the first corner, and turned. */
  rhombi: Record<string, Record<string, string[]>>;
}

/** The empty board of Cronberg: the town's middle is (0, 0), x to the right, y down. */
export interface CronbergGeometry {
  game: "cronberg";
  /** Its id. */
  edition: string;
  /** A hash over what play depends on. */
  edition_sha256: string;
  title: NamedInLanguages;
  /** Left, top, width and height, in the units of the drawing. */
  view_box: number[];
  /** The side of a triangle or a square, in the units of the drawing. */
  unit: number;
  /** Of each player. */
  tokens: number;
  crossings: PlacePoint[];
  triangles: TriangleShape[];
  places: PlaceShape[];
  /** Letters at the left of the strips. */
  strips: PlacePoint[];
  wall: WallShape;
  /** Of rhombi. */
  kinds: RhombShape[];
}

/** What drawings of Drunter & Drüber refer to. */
export interface DrunterArtwork {
  /** Its id. */
  theme: string;
  /** All that ship with the game. */
  themes: string[];
  /** Of the element that holds the drawing. */
  classes: string;
  /** Before the names of classes and variables in the style sheet. */
  prefix: string;
  title: NamedInLanguages;
  subtitle: NamedInLanguages;
  /** What pieces, places and cards are called. */
  names: Record<string, InLanguages>;
  /** By piece: the id of its symbol. */
  pictures: Record<string, string>;
  /** Colours. */
  day: Record<string, string>;
  /** Colours. */
  night: Record<string, string>;
  /** By seat. */
  seats: SeatArt[];
  /** The style sheet. */
  style: string;
  /** By id: SVG. */
  symbols: Record<string, string>;
  /** Patterns and the like: SVG. */
  defs: string;
  game: "drunter";
  /** By kind of tile: how its path is drawn. */
  paths: Record<string, string>;
  /** The ground: SVG. */
  meadow: string;
}

/** The empty board of Drunter & Drüber: the upper left corner is (0, 0), x to the right, y down. */
export interface DrunterGeometry {
  game: "drunter";
  /** Its id. */
  edition: string;
  /** A hash over what play depends on. */
  edition_sha256: string;
  title: NamedInLanguages;
  /** Left, top, width and height, in the units of the drawing. */
  view_box: number[];
  /** The side of a triangle or a square, in the units of the drawing. */
  unit: number;
  /** In squares. */
  width: number;
  /** In squares. */
  height: number;
  /** With their middles. */
  squares: PlacePoint[];
  buildings: BuildingShape[];
  /** Squares. */
  outhouses: string[];
  gangs: GangShape[];
  /** By kind: how many of length 1, 2 and 3 there are. */
  tiles: Record<string, number[]>;
  /** The length of tiles that are bridges. */
  bridge: number;
  /** A seat's vote cards at the beginning. */
  cards: VoteCardShape[];
  /** All there are. */
  objectives: string[];
}

/** An edition as it is drawn: to be had again only where `edition_sha256` or the theme is another. */
export interface EditionDrawing {
  /** The empty board. */
  geometry: CronbergGeometry | DrunterGeometry;
  /** Symbols, colours and names. */
  artwork: CronbergArtwork | DrunterArtwork;
  /** A hash over what play depends on. */
  edition_sha256: string;
}

/** An edition that comes along. */
export interface EditionFacts {
  /** Its id, as a new table's `edition` names it. */
  edition: string;
  title: InLanguages;
  /** A hash over what play depends on. */
  edition_sha256: string;
}

/** A subscription that is not wanted any more. */
export interface Endpoint {
  endpoint: string;
}

/** A game, with all that can be chosen. */
export interface GameFacts {
  /** As a new table's `game` names it. */
  game: string;
  name: InLanguages;
  /** What it is about, in a sentence. */
  words: InLanguages;
  /** From how many to how many. */
  players: number[];
  /** Whether seats know different things. */
  has_secrets: boolean;
  /** Whether the scores of a match go on from game to game. */
  carries_scores: boolean;
  options: OptionFacts[];
  editions: EditionFacts[];
  /** The one that is played where none is asked for. */
  edition: string;
  themes: ThemeFacts[];
  /** The one that is drawn where none is asked for. */
  theme: string;
  /** Bots for people to play against, the weakest first. */
  levels: BotFacts[];
  /** All bots, the levels too. */
  bots: BotFacts[];
  /** In which everything is told. */
  languages: string[];
}

/** A gang, by the corner that it starts from. */
export interface GangShape {
  /** The corner. */
  name: string;
  kind: "wall" | "road" | "river";
}

/** A guest, as told to itself alone. */
export interface GuestFacts {
  name: string;
  language: string;
  /** The recovery code: shown once, when it is made. */
  recovery?: string | null;
}

/** A text in every language. */
export interface InLanguages {
  en: string;
  de: string;
  fr: string;
}

/** What a link leads to, told before it is used. */
export interface Invitation {
  /** To an open seat; to a seat whose player wants it on another device; or for watching. */
  kind: "seat" | "move" | "watch";
  /** The seat that it leads to; null for watching. */
  seat: number | null;
  /** Who made the table; null where nobody of this server did. */
  host: string | null;
  /** Whether the one who asks made the table. */
  yours: boolean;
  /** Its id, where the one who asks may go there without using the link. */
  table: string | null;
  title: string;
  game: "cronberg" | "drunter";
  /** Its id. */
  edition: string;
  /** What it is called; null where it has no name. */
  edition_title: InLanguages | null;
  /** Variants of the rules. */
  options: Record<string, boolean>;
  /** The seat that begins, where that is settled; null: by lot. */
  first: number | null;
  /** Of the match; 1 for a single game. */
  games: number;
  pace: "live" | "days";
  /** In seconds: `total` and `per_move`; null for none. */
  clock: Record<string, number | null> | null;
  /** Waits for players; is played; over; ended without a winner; closed by the host of the server. */
  status: "open" | "playing" | "over" | "aborted" | "closed";
  /** By seat: who sits there already. */
  seats: SeatSummary[];
}

/** A fresh link to a seat; older unused ones open nothing any more. */
export interface LinkToken {
  seat: number;
  token: string;
}

/** A new table and its links; they are shown once. */
export interface MadeTable {
  table: string;
  /** By open seat: the token of its one-time link. */
  links: Record<string, string>;
  /** The token of the link for watching; null where everybody may. */
  watch: string | null;
}

/** A name in every language; null where there is none. */
export interface NamedInLanguages {
  en: string | null;
  de: string | null;
  fr: string | null;
}

/** Who comes. */
export interface NewGuest {
  /** Made up where none is given. */
  name?: string | null;
  /** Where none is given, what the browser asks for. */
  language?: string | null;
}

/** What a table shall be. */
export interface NewTable {
  game: "cronberg" | "drunter";
  /** The id of a shipped edition, or a whole edition; the game's own where none is given. */
  edition?: string | Record<string, unknown> | null;
  options?: Record<string, boolean>;
  /** By seat: `me`, `open`, or the name of a bot. Several seats of `me` play at one device. */
  seats: string[];
  /** By seat: what people at one device are called, at seats of `me`; null for the guest's own name. */
  names?: (string | null)[];
  /** The seat that begins, as the host says (C2.3, D2.4); null: by lot, with the table's shuffles. */
  first?: number | null;
  public?: boolean;
  pace?: "live" | "days";
  clock?: ClockWish | null;
  /** More than 1 makes a match. */
  games?: number;
  /** Whether it begins by itself when the last seat is taken. */
  autostart?: boolean;
  title?: string;
  /** What the maker adds to the shuffles. */
  entropy?: string | null;
}

/** A token for a program that plays. */
export interface NewToken {
  label: string;
}

/** A variant of a game's rules. */
export interface OptionFacts {
  /** As a new table's `options` name it. */
  option: string;
  name: InLanguages;
  /** What it changes, in a sentence. */
  words: InLanguages;
  /** Options without which it can't be chosen. */
  needs: string[];
}

/** A named point of the drawing. */
export interface PlacePoint {
  name: string;
  x: number;
  y: number;
}

/** Where a rhomb may lie. */
export interface PlaceShape {
  /** Two triangles. */
  on: string[];
  x: number;
  y: number;
  /** Degrees: the key into `rhombi` of the artwork. */
  turn: number;
  /** Four crossings, from the first sharp corner on; a head that is the third turns the rhomb. */
  corners: string[];
}

/** What a browser subscribes with. */
export interface PushKey {
  key: string;
}

/** A browser's subscription to Web Push. */
export interface PushSubscription {
  endpoint: string;
  p256dh: string;
  auth: string;
}

/** A picture of a record's game. */
export interface RecordPictureWish {
  /** The record. */
  record: Record<string, unknown>;
  /** After which entry of its replay; null: at its end. */
  at?: number | null;
  /** The game's own where none is given. */
  theme?: string | null;
  /** By night. */
  night?: boolean;
  language?: string;
}

/** A record's game, step by step, checked by the rules; with all that is needed to draw it. */
export interface RecordReplay {
  /** `cronberg` or `drunter`. */
  game: string;
  /** The id of a shipped edition, or the whole edition. */
  edition: string | Record<string, unknown>;
  /** A hash over what play depends on. */
  edition_sha256: string;
  /** Variants of the rules. */
  options: Record<string, boolean>;
  players: number;
  /** Before the first entry; null where the game has not begun then. */
  facts: CronbergFacts | DrunterFacts | null;
  entries: ReplayEntry[];
  /** Null where the game is not over. */
  outcome: OutcomeFacts | null;
  /** Whether facts hold all secrets, as they are revealed. */
  whole: boolean;
  /** By seat. */
  seats: ReplaySeat[];
  /** Which game of which match, if the record says so. */
  match: Record<string, unknown> | null;
  /** When and where, if the record says so. */
  meta: Record<string, unknown> | null;
  /** True where its shuffles are proven; null where it has no proof. */
  proven: boolean | null;
  /** The empty board. */
  geometry: CronbergGeometry | DrunterGeometry;
  /** Symbols, colours and names. */
  artwork: CronbergArtwork | DrunterArtwork;
}

/** Hypothetical actions in a record's game. */
export interface RecordTryWish {
  /** The record. */
  record: Record<string, unknown>;
  /** After which entry of its replay to begin; null: at its end. */
  at?: number | null;
  /** As in the log, in their order, for whoever is waited for; `drawn church` after a draw, `accepted` or `refused` for a vote, `chosen` for all choices that are due. */
  actions?: string[];
}

/** Come back with the code. */
export interface Recovery {
  code: string;
}

/** Not done; nothing has changed. */
export interface RefusalFacts {
  code: string;
  rule?: string | null;
  places?: string[];
  sentence: string;
  retry_after?: number | null;
  /** Of a record that is refused: the place in it, `moves[3].scored`. */
  where?: string | null;
  /** Of a record that is refused: the move, from 1. */
  move?: number | null;
  /** Of a record that is refused: what exactly is wrong, in English. */
  detail?: string | null;
  /** Where the code is `stale`: the entries not known yet. */
  missed?: EntryFacts[] | null;
}

/** An entry of a log, with what it changed. */
export interface ReplayEntry {
  /** From 1, without gaps. */
  number: number;
  /** Whose; null for chance and the table's own affairs. */
  seat: number | null;
  /** Hidden ones end in `(hidden)`. */
  text: string;
  /** When; null where a record does not say. */
  at: string | null;
  /** The bot that stood in. */
  by: string | null;
  /** False where it was taken back later. */
  stands: boolean;
  /** A remark, in records. */
  note: string | null;
  /** Facts by key that are not what they were before this entry. */
  changes: CronbergChanges | DrunterChanges;
  /** What it brought about; null where nothing is to tell. */
  result: CronbergResult | DrunterTileResult | DrunterVoteResult | null;
}

/** Who sat at a seat. */
export interface ReplaySeat {
  /** Null where nobody sits. */
  name: string | null;
  /** The bot that plays. */
  bot: string | null;
}

/** A kind of rhomb. */
export interface RhombShape {
  name: string;
  /** What it is called. */
  names: InLanguages;
  /** How many there are. */
  count: number;
  /** By corner, from the first sharp one on. */
  numbers: number[];
  turning_matters: boolean;
  /** Whether its numbers are mostly bad. */
  dark: boolean;
}

/** How a seat is drawn. */
export interface SeatArt {
  colour: string;
  /** The id of its symbol. */
  symbol: string;
}

/** One seat. */
export interface SeatChoice {
  /** A seat, from 0. */
  seat: number;
}

/** Who sits at a seat. */
export interface SeatSummary {
  name: string | null;
  bot: string | null;
  person: boolean;
  yours: boolean;
}

/** Where one sits now. */
export interface Seated {
  table: string;
  seat: number;
}

/** Join a public table. */
export interface SitDown {
  /** The first open one where none is given. */
  seat?: number | null;
  entropy?: string | null;
}

/** A table's game, step by step, as a viewer may know it; all of it once it is played out. */
export interface TableReplay {
  /** `cronberg` or `drunter`. */
  game: string;
  /** The id of a shipped edition, or the whole edition. */
  edition: string | Record<string, unknown>;
  /** A hash over what play depends on. */
  edition_sha256: string;
  /** Variants of the rules. */
  options: Record<string, boolean>;
  players: number;
  /** Before the first entry; null where the game has not begun then. */
  facts: CronbergFacts | DrunterFacts | null;
  entries: ReplayEntry[];
  /** Null where the game is not over. */
  outcome: OutcomeFacts | null;
  /** Whether facts hold all secrets, as they are revealed. */
  whole: boolean;
  table: TableFacts;
  /** Waits for players; is played; over; ended without a winner; closed by the host of the server. */
  status: "open" | "playing" | "over" | "aborted" | "closed";
  /** With whose eyes: a seat, or null for a spectator. */
  viewer: number | null;
  /** By seat. */
  seats: SeatFacts[];
  fair: FairFacts;
}

/** A table in a list. */
export interface TableSummary {
  id: string;
  title: string;
  game: string;
  edition: string;
  options: Record<string, boolean>;
  status: string;
  pace: string;
  clock: Record<string, number | null> | null;
  public: boolean;
  seats: SeatSummary[];
  created: string;
  changed: string;
  /** Seats that may act now; null where it is not known at once. */
  waiting?: number[] | null;
  /** Whether an own seat may act now; null as above, and to strangers. */
  your_turn?: boolean | null;
}

/** A look of a game. */
export interface ThemeFacts {
  /** Its id, as requests for artwork and pictures name it. */
  theme: string;
  name: InLanguages;
}

/** A token of the bot API; it is shown once. */
export interface TokenFacts {
  label: string;
  token: string;
}

/** A triangle, with the point in its middle. */
export interface TriangleShape {
  name: string;
  x: number;
  y: number;
  /** `park`, `guard`, `coat` or `plain`: what it becomes when activated. */
  symbol: string;
  /** Three crossings. */
  corners: string[];
  points_up: boolean;
}

/** What hypothetical actions lead to; nothing of it has happened. */
export interface Tried {
  /** `cronberg` or `drunter`. */
  game: string;
  /** With whose knowledge: a seat's, or null for a spectator's. */
  viewer: number | null;
  /** After which entry it began. */
  at: number;
  /** Whether all secrets are known, as they are revealed. */
  whole: boolean;
  /** What to draw then. At an end that is supposed, secrets stay null. */
  facts: CronbergFacts | DrunterFacts;
  /** What was supposed, with what chance gave. */
  entries: TriedEntry[];
  /** Of every seat that may act then. */
  turns: TriedTurn[];
  /** What can be supposed then, besides the legal actions. */
  suppositions: string[];
}

/** What was supposed to happen. */
export interface TriedEntry {
  /** Whose; null for chance and for how a vote ends. */
  seat: number | null;
  /** As in a log; others' secrets end in `(hidden)`. */
  text: string;
  /** What it brought about; null where nothing is to tell. */
  result: CronbergResult | DrunterTileResult | DrunterVoteResult | null;
}

/** What a seat may do then. */
export interface TriedTurn {
  /** The seat. */
  seat: number;
  /** Every legal action, with its places. */
  legal: (TokenAction | PlainAction | PlaceAction | LayAction | VoteAction | JeeiinAction | ChooseAction)[];
  /** By legal action, where there are few. */
  previews?: (CronbergPreview | DrunterPreview)[];
}

/** Hypothetical actions at a table. */
export interface TryWish {
  /** An own seat with whose knowledge to try; null: a spectator's. */
  seat?: number | null;
  /** After which entry to begin; null: now. */
  at?: number | null;
  /** As in the log, in their order, for whoever is waited for; `drawn church` after a draw, `accepted` or `refused` for a vote, `chosen` for all choices that are due. */
  actions?: string[];
}

/** A vote card, with what it counts; Jeeiin for either side. */
export interface VoteCardShape {
  /** As in `vote jaa`. */
  name: string;
  /** Its key in `names` of the artwork. */
  piece: string;
  yes: number;
  no: number;
}

/** The wall around the town. */
export interface WallShape {
  /** Outlines: crossings in turn. */
  rings: string[][];
  /** As it is drawn. */
  svg: string;
}

/** The webhook, and the key that signs what is sent there. */
export interface WebhookFacts {
  url: string | null;
  key: string | null;
}

/** Where to tell that it is one's turn; null for nowhere. */
export interface WebhookWish {
  url: string | null;
}
