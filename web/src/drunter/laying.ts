/** How an action becomes the draft: a tile on the board, cards beside it. */

import type { Action } from '$lib/types';
import type { Draft } from '../table/draft.svelte';

/** The cards of an action that is decided with cards; null for others. */
function cardsOf(action: Action): string[] | null {
  if (action.kind === 'vote') return action.cards;
  return action.kind === 'choose' ? [action.objective] : null;
}

/** Lay an action as the draft: tiles come from all piles then, cards lie ready. */
export function lay(draft: Draft, action: Action): void {
  const cards = cardsOf(action);
  if (cards) return draft.pick(cards);
  if (draft.filter && !draft.filter(action)) draft.filter = null;
  draft.choose(action);
}

/** Whether it lies there: all of its cards, and no others. */
export function isLaid({ action: chosen, picked }: Draft, action: Action): boolean {
  const cards = cardsOf(action);
  if (!cards) return chosen?.text === action.text;
  return cards.length === picked.length && cards.every((card) => picked.includes(card));
}

/** A vote, and what a Jeeiin means, are decided on a sheet. */
export const isOnSheet = (legal: readonly Action[]): boolean =>
  legal.some(({ kind }) => kind === 'vote' || kind === 'jeeiin');
