/** The score track around the town: sixty stones along a hexagon; a score beyond them walks on from the start. */

import type { CronbergGeometry, Point } from '$lib/types';

export const STONES = 60;
const SIDE = STONES / 6;
/** From the outermost crossing to the middle of the road, and beyond it. */
const BEFORE = 78;
const BEYOND = 28;

/** How far the track's corners lie from the middle of the town. */
export function trackRadius(geometry: CronbergGeometry): number {
  const apothem = Math.max(...geometry.crossings.map((each) => Math.abs(each.y)));
  return (apothem + BEFORE) / Math.cos(Math.PI / 6);
}

/** The number on a score's stone. */
export const stoneOf = (score: number): number => ((score % STONES) + STONES) % STONES;

/** The middle of a score's stone: clockwise from the upper left corner. */
export function stone(radius: number, score: number): Point {
  const place = stoneOf(score);
  const [corner, step] = [Math.floor(place / SIDE), place % SIDE];
  const end = (number: number): Point => {
    const angle = ((60 * number - 120) * Math.PI) / 180;
    return { x: radius * Math.cos(angle), y: radius * Math.sin(angle) };
  };
  const [from, to] = [end(corner), end(corner + 1)];
  const part = step / SIDE;
  return { x: from.x + (to.x - from.x) * part, y: from.y + (to.y - from.y) * part };
}

/** What the stones do not say of a score: `+60` after a round, `−60` before the first; empty in the first. */
export function lap(score: number): string {
  const rounds = Math.floor(score / STONES);
  return rounds ? `${rounds > 0 ? '+' : '−'}${Math.abs(rounds) * STONES}` : '';
}

export const isCorner = (score: number): boolean => score % SIDE === 0;

export interface Marker extends Point {
  seat: number;
  scale: number;
  lap: string;
}

/** Where the markers of seats stand: beside each other where they share a stone. */
export function markers(radius: number, scores: readonly number[]): Marker[] {
  return scores.map((score, seat) => {
    const sharing = scores.flatMap((other, each) => (stoneOf(other) === stoneOf(score) ? [each] : []));
    const middle = stone(radius, score);
    if (sharing.length === 1) return { ...middle, seat, scale: 1.15, lap: lap(score) };
    const angle = (2 * Math.PI * sharing.indexOf(seat)) / sharing.length + Math.PI;
    return {
      x: middle.x + 15 * Math.cos(angle),
      y: middle.y + 15 * Math.sin(angle),
      seat,
      scale: 0.9,
      lap: lap(score),
    };
  });
}

/** How far inside the road the sign of a round stands, and how much smaller it is where several share a stone. */
const INSIDE = 40;
const BESIDE = 27;
const SMALLER = 0.62;

/** Where the sign of a marker's round stands from it: towards the town, where there is room. */
export function signOf({ x, y, scale }: Marker): Point & { scale: number } {
  const isAlone = scale > 1;
  const away = (isAlone ? INSIDE : BESIDE) / Math.hypot(x, y);
  return { x: -x * away, y: -y * away, scale: isAlone ? 1 : SMALLER };
}

/** What the board shows: the town alone, or with the track around it. */
export function frame(geometry: CronbergGeometry, isWide: boolean): number[] {
  if (!isWide) return geometry.view_box;
  const radius = trackRadius(geometry);
  const [wide, high] = [radius + BEYOND, radius * Math.cos(Math.PI / 6) + BEYOND];
  return [-wide, -high, 2 * wide, 2 * high];
}
