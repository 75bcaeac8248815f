/** What a person likes, kept on this device. */

export const LANGUAGES = ['en', 'de', 'fr'] as const;
export type Language = (typeof LANGUAGES)[number];
export type Palette = 'auto' | 'day' | 'night';
export type Motion = 'normal' | 'fast' | 'off';

const KEY = 'embertown settings';

interface Kept {
  language?: Language;
  palette?: Palette;
  motion?: Motion;
  sound?: boolean;
  hints?: boolean;
  level?: string;
}

function kept(): Kept {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? '{}') as Kept;
  } catch {
    return {}; // no storage, or nothing of ours in it
  }
}

/** The first language of the browser's that we speak. */
export function preferred(languages: readonly string[]): Language {
  const found = languages
    .map((tag) => tag.slice(0, 2).toLowerCase())
    .find((tag) => (LANGUAGES as readonly string[]).includes(tag));
  return (found as Language | undefined) ?? 'en';
}

class Settings {
  #before = kept();
  language = $state<Language>(
    this.#before.language ?? preferred(navigator.languages ?? [navigator.language]),
  );
  palette = $state<Palette>(this.#before.palette ?? 'auto');
  motion = $state<Motion>(this.#before.motion ?? 'normal');
  sound = $state(this.#before.sound ?? false);
  /** Whether legal places and what a move would bring are shown. */
  hints = $state(this.#before.hints ?? true);

  /** The bot that `Play now` plays against. */
  level = $state(this.#before.level ?? 'apprentice');

  keep(): void {
    const { language, palette, motion, sound, hints, level } = this;
    try {
      localStorage.setItem(KEY, JSON.stringify({ language, palette, motion, sound, hints, level }));
    } catch {
      // a browser that keeps nothing: the settings last as long as the page
    }
  }

  /** Milliseconds that a movement takes; none where the person or the system asks for none. */
  get duration(): number {
    if (this.motion === 'off' || matchMedia('(prefers-reduced-motion: reduce)').matches) return 0;
    return this.motion === 'fast' ? 120 : 250;
  }
}

export const settings = new Settings();
