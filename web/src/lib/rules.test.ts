import { expect, test } from 'vitest';
import { withLinks } from '$lib/rules';

test('emphasis and numbers of rules are taken apart, all else stays', () => {
  expect(withLinks('A *free* triangle (C7.1), not C7.')).toEqual([
    { kind: 'text', text: 'A ' },
    { kind: 'strong', text: 'free' },
    { kind: 'text', text: ' triangle (' },
    { kind: 'rule', text: 'C7.1' },
    { kind: 'text', text: '), not C7.' },
  ]);
});
