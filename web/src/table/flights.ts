/** Which points are on their way, by what entries brought about. */

export interface Flight {
  seat: number;
  /** The place that scored. */
  at: string;
  points: number;
}

/** More entries at once than one decision brings: somebody was away, and is not shown all of it. */
const MOST = 6;

/** What scored in the entries after one number and up to another. */
export function flightsOf(results: Readonly<Record<number, unknown>>, after: number, upTo: number): Flight[] {
  if (upTo - after > MOST) return [];
  const numbers = Array.from({ length: Math.max(0, upTo - after) }, (_each, index) => after + 1 + index);
  return numbers.flatMap((number) => (results[number] as { scored?: Flight[] } | undefined)?.scored ?? []);
}
