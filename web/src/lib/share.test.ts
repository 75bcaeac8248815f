import { expect, test } from 'vitest';
import { dataOf, sized, sizeOf } from '$lib/share';

const SVG =
  '<svg xmlns="http://www.w3.org/2000/svg" width="7" viewBox="0 0 1000 1249.8"><g width="3"/></svg>';

test('the size of a drawing is that of its box', () => {
  expect(sizeOf(SVG)).toEqual({ width: 1000, height: 1249.8 });
  expect(() => sizeOf('<svg></svg>')).toThrow();
});

test('a drawing gets a size, and what is inside keeps its own', () => {
  expect(sized(SVG, 20, 10)).toBe(
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1000 1249.8" width="20" height="10"><g width="3"/></svg>',
  );
});

test('an address holds the whole drawing', () => {
  expect(decodeURIComponent(dataOf('<svg>#% é</svg>').split(',')[1]!)).toBe('<svg>#% é</svg>');
});
