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
import type { CronbergArtwork, CronbergGeometry, DrunterArtwork, DrunterGeometry } from '$protocol/forms';
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
export type { CronbergArtwork, CronbergGeometry, DrunterArtwork, DrunterGeometry };
export type Geometry = CronbergGeometry | DrunterGeometry;
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
