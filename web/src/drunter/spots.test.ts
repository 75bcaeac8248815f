import { describe, expect, it } from 'vitest';
import type { LayAction } from '$protocol/messages';
import type { Action, DrunterGeometry } from '$lib/types';
import shipped from './fixture/edition.json';
import { turnedToSide } from './paths';
import { frame, isFrom, meant, spots, walkable } from './spots';

const geometry = shipped.geometry as unknown as DrunterGeometry;
const lay = (tile: LayAction['tile'], gang: string, ...squares: string[]): LayAction => ({
  text: `lay ${tile} ${gang} ${squares[0]}${squares.length > 1 ? `-${squares.at(-1)}` : ''}`,
  kind: 'lay',
  tile,
  gang,
  squares,
  under: [],
});
const legal: Action[] = [
  lay('wall', 'A1', 'B1', 'C1', 'D1'),
  lay('wall', 'A1', 'B1'),
  lay('road', 'O1', 'D3', 'D2', 'D1'),
  lay('river', 'A10', 'D1'),
  { text: 'vote ja', kind: 'vote', cards: ['ja'] },
  { text: 'pass', kind: 'pass' },
];

describe('spots', () => {
  it('are the last squares of tiles, each once', () => {
    expect(spots(geometry, legal).map(({ id }) => id)).toEqual(['B1', 'D1']);
  });

  it('hold all tiles that end there, the shortest first', () => {
    const spot = spots(geometry, legal).find(({ id }) => id === 'D1')!;
    expect(spot.actions.map(({ text }) => text)).toEqual([
      'lay river A10 D1',
      'lay wall A1 B1-D1',
      'lay road O1 D3-D1',
    ]);
    expect([spot.x, spot.y]).toEqual([350, 50]);
  });

  it('follow the town when it is seen from its side', () => {
    const side = turnedToSide(shipped as never).geometry as DrunterGeometry;
    const spot = spots(side, legal).find(({ id }) => id === 'D1')!;
    expect([spot.x, spot.y]).toEqual([950, 350]);
    expect(frame(side)).toEqual([
      geometry.view_box[1],
      geometry.view_box[0],
      geometry.view_box[3],
      geometry.view_box[2],
    ]);
  });

  it('are none where nothing is laid', () => {
    expect(spots(geometry, legal.slice(4))).toEqual([]);
  });
});

it('tells which pile a tile comes from', () => {
  const walls = { kind: 'wall', length: 3 };
  expect(legal.map((action) => isFrom(walls, action))).toEqual([true, false, false, false, false, false]);
});

it('lets the keyboard walk over every square', () => {
  expect(walkable(geometry)).toHaveLength(geometry.width * geometry.height);
  expect(walkable(geometry)[16]).toEqual({ id: 'B2', x: 150, y: 150 });
});

describe('what is meant where nothing may be laid', () => {
  const gangs = { A1: 'C1', O1: 'O1', A10: 'A10', O10: null };

  it('is a short tile of the path whose gang is nearest', () => {
    expect(meant(geometry, { gangs }, legal, { x: 320, y: 160 })).toBe('lay wall A1 D2');
    expect(meant(geometry, { gangs }, legal, { x: 1450, y: 350 })).toBe('lay road O1 O4');
  });

  it('is nothing beside the board, nor where nothing is laid now', () => {
    expect(meant(geometry, { gangs }, legal, { x: -300, y: 50 })).toBe(null);
    expect(meant(geometry, { gangs }, [{ text: 'pass', kind: 'pass' }], { x: 320, y: 160 })).toBe(null);
    expect(meant(geometry, null, legal, { x: 320, y: 160 })).toBe(null);
  });
});
