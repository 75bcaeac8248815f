/** What a log says of its table: which entries stand, whose time ran out. */

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

/** Whether an entry is somebody's decision in the game. */
export const isDecision = ({ seat, text }: EntryFacts): boolean => seat !== null && !OF_THE_TABLE.test(text);

/** Whether the entry takes something back. */
export const isTakeback = ({ text }: EntryFacts): boolean => TAKEBACK.test(text);

/** Whether a bot sits there because the person's time ran out: the flag fell, and nobody came back since. */
export function isTimeOver(entries: readonly EntryFacts[], seat: number): boolean {
  const told = entries.findLast(
    ({ seat: whose, text }) =>
      text.startsWith(`seat ${seat}: person`) || (whose === seat && text.startsWith('flag')),
  );
  return told?.text.startsWith('flag') ?? false;
}
