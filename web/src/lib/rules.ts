/** The rules' texts by language and game, loaded when somebody reads them. */

import type { Language } from '$lib/settings.svelte';
import type { GameName } from '$lib/types';

export interface Picture {
  src: string;
  alt: string;
}
export interface Rules {
  title: string;
  intro: string;
  short: { title: string; text: string }[];
  sections: { id: string; title: string; rules: { id: string; text: string }[]; picture?: Picture }[];
}

const texts = import.meta.glob<{ default: Rules }>('../locale/rules/*/*.json');

export const rulesOf = async (language: Language, game: GameName): Promise<Rules> =>
  (await texts[`../locale/rules/${language}/${game}.json`]!()).default;

export interface Part {
  kind: 'text' | 'strong' | 'rule';
  text: string;
}

/** `*emphasis*` and numbers of rules taken apart. */
export function withLinks(words: string): Part[] {
  return words
    .split(/(\*[^*]+\*|\b[CD]\d+\.\d+\b)/)
    .filter(Boolean)
    .map((text) => {
      if (text.startsWith('*')) return { kind: 'strong', text: text.slice(1, -1) };
      return /^[CD]\d+\.\d+$/.test(text) ? { kind: 'rule', text } : { kind: 'text', text };
    });
}
