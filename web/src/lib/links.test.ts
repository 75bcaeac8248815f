import { beforeEach, expect, test } from 'vitest';
import { speak } from '$lib/i18n.svelte';
import { keepLinks, linksOf, watchLink } from '$lib/links';

const here = location.origin;
const addresses = (isPublic: boolean): string[] =>
  linksOf('abc', isPublic, (seat) => seat === 1).map(({ address }) => address);

beforeEach(async () => {
  localStorage.clear();
  await speak('en');
});

test('a public table is watched without a token, by a link that says who invites', () => {
  keepLinks({ table: 'abc', links: { 1: 'sit', 2: 'taken' }, watch: null });
  expect(addresses(true)).toEqual([`${here}/join#sit`, `${here}/join#table=abc`]);
  expect(watchLink('abc', true)?.title).toBe('Link for watching');
});

test('another table needs its token', () => {
  keepLinks({ table: 'abc', links: { 1: 'sit' }, watch: 'see' });
  expect(addresses(false)).toEqual([`${here}/join#sit`, `${here}/join#table=abc&watch=see`]);
});

test('where it is not known there is none, unless one came by it', () => {
  expect(addresses(false)).toEqual([]);
  expect(watchLink('abc', false)).toBe(null);
  expect(watchLink('abc', false, 'came')?.address).toBe(`${here}/join#table=abc&watch=came`);
});
