/** Schilda in words, in three languages. */

import { beforeAll, describe, expect, it } from 'vitest';
import type { DrunterFacts, DrunterPreview, EntryFacts } from '$protocol/messages';
import { speak } from '$lib/i18n.svelte';
import type { Action, Edition } from '$lib/types';
import shipped from './fixture/edition.json';
import { meaning, words } from './words';

const edition = shipped as unknown as Edition;
const NAMES = ['Anna', 'Ben', 'Cleo'];
const facts = {
  phase: 'voting',
  waiting: [0, 2],
  gangs: { A1: 'D1', O1: 'O1', A10: null, O10: 'O10' },
  laid: [{ kind: 'wall', gang: 'A1', squares: ['B1', 'C1', 'D1'], under: [] }],
  covered: ['C2'],
  proposal: { kind: 'road', gang: 'O1', squares: ['K2'], under: [], seat: 1, covers: ['K2'] },
} as unknown as DrunterFacts;
const bridge: Action = {
  text: 'lay wall A1 B3-D3',
  kind: 'lay',
  tile: 'wall',
  gang: 'A1',
  squares: ['B3', 'C3', 'D3'],
  under: ['A3'],
};
const preview: DrunterPreview = { tile: null, covers: ['B3', 'D3'], needs_vote: true, blocked: ['A1'] };
const laying = {
  ...preview,
  tile: { kind: 'wall', gang: 'A1', squares: ['B3', 'C3', 'D3'], under: [] },
} as DrunterPreview;
const entry = (text: string, seat = 1): EntryFacts => ({
  number: 9,
  seat,
  text,
  at: '',
  by: null,
  stands: true,
});
const line = (text: string): string | undefined => words.entry(edition, entry(text), null, NAMES)?.text;

describe('in English', () => {
  beforeAll(() => speak('en'));

  it('places', () => {
    const place = (id: string) => words.place(edition, facts, id, NAMES);
    expect(place('C1')).toBe('C1: Wall from A1, 3 long, B1 to D1');
    expect(place('D1')).toBe('D1: Wall from A1, 3 long, B1 to D1, the gang of the wall from A1 is here');
    expect(place('C2')).toBe('C2: school, worth 2, buried');
    expect(place('B3')).toBe('B3: fire station, worth 2');
    expect(place('K2')).toBe('K2: under vote: Road from O1, 1 long, K2, outhouse');
    expect(place('O1')).toBe('O1: coach yard, the gang of the road from O1 is here');
    expect(place('B2')).toBe('B2: open ground');
  });

  it('actions', () => {
    const said = (action: Action) => words.action(edition, facts, action);
    expect(said(bridge)).toBe('Wall from A1, 3 long, B3 to D3, under the bridge at A3');
    expect(said({ text: '', kind: 'vote', cards: ['ne', '?'] })).toBe('Vote: Ne and ?…');
    expect(said({ text: '', kind: 'jeeiin', says: 'no' })).toBe('Jeeiin counts as no');
    expect(said({ text: '', kind: 'choose', objective: 'lowest' })).toBe('Objective: lowest of each');
    expect(said({ text: 'pass', kind: 'pass' })).toBe('Pass: no tile fits');
  });

  it('what a tile would bring about', () => {
    expect(words.preview(edition, facts, laying, NAMES)).toEqual([
      'Buries: fire station (2) at B3 and outhouse at D3',
      'Needs a vote: an outhouse is in the way',
      'Blocks the wall from A1: its gang leaves',
    ]);
    expect(words.preview(edition, facts, preview, NAMES)).toEqual([]);
  });

  it('lines of the log, with their places', () => {
    const told = words.entry(edition, entry('lay wall A1 B3-D3'), null, NAMES)!;
    expect(told.text).toBe('Ben: Wall from A1, 3 long, B3 to D3');
    expect(told.places).toEqual(['B3', 'C3', 'D3']);
    expect(told.items).toEqual([
      { text: 'Buries: fire station (2) at B3 and outhouse at D3', rule: 'D5.1', places: ['B3', 'D3'] },
    ]);
    const result = { covers: ['B3', 'D3'], needs_vote: true, blocked: ['O1'] };
    const items = words.entry(edition, entry('lay wall A1 B3-D3'), result, NAMES)!.items!;
    expect(items.map(({ rule }) => rule)).toEqual(['D5.1', 'D5.2', 'D4.6']);
    expect(line('vote (hidden)')).toBe('Ben has voted');
    expect(line('vote ja+jaaa')).toBe('Ben votes Ja and Jaaa');
    expect(line('jeeiin yes')).toBe('Ben: Jeeiin counts as yes');
    expect(line('choose (hidden)')).toBe('Ben has chosen an objective');
    expect(line('choose school')).toBe('Ben has chosen: school');
    expect(line('pass')).toBe('Ben passes');
    const ended = { yes: 2, no: 3, passed: false, cards: [], said: [], blocked: [] };
    expect(words.entry(edition, entry('vote neee'), ended, NAMES)!.items).toEqual([
      { text: '2 yes, 3 no: refused', rule: 'D6.4', places: [] },
    ]);
    expect(words.entry(edition, entry('start'), null, NAMES)).toBeNull();
  });

  it('what is due', () => {
    const due = (phase: string, isYours: boolean) =>
      words.due(edition, { ...facts, phase } as DrunterFacts, isYours, NAMES);
    expect(due('voting', true)).toBe('Vote on Ben’s tile');
    expect(words.due(edition, facts, true, NAMES, 1)).toBe('Vote on your tile');
    expect(words.due(edition, facts, true, NAMES, 0)).toBe('Vote on Ben’s tile');
    expect(due('voting', false)).toBe('Waiting for votes: Anna and Cleo');
    expect(due('laying', true)).toBe('Lay a tile');
    expect(due('jeeiin', true)).toBe('What does your Jeeiin count as?');
    expect(due('choosing', false)).toBe('Objectives are being chosen: Anna and Cleo');
  });

  it('every objective has a meaning', () => {
    const all = shipped.geometry.objectives.map((objective) => meaning(edition, objective));
    expect(new Set(all).size).toBe(all.length);
  });
});

describe.each([
  ['de', 'Mauer von A1, Länge 3, B3 bis D3', 'Begräbt: Feuerwache (2) auf B3 und Klohäuschen auf D3'],
  [
    'fr',
    'Rempart depuis A1, longueur 3, de B3 à D3',
    'Ensevelit : caserne des pompiers (2) en B3 et cabane en D3',
  ],
] as const)('in another language: %s', (language, tile, buries) => {
  beforeAll(() => speak(language));

  it('tiles and what they bury', () => {
    expect(words.action(edition, facts, { ...bridge, under: [] } as Action)).toBe(tile);
    expect(words.preview(edition, facts, laying, NAMES)[0]).toBe(buries);
  });

  it('leaves no blank unfilled', () => {
    const said = [
      ...shipped.geometry.squares.map(({ name }) => words.place(edition, facts, name, NAMES)),
      ...['laying', 'voting', 'jeeiin', 'choosing', 'over'].flatMap((phase) =>
        [true, false].map((isYours) =>
          words.due(edition, { ...facts, phase } as DrunterFacts, isYours, NAMES),
        ),
      ),
      ...['vote ja', 'vote (hidden)', 'jeeiin no', 'choose ones', 'pass', 'lay wall A1 B1'].map(line),
      ...words.preview(edition, facts, laying, NAMES),
    ];
    expect(said.filter((each) => !each || /[{}]|drunter\./.test(each))).toEqual([]);
  });
});
