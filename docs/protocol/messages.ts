// Made from the server's messages by tools/protocol.py.

export const PROTOCOL = 1;

/** End the table without a winner: before the game for its maker, later only where no other person sits. */
export interface Abort {
  /** The sender's own id of the message, new for each; what answers it carries it. */
  id: string;
  type: "abort";
}

/** Done, and durable. */
export interface AnswerMessage {
  type: "answer";
  /** Of the message that is answered. */
  id: string;
  /** Of the entry (or the line of chat) that it became. */
  number: number | null;
}

/** What a network or a short search would do at a seat of one's own that is waited for; where no other person sits. A hint changes nothing: it stands in no log. */
export interface AskHint {
  /** The sender's own id of the message, new for each; what answers it carries it. */
  id: string;
  type: "hint";
  /** A seat, from 0. */
  seat: number;
  /** The number of the last entry that is known, as in `turn`. */
  number: number;
}

/** The connection ends, and why. */
export interface ByeMessage {
  type: "bye";
  /** Why, for programs. */
  code: string;
  /** Why, for people. */
  sentence: string;
}

/** A line of chat. */
export interface ChatLine {
  /** From 1. */
  line: number;
  /** The author's seat; null for spectators. */
  seat: number | null;
  /** The author's name; null where it is forgotten. */
  name: string | null;
  text: string;
  /** When, ISO 8601, UTC. */
  at: string;
}

/** Lines of chat; those of somebody who is heard again come once more. */
export interface ChatMessage {
  type: "chat";
  lines: ChatLine[];
  /** All who wrote here and are not heard; where it is missing, nothing about them changed. */
  muted?: MutedFacts[];
}

/** Choose the real objective (variant). */
export interface ChooseAction {
  /** The action, as `play` takes it. */
  text: string;
  kind: "choose";
  /** The name of an objective: `town-hall`. */
  objective: string;
}

/** A seat's clock: seconds left, null where nothing is limited. */
export interface ClockFacts {
  /** For the whole game. */
  total: number | null;
  /** For the next decision. */
  move: number | null;
  /** Whether it runs now; it stands still while a bot plays the seat. */
  running: boolean;
}

/** How much time there is, in seconds; null for no limit. */
export interface ClockLimits {
  /** For a seat's whole game. */
  total: number | null;
  /** For a decision. */
  per_move: number | null;
}

/** Facts of Cronberg that are not what they were. */
export interface CronbergChanges {
  /** `choice`: a token, a draw or a pass is due; `placement`: where the drawn rhomb goes; `over`. `chance` never lasts: a draw and its outcome come together. */
  phase?: "choice" | "chance" | "placement" | "over";
  /** Whose turn it is; null when it is over. */
  seat?: number | null;
  /** The seats that may act now. */
  waiting?: number[];
  /** By seat. */
  scores?: number[];
  /** By seat: tokens not yet placed. */
  supply?: number[];
  /** By crossing: the seat whose token stands there. */
  tokens?: Record<string, number>;
  /** The kind of the rhomb in hand. */
  drawn?: string | null;
  /** In the order of placing. */
  rhombi?: RhombFacts[];
  /** By crossing: the numbers that point at it, high to low. */
  numbers?: Record<string, number[]>;
  /** By kind: how many are not drawn yet. */
  rhombi_left?: Record<string, number>;
  /** Triangles. */
  activated?: string[];
  /** Crossings that no token may be put on. */
  barred?: string[];
  /** Null while it is played. */
  outcome?: OutcomeFacts | null;
  /** What tokens scored at the end; null where not played out. */
  final?: CronbergFinal[] | null;
}

