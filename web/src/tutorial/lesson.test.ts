import { expect, test } from 'vitest';
import type { ReplayEntry } from '$protocol/forms';
import { movesOf, ownEyes, scenesOf, type Notes } from './lesson';

const log = (...lines: [number | null, string][]): ReplayEntry[] =>
  lines.map(([seat, text], index) => ({
    number: index + 1,
    seat,
    text,
    at: null,
    by: null,
    stands: true,
    note: null,
    changes: {},
    result: null,
  }));

const notes = (...moves: Notes['moves'][string][]): Notes => ({
  title: '',
  intro: [],
  moves: Object.fromEntries(moves.map((each, index) => [String(index + 1), each])),
  end: '',
});

test('a draw, what was drawn and where it went are one move', () => {
  const entries = log([0, 'draw'], [null, 'drawn church'], [0, 'place A1+A2'], [1, 'token d4']);
  expect(movesOf(entries).map((move) => move.length)).toEqual([3, 1]);
});

test('the newcomer is asked for every decision of theirs, and told of everything', () => {
  const entries = log([0, 'draw'], [null, 'drawn church'], [0, 'place A1+A2'], [1, 'token d4']);
  const scenes = scenesOf(entries, notes({ before: 'Draw.', after: 'Well.' }, { after: 'Karl.' }));
  expect(scenes.map(({ kind, at, answer, text }) => [kind, at, answer, text])).toEqual([
    ['ask', 0, 'draw', 'Draw.'],
    ['ask', 2, 'place A1+A2', 'Draw.'],
    ['told', 3, null, 'Well.'],
    ['told', 4, null, 'Karl.'],
  ]);
});

test('a vote is asked for before any card lies on the table', () => {
  const entries = log([2, 'lay wall A1 D2-D3'], [2, 'vote jaa'], [0, 'vote neee'], [1, 'vote ?']);
  const scenes = scenesOf(entries, notes({ before: 'Vote.', after: 'No.' }));
  expect(scenes.map(({ kind, at, answer }) => [kind, at, answer])).toEqual([
    ['ask', 1, 'vote neee'],
    ['told', 4, null],
  ]);
});

test('others keep their cards', () => {
  const facts = { objectives: [['inn'], ['church']], chosen: ['inn', 'church'], outcome: null } as never;
  expect(ownEyes(facts)).toMatchObject({ objectives: [['inn'], [null]], chosen: ['inn', null] });
});
