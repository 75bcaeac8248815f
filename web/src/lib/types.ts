/** The protocol's messages under the page's names, and what comes by HTTP. */

import type {
  CronbergPreview,
  DrunterPreview,
  Incoming,
  Outgoing,
  TurnMessage,
  CronbergFacts,
  DrunterFacts,
  TableMessage,
} from '$protocol/messages';
import type { Language } from '$lib/settings.svelte';

export type FromClient = Incoming;
export type ToClient = Outgoing;
export type Action = TurnMessage['legal'][number];
export type Preview = CronbergPreview | DrunterPreview;
export type Facts = CronbergFacts | DrunterFacts;
export type Status = TableMessage['status'];
export type GameName = 'cronberg' | 'drunter';
export type Names = Record<Language, string>;

export interface Point {
  x: number;
  y: number;
}
export interface Crossing extends Point {
  name: string;
}
export interface Triangle extends Point {
  name: string;
  symbol: string;
  corners: string[];
  points_up: boolean;
}
export interface Place extends Point {
  on: string[];
  turn: number;
  corners: string[];
}
export interface RhombKind {
  name: string;
  names: Names;
  count: number;
  numbers: number[];
  turning_matters: boolean;
  dark: boolean;
}
interface CommonGeometry {
  edition: string;
  edition_sha256: string;
  title: Partial<Record<Language, string | null>>;
  view_box: [number, number, number, number];
  unit: number;
}
export interface CronbergGeometry extends CommonGeometry {
  game: 'cronberg';
  tokens: number;
  crossings: Crossing[];
  triangles: Triangle[];
  places: Place[];
  strips: Crossing[];
  wall: { rings: string[][]; svg: string };
  kinds: RhombKind[];
}
export interface DrunterGeometry extends CommonGeometry {
  game: 'drunter';
  width: number;
  height: number;
  squares: Crossing[];
  buildings: { at: string; kind: string; value: number }[];
  outhouses: string[];
  gangs: { name: string; kind: string }[];
  tiles: Record<string, number[]>;
  bridge: number;
  cards: { name: string; piece: string; yes: number; no: number }[];
  objectives: string[];
}
export type Geometry = CronbergGeometry | DrunterGeometry;

interface CommonArtwork {
  theme: string;
  themes: string[];
  classes: string;
  prefix: string;
  title: Names;
  subtitle: Names;
  names: Record<string, Names>;
  pictures: Record<string, string>;
  day: Record<string, string>;
  night: Record<string, string>;
  seats: { colour: string; symbol: string }[];
  style: string;
  symbols: Record<string, string>;
  defs: string;
}
export interface CronbergArtwork extends CommonArtwork {
  game: 'cronberg';
  rhombi: Record<string, Record<string, [string, string]>>;
}
export interface DrunterArtwork extends CommonArtwork {
  game: 'drunter';
  paths: Record<string, string>;
  meadow: string;
}
export type Artwork = CronbergArtwork | DrunterArtwork;

/** The empty board of an edition, and what it is drawn with. */
export interface Edition<G = Geometry, A = Artwork> {
  geometry: G;
  artwork: A;
}

/** Where one may point on the board: the actions there follow each other with every tap (turns of a rhomb, lengths of a tile). */
export interface Spot extends Point {
  id: string;
  /** How far from its middle a tap still means it. */
  reach: number;
  actions: Action[];
}