/** A position of Cronberg. */
export interface CronbergFacts {
  /** `choice`: a token, a draw or a pass is due; `placement`: where the drawn rhomb goes; `over`. `chance` never lasts: a draw and its outcome come together. */
  phase: "choice" | "chance" | "placement" | "over";
  /** Whose turn it is; null when it is over. */
  seat: number | null;
  /** The seats that may act now. */
  waiting: number[];
  /** By seat. */
  scores: number[];
  /** By seat: tokens not yet placed. */
  supply: number[];
  /** By crossing: the seat whose token stands there. */
  tokens: Record<string, number>;
  /** The kind of the rhomb in hand. */
  drawn: string | null;
  /** In the order of placing. */
  rhombi: RhombFacts[];
  /** By crossing: the numbers that point at it, high to low. */
  numbers: Record<string, number[]>;
  /** By kind: how many are not drawn yet. */
  rhombi_left: Record<string, number>;
  /** Triangles. */
  activated: string[];
  /** Crossings that no token may be put on. */
  barred: string[];
  /** Null while it is played. */
  outcome: OutcomeFacts | null;
  /** What tokens scored at the end; null where not played out. */
  final: CronbergFinal[] | null;
}

/** What a token scored at the end. */
export interface CronbergFinal {
  /** A seat, from 0. */
  seat: number;
  /** The name of a crossing: `d4`. */
  at: string;
  /** The numbers that point at it, high to low. */
  numbers: number[];
  /** Whether a coat of arms there is activated. */
  coat: boolean;
  /** How many parks there are activated. */
  parks: number;
  points: number;
}

/** What an action of Cronberg brings about. */
export interface CronbergPreview {
  scored: ScoredFacts[];
  /** Triangles that become active. */
  activated: string[];
  driven: DrivenFacts[];
  /** Null where the game goes on. */
  final: CronbergFinal[] | null;
  /** By seat. */
  scores: number[];
}

/** What an entry of Cronberg brought about. */
export interface CronbergResult {
  scored: ScoredFacts[];
  /** Triangles that became active. */
  activated: string[];
  driven: DrivenFacts[];
  /** Null where the game goes on. */
  final: CronbergFinal[] | null;
}

/** A token that a guard drives away. */
export interface DrivenFacts {
  /** A seat, from 0. */
  seat: number;
  /** The name of a crossing: `d4`. */
  at: string;
}

/** Facts of Drunter & Drüber that are not what they were. */
export interface DrunterChanges {
  /** What is due: a tile or a pass; a vote of every seat; yes or no from those who played Jeeiin; in the variant, the choice of an objective; or nothing more. */
  phase?: "laying" | "voting" | "jeeiin" | "choosing" | "over";
  /** Whose turn it is; null when it is over. */
  seat?: number | null;
  /** The seats that may act now. */
  waiting?: number[];
  /** By seat. */
  scores?: number[];
  /** By the corner it started from: the gang's square; null if removed. */
  gangs?: Record<string, string | null>;
  /** By seat and kind: how many of length 1, 2 and 3 are left. */
  tiles?: Record<string, number[]>[];
  /** By seat: the vote cards in hand; everybody may know them. */
  cards?: string[][];
  /** In the order of laying. */
  laid?: TileFacts[];
  /** The squares of buildings and outhouses that are covered. */
  covered?: string[];
  /** The tile under vote. */
  proposal?: ProposalFacts | null;
  /** Null where no vote is under way. */
  votes?: VoteFacts | null;
  /** By seat: the objectives dealt; null for one that is secret. */
  objectives?: ((string | null)[])[];
  /** By seat: whether the real objective is chosen (variant). */
  has_chosen?: boolean[];
  /** By seat: the real objective; null if open, or secret to the viewer. */
  chosen?: (string | null)[];
  /** Null while it is played. */
  outcome?: OutcomeFacts | null;
  /** What the seats scored at the end; null where not played out. */
  final?: DrunterFinal[] | null;
}

