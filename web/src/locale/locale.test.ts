// @vitest-environment node
/** Every sentence stands in the catalogues, in all languages, with the same things to fill in. */

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'svelte/compiler';
import { describe, expect, it } from 'vitest';
import de from './de';
import en from './en';
import fr from './fr';

const SOURCES = join(import.meta.dirname, '..');
/** What is the same in every language. */
const NAMES = ['Embertown'];
/** Attributes that people read or hear. */
const SAID = [
  'aria-label',
  'aria-description',
  'aria-roledescription',
  'title',
  'placeholder',
  'alt',
  'label',
];

interface Node {
  type: string;
  name?: string;
  data?: string;
  [key: string]: unknown;
}
const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value;

/** Strings that an expression may be: what is handed to functions or compared is for the program. */
function strings(expression: unknown): string[] {
  if (!isNode(expression)) return [];
  switch (expression.type) {
    case 'Literal':
      return typeof expression.value === 'string' ? [expression.value] : [];
    case 'TemplateLiteral':
      return [
        ...(expression.quasis as { value: { cooked: string } }[]).map(({ value }) => value.cooked),
        ...(expression.expressions as unknown[]).flatMap(strings),
      ];
    case 'ConditionalExpression':
      return [...strings(expression.consequent), ...strings(expression.alternate)];
    case 'LogicalExpression':
    case 'BinaryExpression':
      return ['&&', '||', '??', '+'].includes(String(expression.operator))
        ? [...strings(expression.left), ...strings(expression.right)]
        : [];
    default:
      return [];
  }
}

/** All that a part of a page says by itself, without a catalogue. */
function spoken(node: unknown): string[] {
  if (Array.isArray(node)) return node.flatMap(spoken);
  if (!isNode(node)) return [];
  if (node.type === 'Text') return [node.data ?? ''];
  if (node.type === 'ExpressionTag') return strings(node.expression);
  if (node.type === 'Attribute') return SAID.includes(node.name ?? '') ? spoken(node.value) : [];
  if (node.type === 'StyleDirective') return [];
  return Object.values(node).flatMap((part) => (isNode(part) || Array.isArray(part) ? spoken(part) : []));
}

const literal = (source: string): string[] =>
  spoken(parse(source, { modern: true }).fragment)
    .map((text) => NAMES.reduce((rest, name) => rest.replaceAll(name, ''), text).trim())
    .filter((text) => /\p{L}/u.test(text));

const pages = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' }).filter((name) =>
  name.endsWith('.svelte'),
);

describe('words in the pages', () => {
  it('are found wherever they stand', () => {
    expect(literal('<p>Good day</p>')).toEqual(['Good day']);
    expect(literal('{#if isOpen}<i title="Good day"></i>{/if}')).toEqual(['Good day']);
    expect(literal("<p>{isOpen ? 'Good' : `day ${much}`}</p>")).toEqual(['Good', 'day']);
    expect(literal("<p class='plain' title={t('a.b')}>{t('a.b')} · {signed(3)} Embertown</p>")).toEqual([]);
  });

  it.each(pages)('come from the catalogues in %s', (page) => {
    expect(literal(readFileSync(join(SOURCES, page), 'utf8'))).toEqual([]);
  });
});

type Sentences = Record<string, Record<string, string>>;
/** By key: what is filled in. */
const holes = (catalogue: Sentences): Record<string, string[]> =>
  Object.fromEntries(
    Object.entries(catalogue).flatMap(([room, sentences]) =>
      Object.entries(sentences).map(([key, sentence]) => [
        `${room}.${key}`,
        [...new Set(sentence.match(/\{\w+\}/g) ?? [])].sort(),
      ]),
    ),
  );

describe('catalogues', () => {
  it.each(Object.entries({ de, fr }))('say the same in %s', (_language, catalogue) => {
    expect(holes(catalogue)).toEqual(holes(en));
  });

  it.each(Object.entries({ en, de, fr }))('leave nothing empty in %s', (_language, catalogue: Sentences) => {
    for (const sentences of Object.values(catalogue))
      for (const sentence of Object.values(sentences)) expect(sentence.trim()).not.toBe('');
  });
});
