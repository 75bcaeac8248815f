/** The final scoring token by token (C8.2): the numbers are the server's. */

import type { CronbergFacts } from '$protocol/messages';
import type { Facts } from '$lib/types';
import type { Counting } from '../games';

/** What is not counted yet is not in the scores yet. */
function after(facts: CronbergFacts, steps: number): CronbergFacts {
  const final = facts.final ?? [];
  const scores = [...facts.scores];
  for (const { seat, points } of final.slice(steps)) scores[seat]! -= points;
  return { ...facts, scores, final: facts.final && final.slice(0, steps) };
}

export const counting: Counting = {
  steps: (facts) => (facts as CronbergFacts | null)?.final?.length ?? 0,
  after: (_geometry, facts, steps) => facts && after(facts as CronbergFacts, steps),
  brought: (_geometry, facts, step) => (facts as CronbergFacts | null)?.final?.[step - 1] ?? null,
};

/** Points are known all the time. */
export const points = (facts: Facts, seat: number): number => facts.scores[seat] ?? 0;