/** A position of Drunter & Drüber, as its viewer may know it. */
export interface DrunterFacts {
  /** What is due: a tile or a pass; a vote of every seat; yes or no from those who played Jeeiin; in the variant, the choice of an objective; or nothing more. */
  phase: "laying" | "voting" | "jeeiin" | "choosing" | "over";
  /** Whose turn it is; null when it is over. */
  seat: number | null;
  /** The seats that may act now. */
  waiting: number[];
  /** By seat. */
  scores: number[];
  /** By the corner it started from: the gang's square; null if removed. */
  gangs: Record<string, string | null>;
  /** By seat and kind: how many of length 1, 2 and 3 are left. */
  tiles: Record<string, number[]>[];
  /** By seat: the vote cards in hand; everybody may know them. */
  cards: string[][];
  /** In the order of laying. */
  laid: TileFacts[];
  /** The squares of buildings and outhouses that are covered. */
  covered: string[];
  /** The tile under vote. */
  proposal: ProposalFacts | null;
  /** Null where no vote is under way. */
  votes: VoteFacts | null;
  /** By seat: the objectives dealt; null for one that is secret. */
  objectives: ((string | null)[])[];
  /** By seat: whether the real objective is chosen (variant). */
  has_chosen: boolean[];
  /** By seat: the real objective; null if open, or secret to the viewer. */
  chosen: (string | null)[];
  /** Null while it is played. */
  outcome: OutcomeFacts | null;
  /** What the seats scored at the end; null where not played out. */
  final: DrunterFinal[] | null;
}

/** What a seat scored at the end. */
export interface DrunterFinal {
  /** A seat, from 0. */
  seat: number;
  /** The name of an objective: `town-hall`. */
  objective: string;
  /** The squares of the objective's buildings that are left. */
  uncovered: string[];
  points: number;
  /** In the variant: what the other card was worth. */
  tiebreak: number | null;
}

/** What a tile brings about, if it is accepted where it needs a vote; of anything else nothing is said. */
export interface DrunterPreview {
  /** Null for actions that lay none. */
  tile: TileFacts | null;
  /** Squares of the buildings and outhouses under it. */
  covers: string[];
  needs_vote: boolean;
  /** Gangs that it removes, by the corner they started from. */
  blocked: string[];
}

/** What a tile brought about that was laid, or put to the vote. */
export interface DrunterTileResult {
  /** Squares of the buildings and outhouses under it. */
  covers: string[];
  /** Whether it is put to the vote: then it does not lie there yet. */
  needs_vote: boolean;
  /** Gangs that it removed, by the corner they started from. */
  blocked: string[];
}

/** How a vote went: of the entry that ended it. */
export interface DrunterVoteResult {
  /** The count. */
  yes: number;
  /** The count. */
  no: number;
  /** Whether the tile was laid. */
  passed: boolean;
  /** By seat: the cards played. */
  cards: string[][];
  /** By seat: what a player of Jeeiin said. */
  said: ("yes" | "no" | null)[];
  /** Gangs that the tile removed, by the corner they started from. */
  blocked: string[];
}

/** New entries, and earlier ones that are revealed now; the facts that changed. */
export interface EntriesMessage {
  type: "entries";
  /** With whose eyes; null also where all see the same. */
  viewer: number | null;
  /** Waits for players; is played; over; ended without a winner; closed by the host of the server. */
  status: "open" | "playing" | "over" | "aborted" | "closed";
  /** Of the last entry. */
  number: number;
  entries: EntryFacts[];
  /** Facts by key; those that are not named stay. */
  changes: CronbergChanges | DrunterChanges;
  /** By seat, where there are clocks. */
  clocks?: ClockFacts[];
  /** At the start, and with the seed at the end. */
  fair?: FairFacts;
  /** What these entries brought about, by their numbers, if anything. */
  results?: Record<string, CronbergResult | DrunterTileResult | DrunterVoteResult>;
}

/** Add to the shuffles, once for each seat, before the start. A rematch and the later games of a match begin when all people have, or a little later without. */
export interface Entropy {
  /** The sender's own id of the message, new for each; what answers it carries it. */
  id: string;
  type: "entropy";
  /** A seat, from 0. */
  seat: number;
  /** Any printable text; everybody will read it, and the record keeps it. */
  entropy: string;
}

