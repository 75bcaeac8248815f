/** The games' rooms: the same files in each. A room draws, words and points; it knows no rule. */

import type { Component, Snippet } from 'svelte';
import type { EntryFacts } from '$protocol/messages';
import type { Action, Edition, Facts, GameName, Geometry, Point, Preview, Spot } from '$lib/types';
import type { Box } from '$parts/beside';
import type { Draft } from './table/draft.svelte';
import type { Flight } from './table/flights';
import type { Stand } from './table/table.svelte';

/** An action that a hint names, and which of them it is: 1 for the best. */
export interface Hinted {
  rank: number;
  action: Action;
}

export interface BoardProps {
  edition: Edition;
  facts: Facts | null;
  /** By seat. */
  names?: string[];
  /** Whether there is room for what stands around the board. */
  isWide?: boolean;
  /** Where one may point; drawn lightly. */
  spots?: Spot[];
  /** The action that is a draft, and whose it is. */
  ghost?: Action | null;
  ghostSeat?: number;
  preview?: Preview | null;
  /** Names of places to light up. */
  lit?: readonly string[];
  /** Names of places where something happened since the person last acted. */
  recent?: readonly string[];
  /** What a hint names, to be lit with its number. */
  hinted?: readonly Hinted[];
  /** The id of the spot (or the name of the place) under the keyboard's cursor. */
  cursor?: string | null;
}

/** Things beside the board: what is left, whose tiles, the score track. */
export interface PanelProps {
  edition: Edition;
  facts: Facts | null;
  /** By seat. */
  names: string[];
  /** With whose eyes; null for a spectator's. */
  viewer: number | null;
  /** Light up places; none with an empty list. */
  onlight?: (places: string[]) => void;
}

/** What a seat has, beside its name: tokens, tiles. */
export interface SeatProps {
  edition: Edition;
  facts: Facts | null;
  seat: number;
}

/** What is decided off the board: drawing, votes, choices. */
export interface ControlsProps {
  table: Stand;
  edition: Edition;
  draft: Draft;
  /** What waits and what may be asked for, where the room has a sheet that hides what is around the board. */
  aside?: Snippet;
}

/** How the game ended, itemised. */
export interface FinalProps extends PanelProps {
  /** How many steps of the final scoring are shown; all where not given. */
  steps?: number;
}

/** The final scoring in steps, for those who see it happen. */
export interface Counting {
  /** How many steps there are. */
  steps: (facts: Facts | null) => number;
  /** The facts as they are after a number of steps: scores, and what is counted so far. */
  after: (geometry: Geometry, facts: Facts | null, steps: number) => Facts | null;
  /** The points that a step brings, from where; null for one that brings none. */
  brought: (geometry: Geometry, facts: Facts | null, step: number) => Flight | null;
}

/** A line of the log in the person's language, and the places that it lights up. */
export interface Told {
  text: string;
  places: string[];
  /** `6 + 3 − 2 = 7`, with the rule's number. */
  items?: { text: string; rule: string | null; places: string[] }[];
}

/** A place that the keyboard's cursor may stand on. */
export interface Walkable {
  id: string;
  x: number;
  y: number;
}

export interface Words {
  /** A place of the board and what is there, in a sentence. */
  place: (edition: Edition, facts: Facts | null, id: string, names: string[]) => string;
  /** An action as a person says it: `Token on d4`. */
  action: (edition: Edition, facts: Facts | null, action: Action) => string;
  /** What an action would bring about; empty where nothing. */
  preview: (edition: Edition, facts: Facts | null, preview: Preview, names: string[]) => string[];
  /**
   * A line of the log that is the game's; null for the table's own entries. `result` is what the server says it brought
   * about, `entries` are those among which it stands: what was drawn before it is placed.
   */
  entry: (
    edition: Edition,
    entry: EntryFacts,
    result: unknown,
    names: string[],
    entries?: readonly EntryFacts[],
  ) => Told | null;
  /** What pointing at the same place again does: turn the piece, or take another. */
  again: () => string;
  /** What is to be done now, for the headline: `Place the church`. `seat` is whose decision it is, where it is yours. */
  due: (edition: Edition, facts: Facts, isYours: boolean, names: string[], seat?: number) => string;
}

export interface Room {
  Board: Component<BoardProps>;
  Panel: Component<PanelProps>;
  Controls: Component<ControlsProps>;
  Final: Component<FinalProps>;
  Seat: Component<SeatProps>;
  spots: (geometry: Geometry, legal: readonly Action[]) => Spot[];
  /**
   * What somebody means who points where nothing may be done: a move as one would type it, so that the server can say
   * which rule is against it. Null where it could mean nothing.
   */
  meant: (geometry: Geometry, facts: Facts | null, legal: readonly Action[], point: Point) => string | null;
  /** What an action's ghost takes up of the board, with what is shown beside it; null where it has none. */
  extent: (geometry: Geometry, action: Action, preview: Preview | null) => Box | null;
  /** Lay an action as the draft, as if one had pointed at it. */
  lay: (draft: Draft, action: Action) => void;
  /** Whether an action is what lies as the draft. */
  isLaid: (draft: Draft, action: Action) => boolean;
  /** Whether what is decided lies on a sheet over everything: what may be asked for stands there, too. */
  isOnSheet: (legal: readonly Action[]) => boolean;
  counting: Counting;
  /** A seat's points; null while nobody can know them. */
  points: (facts: Facts, seat: number) => number | null;
  /** What the board shows (left, top, width, height); more of it where there is room. */
  frame: (geometry: Geometry, isWide: boolean) => number[];
  /** Every place of the board, for walking over it with the keyboard when it is not one's turn. */
  walkable: (geometry: Geometry) => Walkable[];
  /** The same board for a screen that is higher than wide, where it lies better on its side. */
  upright?: (edition: Edition) => Edition;
  words: Words;
  /** Whether seats have something to hide from each other. */
  hasSecrets: boolean;
}

const ROOMS: Record<GameName, () => Promise<{ default: unknown }>> = {
  cronberg: () => import('./cronberg'),
  drunter: () => import('./drunter'),
};

/** A game's room, loaded when it is needed. */
export const roomOf = async (game: GameName): Promise<Room> => (await ROOMS[game]()).default as Room;
