/** How points came about, written out; the numbers are the server's. */

import { signed } from '$lib/i18n.svelte';

/** `6 + 3 − 2`. */
export function sum(numbers: readonly number[]): string {
  if (!numbers.length) return '0';
  return numbers
    .map((each, index) => (index === 0 ? signed(each) : each < 0 ? `\u2212 ${-each}` : `+ ${each}`))
    .join(' ');
}

/** `6 + 3 − 2 = 7`, or just `7` of one number. */
export const total = (numbers: readonly number[], points: number): string =>
  numbers.length === 1 ? signed(points) : `${sum(numbers)} = ${signed(points)}`;

/** `(|6| + |−2|) × 2 = 16`: with a coat of arms negative numbers count as positive, then each park doubles. */
export function finalTotal(numbers: readonly number[], coat: boolean, parks: number, points: number): string {
  const isTurned = coat && numbers.some((each) => each < 0);
  const shown = isTurned
    ? numbers.map((each) => (each < 0 ? `|${signed(each)}|` : String(each))).join(' + ')
    : sum(numbers);
  const inside = parks && numbers.length > 1 ? `(${shown})` : shown;
  const doubled = ' × 2'.repeat(parks);
  return numbers.length === 1 && !isTurned && !parks
    ? signed(points)
    : `${inside || 0}${doubled} = ${signed(points)}`;
}
