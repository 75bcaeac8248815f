/** A letter for each seat, besides colour and shape: the initials, or A, B, C, D where two are the same. */
export function letters(names: readonly string[]): string[] {
  const initials = names.map((name) => Array.from(name.trim())[0]?.toUpperCase() ?? '');
  const usable =
    new Set(initials).size === names.length && initials.every((each) => /^[\p{L}\p{N}]$/u.test(each));
  return usable ? initials : names.map((_name, seat) => 'ABCD'[seat]!);
}
