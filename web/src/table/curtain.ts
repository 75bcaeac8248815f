/** One device goes round: for whom a curtain hangs before the page. */

import type { Status } from '$lib/types';

interface Seen {
  status: Status;
  /** Whose decisions are waited for. */
  waiting: readonly number[];
  own: readonly number[];
  viewer: number | null;
}

/** The own seat that is waited for first. */
export const dueOf = ({ waiting, own }: Pick<Seen, 'waiting' | 'own'>): number | null =>
  waiting.find((seat) => own.includes(seat)) ?? null;

/** The seat that the device is to be handed to before anything is shown; null where nothing hangs. */
export function curtainFor({ status, waiting, own, viewer }: Seen, hasSecrets: boolean): number | null {
  const due = dueOf({ waiting, own });
  return hasSecrets && own.length > 1 && status === 'playing' && viewer !== due ? due : null;
}
