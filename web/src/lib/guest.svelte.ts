/** Who sits in front of the page: a guest without registration, known by a cookie. */

import type { GuestFacts } from '$protocol/forms';
import { post } from '$lib/api';
import { settings } from '$lib/settings.svelte';

const KEY = 'embertown recovery';

/** The recovery code of a guest who was made in this tab and has not put it away yet. */
function kept(): string | null {
  try {
    return sessionStorage.getItem(KEY);
  } catch {
    return null; // a browser that keeps nothing
  }
}

class Me {
  name = $state<string | null>(null);
  #recovery = $state<string | null>(kept());
  #known: Promise<void> | null = null;

  /** Be a guest, before something is asked that only guests may. */
  present(): Promise<void> {
    this.#known ??= this.#come().catch((error: unknown) => {
      this.#known = null;
      throw error;
    });
    return this.#known;
  }

  /** The code that brings the guest back on another device: told once, when it is made; kept until it is put away. */
  get recovery(): string | null {
    return this.#recovery;
  }
  set recovery(code: string | null) {
    this.#recovery = code;
    try {
      if (code === null) sessionStorage.removeItem(KEY);
      else sessionStorage.setItem(KEY, code);
    } catch {
      // it lasts as long as the page
    }
  }

  async #come(): Promise<void> {
    const facts = await post<GuestFacts>('/api/guests', { language: settings.language });
    this.name = facts.name;
    if (facts.recovery) this.recovery = facts.recovery;
  }
}

export const me = new Me();

/** What this player adds to the shuffles, so that the host alone can't choose them. */
export function entropy(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
