/** Sentences in the person's language. Keys are checked against the English catalogue; a test compares the others. */

import type en from '../locale/en';
import { settings, type Language } from '$lib/settings.svelte';

type Catalogue = typeof en;
type Rooms = { [Room in keyof Catalogue]: `${Room & string}.${keyof Catalogue[Room] & string}` };
export type Key = Rooms[keyof Rooms];
type Plural<K> = K extends `${infer Stem}_other` ? Stem : never;
export type CountKey = Plural<Key>;
type Values = Record<string, string | number>;

const load: Record<Language, () => Promise<{ default: Catalogue }>> = {
  en: () => import('../locale/en'),
  de: () => import('../locale/de') as Promise<{ default: Catalogue }>,
  fr: () => import('../locale/fr') as Promise<{ default: Catalogue }>,
};

class Words {
  catalogue = $state.raw<Record<string, Record<string, string>>>({});
  language = $state<Language>('en');
}

const words = new Words();

/** Load a language and speak it from then on. */
export async function speak(language: Language): Promise<void> {
  words.catalogue = (await load[language]()).default as unknown as Record<string, Record<string, string>>;
  words.language = language;
  settings.language = language;
  document.documentElement.lang = language;
}

/** The language that is spoken. */
export const spoken = (): Language => words.language;

function sentence(key: string): string {
  const dot = key.indexOf('.');
  return words.catalogue[key.slice(0, dot)]?.[key.slice(dot + 1)] ?? key;
}

function filled(text: string, values: Values): string {
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => (name in values ? String(values[name]) : whole));
}

/** A sentence with its values filled in. */
export const t = (key: Key, values: Values = {}): string => filled(sentence(key), values);

/** A sentence about a number of things: `{count}` in it, and a form for one and for others. */
export function count(key: CountKey, number: number, values: Values = {}): string {
  const form = new Intl.PluralRules(words.language).select(number) === 'one' ? 'one' : 'other';
  return filled(sentence(`${key}_${form}`), { count: signed(number), ...values });
}

/** With the capital letter that a sentence begins with. */
export const capital = (text: string): string => text.slice(0, 1).toLocaleUpperCase() + text.slice(1);

/** A number with a real minus sign. */
export const signed = (number: number): string => String(number).replace('-', '\u2212');

/** A share from 0 to 1, in whole hundredths; what is less than half of one is not called nothing. */
export function percent(share: number): string {
  const format = new Intl.NumberFormat(words.language, { style: 'percent' });
  return share < 0.005 ? `< ${format.format(0.01)}` : format.format(share);
}

/** Names as a list: `Anna, Ben and Cleo`. */
export function listed(names: readonly string[]): string {
  return new Intl.ListFormat(words.language, { type: 'conjunction' }).format(names);
}

/** What stands for the spoken language in a thing that has names in several. */
export const named = (
  names: Partial<Record<Language, string | null>> | undefined,
  fallback: string,
): string => names?.[words.language] ?? names?.en ?? fallback;
