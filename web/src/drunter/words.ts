/** Drunter & Drüber in words. */

import type { Words } from '../games';

export const words: Words = {
  place: (_edition, _facts, id) => id,
  action: (_edition, _facts, action) => action.text,
  preview: () => [],
  entry: (_edition, entry) => ({ text: entry.text, places: [] }),
  due: (_edition, facts) => facts.phase,
};
