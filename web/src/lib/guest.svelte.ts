/** Who sits in front of the page: a guest without registration, known by a cookie. */

import type { GuestFacts } from '$protocol/forms';
import { post } from '$lib/api';
import { settings } from '$lib/settings.svelte';

class Me {
  name = $state<string | null>(null);
  /** The code that brings the guest back on another device: told once, when the guest is made. */
  recovery = $state<string | null>(null);
  #known: Promise<void> | null = null;

  /** Be a guest, before something is asked that only guests may. */
  present(): Promise<void> {
    this.#known ??= this.#come().catch((error: unknown) => {
      this.#known = null;
      throw error;
    });
    return this.#known;
  }

  async #come(): Promise<void> {
    const facts = await post<GuestFacts>('/api/guests', { language: settings.language });
    this.name = facts.name;
    this.recovery = facts.recovery ?? null;
  }
}

export const me = new Me();

/** What this player adds to the shuffles, so that the host alone can't choose them. */
export function entropy(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
