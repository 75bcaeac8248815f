import { afterEach, expect, test } from 'vitest';
import { percent, speak } from './i18n.svelte';

afterEach(() => speak('en'));

test('a share is told in whole hundredths, as the language writes them', async () => {
  expect([0.58, 1, 0.005].map(percent)).toEqual(['58%', '100%', '1%']);
  await speak('de');
  expect(percent(0.58)).toBe('58\u00a0%');
});

test('next to nothing is not called nothing', () => {
  expect([0.0049, 0].map(percent)).toEqual(['< 1%', '< 1%']);
});