/** One entry of a table's log, as its viewer may know it. */
export interface EntryFacts {
  /** From 1, without gaps. */
  number: number;
  /** Whose; null for chance and the table's own affairs. */
  seat: number | null;
  /** Hidden ones end in `(hidden)`; they come again, whole, when revealed. */
  text: string;
  /** When, ISO 8601, UTC. */
  at: string;
  /** The bot that stood in. */
  by: string | null;
  /** False where it was taken back. */
  stands: boolean;
}

/** What proves the shuffles. */
export interface FairFacts {
  /** The SHA-256 of the server's seed, in hex; published beforehand. */
  commitment: string;
  /** By seat: what its player added. */
  entropy: (string | null)[];
  /** Null until the game is over. */
  seed: string | null;
}

/** Leave this table for another, on the same connection: to the next game without a new handshake. What comes after its `table` is of that one. */
export interface Go {
  /** The sender's own id of the message, new for each; what answers it carries it. */
  id: string;
  type: "go";
  table: string;
  /** The number of the last entry of that table that the client knows. */
  since?: number;
  /** As in `hello`. */
  watch?: string | null;
}

/** The first message of a connection. */
export interface Hello {
  /** The sender's own id of the message, new for each; what answers it carries it. */
  id: string;
  type: "hello";
  /** The version that the client speaks. */
  protocol: number;
  /** The number of the last entry that the client knows; 0 for none. */
  since?: number;
  /** The language of refusals. */
  language?: string;
  /** The token of a watch link, for a table that is not public. */
  watch?: string | null;
  /** Whether messages that come together may share a frame, as a JSON array of messages. */
  batch?: boolean;
}

/** What was asked for with `hint`. */
export interface HintMessage {
  type: "hint";
  /** Of the message that asked. */
  id: string;
  /** Whose decision it is. */
  seat: number;
  /** Of the last entry that was known. */
  number: number;
  /** A few actions, the best first. */
  best: HintedAction[];
  /** The share of the win that the seat may expect; null where nothing is known. */
  win_share: number | null;
  /** Who says so: the network alone; `both`, a short search with the network beside it; or a short search alone, as the network does not know this. */
  by: "network" | "both" | "search";
}

/** An action that is worth a thought. */
export interface HintedAction {
  /** A legal action, as it stands in `turn`. */
  action: string;
  /** 0 to 1: of the network's trust, or of the simulations where a search was made. */
  share: number;
}

/** Say what Jeeiin means. */
export interface JeeiinAction {
  /** The action, as `play` takes it. */
  text: string;
  kind: "jeeiin";
  says: "yes" | "no";
}

/** Lay a tile. */
export interface LayAction {
  /** The action, as `play` takes it. */
  text: string;
  kind: "lay";
  tile: "wall" | "road" | "river";
  /** Its gang, by the corner that it started from. */
  gang: string;
  /** What it lies on, outwards. */
  squares: string[];
  /** The middles of bridges passed under before it. */
  under: string[];
}

/** See with the eyes of a seat of one's own, where one connection holds several; or, with null, with nobody's. */
export interface Look {
  /** The sender's own id of the message, new for each; what answers it carries it. */
  id: string;
  type: "look";
  /** A seat of one's own; null to see what spectators see. */
  seat: number | null;
}

/** Which game of which match. */
export interface MatchFacts {
  id: string;
  /** From 1. */
  game: number;
  /** How many there are. */
  games: number;
}

/** Hear no more from whoever wrote a line of chat; or again. */
export interface Mute {
  /** The sender's own id of the message, new for each; what answers it carries it. */
  id: string;
  type: "mute";
  /** The number of a line that they wrote. */
  line: number;
  /** False hears them again. */
  muted?: boolean;
}

