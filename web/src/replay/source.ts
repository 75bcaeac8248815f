/** Where replays come from: a table of this server, or a record that somebody has. */

import type { RecordReplay, TableReplay, Tried } from '$protocol/forms';
import { get, post } from '$lib/api';
import { edition as fetchEdition, dress } from '$lib/edition';
import { botName, games } from '$lib/games';
import { me } from '$lib/guest.svelte';
import { spoken } from '$lib/i18n.svelte';
import type { Edition, GameName } from '$lib/types';
import type { Ask } from '../trial/trial.svelte';
import type { Replay } from './steps';

/** A game to walk through, with all that can be asked about it. */
export interface Source {
  replay: Replay;
  edition: Edition;
  game: GameName;
  /** By seat. */
  names: string[];
  viewer: number | null;
  /** The table, where it is one. */
  table: string | null;
  watch: string | null;
  picture: (at: number) => Promise<string>;
  record: () => Promise<string>;
  /** Try moves from a step on. */
  trial: (at: number) => Ask;
}

/** Whether the palette is the one for the night. */
const isNight = (): boolean => document.documentElement.dataset.palette === 'night';

/** Parts of an address that are not null. */
export function query(values: Record<string, string | number | boolean | null>): string {
  const given = Object.entries(values).flatMap(([key, value]) =>
    value === null || value === false ? [] : [[key, String(value)]],
  );
  return given.length ? `?${new URLSearchParams(given).toString()}` : '';
}

async function text(address: string): Promise<string> {
  const response = await fetch(address, { headers: { 'accept-language': spoken() } });
  if (!response.ok) throw new Error(response.statusText);
  return response.text();
}

/** The picture of a table, as it is or as it was after an entry, in the palette of the page. */
export const tablePicture = (
  table: string,
  seat: number | null,
  watch: string | null,
  at: number | null = null,
) =>
  text(`/api/tables/${table}/board.svg${query({ seat, watch, at, night: isNight(), language: spoken() })}`);

export const tableRecord = (table: string, seat: number | null, watch: string | null) =>
  text(`/api/tables/${table}/record${query({ seat, watch })}`);

/** Try moves at a table, with what a seat knows; nobody is told. */
export const tableTrial =
  (table: string, seat: number | null, watch: string | null, at: number | null): Ask =>
  (actions) =>
    post<Tried>(`/api/tables/${table}/try${query({ watch })}`, { seat, at, actions });

/** Names by seat. Bots bear their ids in records: they are called what the page calls them. */
async function namesOf(seats: readonly { name: string | null; bot: string | null }[]): Promise<string[]> {
  await games().catch(() => undefined); // their ids will do
  return seats.map(({ name, bot }, number) =>
    name !== null && name === bot ? botName(bot) : (name ?? String(number + 1)),
  );
}

/** A table's game, with the eyes of one's own seat where one has a single one. */
export async function ofTable(table: string, watch: string | null): Promise<Source> {
  await me.present();
  const address = `/api/tables/${table}`;
  let replay = await get<TableReplay>(`${address}/replay${query({ watch })}`);
  const own = replay.seats.flatMap((seat, number) => (seat.yours ? [number] : []));
  const viewer = !replay.whole && own.length === 1 ? own[0]! : null;
  if (viewer !== null) replay = await get<TableReplay>(`${address}/replay${query({ watch, seat: viewer })}`);
  return {
    replay,
    edition: await fetchEdition(`${address}/edition${query({ watch })}`),
    game: replay.game as GameName,
    names: await namesOf(replay.seats),
    viewer,
    table,
    watch,
    picture: (at) => tablePicture(table, viewer, watch, at),
    record: () => tableRecord(table, viewer, watch),
    trial: (at) => tableTrial(table, viewer, watch, at),
  };
}

/** The game of a record, checked by the rules; `Refusal` says what is wrong with it. */
export async function ofRecord(written: string): Promise<Source> {
  const replay = await post<RecordReplay>('/api/records/replay', written);
  const { geometry, artwork } = replay as unknown as Edition;
  dress(artwork);
  const record = JSON.parse(written) as unknown;
  return {
    replay,
    edition: { geometry, artwork },
    game: replay.game as GameName,
    names: await namesOf(replay.seats),
    viewer: null,
    table: null,
    watch: null,
    picture: (at) => recordPicture(record, at),
    record: () => Promise.resolve(written),
    trial: (at) => (actions) => post<Tried>('/api/records/try', { record, at, actions }),
  };
}

async function recordPicture(record: unknown, at: number): Promise<string> {
  const wish = { record, at, night: isNight(), language: spoken() };
  const response = await fetch('/api/records/board.svg', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(wish),
  });
  if (!response.ok) throw new Error(response.statusText);
  return response.text();
}
