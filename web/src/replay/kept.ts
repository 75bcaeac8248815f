/**
 * The record that is watched, kept for this tab alone: a page that is loaded again, or come back to, shows it still.
 * Nothing of it goes to the server but for being checked.
 */

const KEY = 'embertown record';

/** Keep it. A browser that keeps nothing, or not as much, forgets it with the page. */
export function keepRecord(written: string): void {
  try {
    sessionStorage.setItem(KEY, written);
  } catch {
    forgetRecord(); // else another one would come back
  }
}

export function keptRecord(): string | null {
  try {
    return sessionStorage.getItem(KEY);
  } catch {
    return null;
  }
}

export function forgetRecord(): void {
  try {
    sessionStorage.removeItem(KEY);
  } catch {
    // there is none
  }
}