/** Somebody whose lines are not told any more: `mute` with any of these lines hears them again. */
export interface MutedFacts {
  /** The numbers of all that they wrote up to here at this table. */
  lines: number[];
  /** Their seat, when they last wrote; null for spectators. */
  seat: number | null;
  /** Their name, when they last wrote; null where it is forgotten. */
  name: string | null;
}

/** The next game of the match, or the rematch; or who has asked for it so far. */
export interface NextMessage {
  type: "next";
  /** Its id, once there is one. */
  table: string | null;
  /** Seats that want a rematch. */
  asked: number[];
}

/** How the game ended. */
export interface OutcomeFacts {
  /** Played out; given up; ended without a winner. */
  end: "complete" | "resigned" | "abandoned";
  /** Seats; several share a win. */
  winners: number[];
  /** By seat. */
  scores: number[];
}

/** Are you there? */
export interface Ping {
  /** The sender's own id of the message, new for each; what answers it carries it. */
  id: string;
  type: "ping";
}

/** Place the drawn rhomb. */
export interface PlaceAction {
  /** The action, as `play` takes it. */
  text: string;
  kind: "place";
  /** Its two triangles. */
  on: string[];
  /** The crossing that its first number points at; null where turning is the same. */
  head: string | null;
}

/** An action without places: a draw (Cronberg) or a pass (both games). */
export interface PlainAction {
  /** The action, as `play` takes it. */
  text: string;
  kind: "draw" | "pass";
}

/** A decision. */
export interface Play {
  /** The sender's own id of the message, new for each; what answers it carries it. */
  id: string;
  type: "play";
  /** A seat, from 0. */
  seat: number;
  /** The number that the entry is expected to get: the last known one plus 1. */
  number: number;
  /** As it stands in the log: `token d4`. */
  action: string;
}

/** Here. */
export interface PongMessage {
  type: "pong";
  /** Of the `ping`. */
  id: string;
}

/** What actions would bring about. */
export interface Preview {
  /** The sender's own id of the message, new for each; what answers it carries it. */
  id: string;
  type: "preview";
  /** A seat, from 0. */
  seat: number;
  /** Legal actions, as they stand in `turn`. */
  actions: string[];
}

/** What was asked for with `preview`, in the same order. */
export interface PreviewsMessage {
  type: "previews";
  /** Of the message that asked. */
  id: string;
  /** Of the last entry. */
  number: number;
  /** By action asked for. */
  previews: (CronbergPreview | DrunterPreview)[];
}

/** The tile under vote. */
export interface ProposalFacts {
  kind: "wall" | "road" | "river";
  /** Its gang, by the corner that it started from: `A1`. */
  gang: string;
  /** What it lies on, outwards. */
  squares: string[];
  /** The middles of bridges passed under before it. */
  under: string[];
  /** Who laid it. */
  seat: number;
  /** Squares of the buildings and outhouses under it. */
  covers: string[];
}

/** Not done; nothing has changed. */
export interface RefusalMessage {
  type: "refusal";
  /** Of the message that is refused; null where that could not be read. */
  id: string | null;
  /** Why, for programs. */
  code: string;
  /** The number of the rule, where one is broken: `C4.2`. */
  rule: string | null;
  /** Where, on the board. */
  places: string[];
  /** Why, for people, in the language of `hello`. */
  sentence: string;
  /** Where the code is `stale`: the entries not known yet. */
  missed?: EntryFacts[];
  /** Seconds after which it is worth trying again. */
  retry_after?: number;
}

/** Once more with the same seats, the start one seat further on; there is a table when all people have asked for it. It begins when all have sent `entropy` there, or a little later without. */
export interface Rematch {
  /** The sender's own id of the message, new for each; what answers it carries it. */
  id: string;
  type: "rematch";
}

