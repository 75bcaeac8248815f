/** Cronberg in words. */

import type { CronbergFacts } from '$protocol/messages';
import { named, t } from '$lib/i18n.svelte';
import type { CronbergArtwork, Edition } from '$lib/types';
import type { Words } from '../games';

const piece = (edition: Edition, name: string | null): string =>
  name === null ? '' : named((edition.artwork as CronbergArtwork).names[name], name);

export const words: Words = {
  place: (_edition, _facts, id) => id,
  action: (_edition, _facts, action) => action.text,
  preview: () => [],
  entry: (_edition, entry) => ({ text: entry.text, places: [] }),
  due: (edition, facts) => {
    const { phase, drawn } = facts as CronbergFacts;
    return phase === 'placement'
      ? t('cronberg.due_place', { rhomb: piece(edition, drawn) })
      : t('cronberg.due_choice');
  },
};
