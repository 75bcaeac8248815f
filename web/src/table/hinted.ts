/** What a hint names, among what may be done; and how marks that would lie on each other lie beside each other. */

import type { HintMessage } from '$protocol/messages';
import type { Action, Point } from '$lib/types';
import type { Hinted } from '../games';

/** The actions of a hint that are legal, with their ranks. */
export function hintedBy(hint: Pick<HintMessage, 'best'> | null, legal: readonly Action[]): Hinted[] {
  const actions = new Map(legal.map((each) => [each.text, each]));
  return (hint?.best ?? []).flatMap(({ action: text }, index) => {
    const action = actions.get(text);
    return action ? [{ rank: index + 1, action }] : [];
  });
}

/** Points, those at the same place moved apart by so much, the first to the left. */
export function apart<P extends Point>(points: readonly P[], by: number): P[] {
  return points.map((point) => {
    const here = points.filter(({ x, y }) => x === point.x && y === point.y);
    return { ...point, x: point.x + (here.indexOf(point) - (here.length - 1) / 2) * by };
  });
}