/** Tell the host of the server of a line of chat, or of the table. */
export interface Report {
  /** The sender's own id of the message, new for each; what answers it carries it. */
  id: string;
  type: "report";
  /** The number of the line; null where it is about the table. */
  line?: number | null;
  /** What is wrong. */
  text: string;
}

/** Give up. */
export interface Resign {
  /** The sender's own id of the message, new for each; what answers it carries it. */
  id: string;
  type: "resign";
  /** A seat, from 0. */
  seat: number;
}

/** A rhomb on the board. */
export interface RhombFacts {
  /** The name of a kind of rhomb: `church`. */
  kind: string;
  /** Its two triangles. */
  on: string[];
  /** The crossing that its first number points at; null where turning is the same. */
  head: string | null;
}

/** A line of chat. */
export interface Say {
  /** The sender's own id of the message, new for each; what answers it carries it. */
  id: string;
  type: "say";
  /** One line. */
  text: string;
}

/** A token that scores because its crossing is closed. */
export interface ScoredFacts {
  /** A seat, from 0. */
  seat: number;
  /** The name of a crossing: `d4`. */
  at: string;
  /** The numbers that point at it, high to low. */
  numbers: number[];
  points: number;
}

/** Who sits at a seat. */
export interface SeatFacts {
  /** Null where nobody sits. */
  name: string | null;
  /** The bot that plays it now. */
  bot: string | null;
  /** Whether it is a person's, also while a bot stands in. */
  person: boolean;
  /** Whether it is the receiver's own. */
  yours: boolean;
  /** Whether the person is connected. */
  here: boolean;
}

/** Who sits where, who is connected, how many watch. */
export interface SeatsMessage {
  type: "seats";
  /** By seat. */
  seats: SeatFacts[];
  /** How many connections hold no seat. */
  spectators: number;
  /** Whether the receiver is answered with hints, at its turns. */
  hints: boolean;
}

/** Give one's seat to a bot, or with null have it back. */
export interface StandIn {
  /** The sender's own id of the message, new for each; what answers it carries it. */
  id: string;
  type: "stand_in";
  /** A seat, from 0. */
  seat: number;
  /** A bot's name, as `GET /api/games` tells them; null plays oneself. */
  bot: string | null;
}

/** Begin, once every seat is taken: for the one who made the table. */
export interface Start {
  /** The sender's own id of the message, new for each; what answers it carries it. */
  id: string;
  type: "start";
}

/** What is fixed when a table is made. */
export interface TableFacts {
  /** Opens nothing. */
  id: string;
  title: string;
  /** `cronberg` or `drunter`. */
  game: string;
  /** The id of a shipped edition, or the whole edition. */
  edition: string | Record<string, unknown>;
  /** A hash over what play depends on. */
  edition_sha256: string;
  /** Variants of the rules. */
  options: Record<string, boolean>;
  players: number;
  /** Whether everybody may watch, and join while it is open. */
  public: boolean;
  /** At `live` ones players who are gone are replaced. */
  pace: "live" | "days";
  clock: ClockLimits | null;
  /** Null for a single game. */
  match: MatchFacts | null;
  /** The seat that begins, where that is settled; null: by lot. */
  first: number | null;
  /** When, ISO 8601, UTC. */
  created: string;
}

/** The table as its viewer may know it; of the entries those that were missed. Sent after `hello`, `go` and `look`. */
export interface TableMessage {
  type: "table";
  /** The version that the server speaks. */
  protocol: number;
  table: TableFacts;
  /** Waits for players; is played; over; ended without a winner; closed by the host of the server. */
  status: "open" | "playing" | "over" | "aborted" | "closed";
  /** With whose eyes: a seat, or null for a spectator. */
  viewer: number | null;
  /** Whether the table was made by whoever is connected. */
  host: boolean;
  /** By seat. */
  seats: SeatFacts[];
  /** How many connections hold no seat. */
  spectators: number;
  /** Of the last entry. */
  number: number;
  /** After `since`, and earlier ones revealed after it. */
  entries: EntryFacts[];
  /** What to draw, by game; null before the start. */
  facts: CronbergFacts | DrunterFacts | null;
  /** By seat; null where there are none. */
  clocks: ClockFacts[] | null;
  /** What somebody wants back. */
  takeback: TakebackWish | null;
  fair: FairFacts;
  /** The table of the next game or the rematch. */
  next: string | null;
  /** Whether the receiver is answered with hints, at its turns. */
  hints: boolean;
  /** What these entries brought about, by their numbers. */
  results?: Record<string, CronbergResult | DrunterTileResult | DrunterVoteResult>;
}

