/** The page puts tiles together as the server's pictures do. `fixture/drawn.json` holds what those pictures refer to. */

import { describe, expect, it } from 'vitest';
import type { ProposalFacts, TileFacts } from '$protocol/messages';
import type { DrunterArtwork, DrunterGeometry, Edition } from '$lib/types';
import drawings from './fixture/drawn.json';
import shipped from './fixture/edition.json';
import { boxAround, drawn, ends, lean, middle, passages, placed, turnedToSide } from './paths';

interface Use {
  href: string;
  transform?: string;
}
interface Group {
  class?: string;
  transform?: string;
  holds: (Use | Group)[];
}
interface Drawing {
  players: number;
  facts: { laid: TileFacts[]; gangs: Record<string, string | null>; proposal: ProposalFacts | null };
  drawn: (Use | Group)[];
}

const edition = shipped as unknown as Edition<DrunterGeometry, DrunterArtwork>;
const { geometry } = edition;
const { paths } = edition.artwork;
const isGroup = (part: Use | Group): part is Group => 'holds' in part;
const told = (part: Use): [string, string] => [part.href.slice(1), part.transform ?? ''];
const uses = (group: Group): Use[] => group.holds as Use[];

describe.each(drawings as unknown as Drawing[])('a game of $players', ({ facts, drawn: picture }) => {
  const tiles = placed(geometry, facts.laid);
  const town = tiles.map((tile) => drawn(geometry, paths, tile));
  const groups = picture.filter(isGroup);
  const cards = groups.filter((group) => !group.class && uses(group)[0]!.href.includes('-card-'));
  const ways = groups.filter((group) => !group.class && !uses(group)[0]!.href.includes('-card-'));

  it('has the same grounds in the same places', () => {
    expect(town.map((tile) => [tile.transform, tile.ground])).toEqual(
      cards.map((group) => [group.transform ?? '', uses(group)[0]!.href.slice(1)]),
    );
  });

  it('has the same pieces of path on every tile', () => {
    expect(
      town.map((tile) => [tile.transform, tile.path.map((each) => [each.symbol, each.transform])]),
    ).toEqual(ways.map((group) => [group.transform ?? '', uses(group).map(told)]));
  });

  it('leads out of corners and under bridges in the same way', () => {
    const ours = tiles.flatMap((tile) => passages(geometry, paths, tile));
    const theirs = picture.filter((part): part is Use => !isGroup(part));
    expect(ours.map((each) => [each.symbol, each.transform])).toEqual(theirs.map(told));
  });

  it('has carts and signs in the same places', () => {
    const theirs = groups
      .filter((group) => group.class === 'dr-gang' || group.class === 'dr-blocked')
      .map((group) => uses(group)[0]!.transform);
    const found = ends(geometry, tiles);
    expect(found.map(({ x, y }) => `translate(${x} ${y})`)).toEqual(theirs);
    const standing = found.filter(({ corner }) => facts.gangs[corner] !== null);
    expect(standing.every(({ corner, square }) => facts.gangs[corner] === square)).toBe(true);
  });

  it('draws a tile under vote as the last of its path', () => {
    const ghost = groups.find((group) => group.class === 'dr-ghost');
    if (!facts.proposal || !ghost) {
      expect([facts.proposal, ghost]).toEqual([null, undefined]);
      return;
    }
    const ours = drawn(geometry, paths, placed(geometry, [...facts.laid, facts.proposal]).at(-1)!);
    const [ground, path] = (ghost.holds[0] as Group).holds as [Group, Group];
    expect([ours.transform, ours.ground]).toEqual([ground.transform, uses(ground)[0]!.href.slice(1)]);
    expect(ours.path.map((each) => [each.symbol, each.transform])).toEqual(uses(path).map(told));
  });
});

describe('the drawings', () => {
  it('show all that there is to show', () => {
    const all = drawings as unknown as Drawing[];
    expect(all.some(({ facts }) => facts.laid.some(({ under }) => under.length > 1))).toBe(true);
    expect(all.some(({ facts }) => Object.values(facts.gangs).includes(null))).toBe(true);
    expect(all.some(({ facts }) => facts.proposal)).toBe(true);
  });
});

describe('the town seen from its side', () => {
  const side = turnedToSide(edition) as Edition<DrunterGeometry, DrunterArtwork>;

  it('keeps neighbours and hands: what bends right bends right', () => {
    const { laid } = (drawings as unknown as Drawing[])[0]!.facts;
    const pieces = (of: DrunterGeometry) =>
      placed(of, laid).map((tile) => drawn(of, paths, tile).path.map(({ symbol }) => symbol));
    expect(pieces(side.geometry)).toEqual(pieces(geometry));
  });

  it('lies wholly in its view, with houses that lean as before', () => {
    const [left, top, wide, high] = side.geometry.view_box as [number, number, number, number];
    for (const { x, y } of side.geometry.squares) {
      expect(x > left && x < left + wide && y > top && y < top + high).toBe(true);
    }
    expect(middle(side.geometry, 'A1')).toEqual({ name: 'A1', x: 950, y: 50 });
    expect(lean(side.geometry, 'K7', false)).toBe(lean(geometry, 'K7', false));
  });
});

it('puts a box around a tile', () => {
  expect(boxAround(geometry, ['B1', 'C1', 'D1'])).toEqual({ x: 102, y: 2, width: 296, height: 96 });
});
