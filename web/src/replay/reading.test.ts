// @vitest-environment node
import { expect, test } from 'vitest';
import { Refusal } from '$lib/api';
import { textOf } from './reading';

const file = (...parts: BlobPart[]): File => new File(parts, 'x');
const refused = (given: File): Promise<unknown> => textOf(given).catch((error: unknown) => error);

test('a text is read, with or without a mark in front', async () => {
  expect(await textOf(file('{"a": "ä"}'))).toBe('{"a": "ä"}');
  expect(await textOf(file(new Uint8Array([0xef, 0xbb, 0xbf]), '{}'))).toBe('{}');
  expect(await textOf(file())).toBe('');
});

test('a picture is no text', async () => {
  const found = await refused(file(new Uint8Array([0x89, 0x50, 0x4e, 0x47])));
  expect(found).toBeInstanceOf(Refusal);
  expect((found as Refusal).code).toBe('not_text');
});

test('what is far too large is not read', async () => {
  const found = await refused(file(new Uint8Array(4 * 1024 * 1024 + 1)));
  expect((found as Refusal).code).toBe('too_large');
});

test('what is gone, or a folder, is told', async () => {
  const gone = Object.assign(file('x'), { arrayBuffer: () => Promise.reject(new Error('gone')) });
  expect(((await refused(gone)) as Refusal).code).toBe('no_file');
});