/** Ask for one's last decision back, or agree with or refuse what another asks for. */
export interface Takeback {
  /** The sender's own id of the message, new for each; what answers it carries it. */
  id: string;
  type: "takeback";
  /** A seat, from 0. */
  seat: number;
  /** The number of the last entry that would stay. */
  number: number;
  /** False refuses, and takes one's own wish back. */
  agree?: boolean;
}

/** Somebody asks for a decision back, or nobody does any more. */
export interface TakebackMessage {
  type: "takeback";
  /** Who asks; null for nobody. */
  seat: number | null;
  /** Of the last entry that would stay. */
  number: number | null;
  /** Seats that have not answered yet. */
  waiting: number[];
}

/** A decision that somebody wants back. */
export interface TakebackWish {
  /** Who asks. */
  seat: number;
  /** Of the last entry that would stay. */
  number: number;
  /** Seats that have not answered yet. */
  waiting: number[];
}

/** A bot thinks, or has thought. */
export interface ThinkingMessage {
  type: "thinking";
  /** Its seat. */
  seat: number;
  /** Its name. */
  bot: string;
  /** False when it is done. */
  thinking: boolean;
}

/** A tile. */
export interface TileFacts {
  kind: "wall" | "road" | "river";
  /** Its gang, by the corner that it started from: `A1`. */
  gang: string;
  /** What it lies on, outwards. */
  squares: string[];
  /** The middles of bridges passed under before it. */
  under: string[];
}

/** Put a token on a crossing. */
export interface TokenAction {
  /** The action, as `play` takes it. */
  text: string;
  kind: "token";
  /** The name of a crossing: `d4`. */
  crossing: string;
}

/** A seat of yours is waited for: what it may do. */
export interface TurnMessage {
  type: "turn";
  /** The seat. */
  seat: number;
  /** Of the last entry: a decision expects to get the next one. */
  number: number;
  /** Every legal action, with its places. */
  legal: (TokenAction | PlainAction | PlaceAction | LayAction | VoteAction | JeeiinAction | ChooseAction)[];
  /** By legal action, where there are few; ask for others. */
  previews?: (CronbergPreview | DrunterPreview)[];
}

/** Vote with one card or more. */
export interface VoteAction {
  /** The action, as `play` takes it. */
  text: string;
  kind: "vote";
  cards: string[];
}

/** The vote so far; null stands for what is not known to the viewer. */
export interface VoteFacts {
  /** By seat. */
  voted: boolean[];
  /** By seat: the cards played. */
  cards: (string[] | null)[];
  /** By seat: what a player of Jeeiin has said. */
  said: ("yes" | "no" | null)[];
  /** The count, once the cards are revealed. */
  yes: number | null;
  /** The count, once the cards are revealed. */
  no: number | null;
}

/** From a client. */
export type Incoming = Hello | Go | Look | Play | Preview | AskHint | Start | Entropy | Resign | Abort | Takeback | StandIn | Say | Mute | Report | Rematch | Ping;

/** To a client. */
export type Outgoing = TableMessage | EntriesMessage | TurnMessage | AnswerMessage | RefusalMessage | PreviewsMessage | HintMessage | SeatsMessage | TakebackMessage | ThinkingMessage | ChatMessage | NextMessage | PongMessage | ByeMessage;
