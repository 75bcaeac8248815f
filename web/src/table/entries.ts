/** Which entries of a log stand: somebody may have taken back what was told before. */

import type { EntryFacts } from '$protocol/messages';

/** First words of entries that are the table's own affair: they stand, whatever is taken back. */
const OF_THE_TABLE = /^(seat|entropy|start|first|deal|takeback|resign|flag|abort|close|clock|brought)\b/;
const TAKEBACK = /^takeback to (\d+)$/;

/** The entries, those marked that a later one took back. */
export function settled(entries: readonly EntryFacts[]): EntryFacts[] {
  let last = Infinity;
  const newestFirst = entries.toReversed().map((entry) => {
    const to = TAKEBACK.exec(entry.text)?.[1];
    const isGone = entry.number > last && !OF_THE_TABLE.test(entry.text);
    if (to !== undefined) last = Math.min(last, Number(to));
    return isGone && entry.stands ? { ...entry, stands: false } : entry;
  });
  return newestFirst.reverse();
}
