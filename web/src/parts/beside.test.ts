import { expect, test } from 'vitest';
import { around, beside, onScreen, TARGET, type Box, type Place } from './beside';

const area = { width: 360, height: 420 };
const box = (place: Place | null): Box => {
  if (!place) throw new Error('nowhere');
  const { x, y, isUpright } = place;
  return { x, y, width: isUpright ? TARGET : 2 * TARGET, height: isUpright ? 2 * TARGET : TARGET };
};
const overlaps = (one: Box, other: Box): boolean =>
  one.x < other.x + other.width &&
  other.x < one.x + one.width &&
  one.y < other.y + other.height &&
  other.y < one.y + one.height;

test.each([0, 40, 130, 280, 330])('beside a ghost at %i, wherever it lies', (x) => {
  for (const y of [0, 60, 200, 330, 390]) {
    for (const [width, height] of [
      [30, 30],
      [90, 30],
      [30, 90],
    ] as const) {
      const ghost = { x, y, width, height };
      const place = box(beside(ghost, area));
      expect(overlaps(place, ghost)).toBe(false);
      expect(place.x).toBeGreaterThanOrEqual(0);
      expect(place.y).toBeGreaterThanOrEqual(0);
      expect(place.x + place.width).toBeLessThanOrEqual(area.width);
      expect(place.y + place.height).toBeLessThanOrEqual(area.height);
    }
  }
});

test('other places stay free', () => {
  const ghost = { x: 150, y: 150, width: 40, height: 40 };
  const before = box(beside(ghost, area));
  const middle = { x: before.x + 10, y: before.y + 10 };
  const after = box(beside(ghost, area, [middle]));
  expect(after).not.toEqual(before);
  expect(overlaps(after, { ...middle, width: 1, height: 1 })).toBe(false);
});

test('among places everywhere there is none for them', () => {
  const everywhere = Array.from({ length: 400 }, (_each, index) => ({
    x: (index % 20) * 18,
    y: Math.floor(index / 20) * 21,
  }));
  expect(beside({ x: 150, y: 150, width: 40, height: 40 }, area, everywhere)).toBeNull();
  const rest = everywhere.filter(({ x, y }) => x > 150 || y > 230);
  const free = box(beside({ x: 150, y: 150, width: 40, height: 40 }, area, rest));
  expect(rest.some((each) => overlaps(free, { ...each, width: 1, height: 1 }))).toBe(false);
});

test('on a board hardly larger than the ghost there is no room', () => {
  expect(beside({ x: 0, y: 0, width: 100, height: 60 }, { width: 100, height: 60 })).toBeNull();
});

test('boxes of the board in pixels: in the middle, as an SVG fits itself', () => {
  const seen = onScreen({ x: 0, y: 0, width: 10, height: 20 }, [-100, -50, 200, 100], 400, 400);
  expect(seen).toEqual({ x: 200, y: 200, width: 20, height: 40 });
});

test('around several boxes', () => {
  expect(
    around([
      { x: 1, y: 2, width: 3, height: 4 },
      { x: -1, y: 5, width: 1, height: 9 },
    ]),
  ).toEqual({ x: -1, y: 2, width: 5, height: 12 });
});
