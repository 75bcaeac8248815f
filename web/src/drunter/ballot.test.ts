import { describe, expect, it } from 'vitest';
import type { DrunterFacts, EntryFacts } from '$protocol/messages';
import type { DrunterGeometry } from '$lib/types';
import { coveredBy, lastOver, tileOf, underWay } from './ballot';
import shipped from './fixture/edition.json';
import { between } from './town';

const geometry = shipped.geometry as unknown as DrunterGeometry;
const log = (...texts: [number | null, string][]): EntryFacts[] =>
  texts.map(([seat, text], index) => ({ number: index + 1, seat, text, at: '', by: null, stands: true }));
const facts = (more: Partial<DrunterFacts>): DrunterFacts =>
  ({ scores: [0, 0, 0], laid: [], votes: null, proposal: null, ...more }) as unknown as DrunterFacts;

describe('a tile in the log', () => {
  it('lies on the squares from its first to its last', () => {
    expect(tileOf('lay wall A1 D4-D2')).toEqual({ kind: 'wall', gang: 'A1', squares: ['D4', 'D3', 'D2'] });
    expect(tileOf('lay river A10 B10')).toEqual({ kind: 'river', gang: 'A10', squares: ['B10'] });
    expect(tileOf('vote ja')).toBeNull();
    expect(between('L10', 'J10')).toEqual(['L10', 'K10', 'J10']);
  });

  it('covers what stands there, in reading order', () => {
    expect(coveredBy(geometry, tileOf('lay road O1 D4-C4')!)).toEqual(['C4', 'D4']);
  });
});

describe('the vote that is under way', () => {
  const proposal = { kind: 'wall', gang: 'A1', squares: ['C4'], under: [], seat: 1, covers: ['C4'] } as const;
  const votes = {
    voted: [true, false, true],
    cards: [['ja'], null, null],
    said: [null, null, null],
    yes: null,
    no: null,
  };
  const now = facts({ proposal, votes } as unknown as Partial<DrunterFacts>);

  it('is the proposal with the votes so far', () => {
    const found = underWay(now, log([1, 'lay wall A1 C4'], [0, 'vote ja'], [2, 'vote (hidden)']))!;
    expect(found).toMatchObject({
      number: 1,
      seat: 1,
      covers: ['C4'],
      voted: [true, false, true],
      passed: null,
    });
  });
});

describe('the vote that is over', () => {
  const entries = log(
    [0, 'lay wall A1 B1-D1'],
    [1, 'lay wall A1 D2-D3'],
    [0, 'vote ne'],
    [1, 'vote jeeiin'],
    [2, 'vote ja'],
    [1, 'jeeiin yes'],
  );
  const cards = [['ne'], ['jeeiin'], ['ja']];
  const result = { yes: 3, no: 1, passed: true, cards, said: [null, 'yes', null], blocked: [] };
  const results = { 2: { covers: ['D3'], needs_vote: true, blocked: [] }, 6: result };

  it('is read from the log, with the count that the server tells', () => {
    expect(lastOver(geometry, entries, results)).toMatchObject({
      number: 2,
      endedAt: 6,
      seat: 1,
      tile: { squares: ['D2', 'D3'] },
      covers: ['D3'],
      cards,
      yes: 3,
      no: 1,
      passed: true,
    });
  });

  it('is none before it is over', () => {
    expect(lastOver(geometry, entries.slice(0, 5), results)).toBeNull();
    expect(lastOver(geometry, [], {})).toBeNull();
  });

  it('is found behind later tiles, and not where it was taken back', () => {
    const later = [...entries, { ...entries[0]!, number: 7, text: 'lay road O1 N1' }];
    expect(lastOver(geometry, later, results)?.number).toBe(2);
    const back = entries.map((entry) => (entry.number > 1 ? { ...entry, stands: false } : entry));
    expect(lastOver(geometry, back, results)).toBeNull();
  });
});
