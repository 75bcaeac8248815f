import { beforeAll, describe, expect, it } from 'vitest';
import { speak } from '$lib/i18n.svelte';
import type { HintMessage } from '$protocol/messages';
import { Advice } from './advice.svelte';

type Setting = ReturnType<ConstructorParameters<typeof Advice>[0]>;

/** What is said above a hint. */
function headingOf(by: HintMessage['by']): string {
  const hint = { by } as HintMessage;
  return new Advice(() => ({ table: { hint } }) as Setting).heading;
}

describe('the heading of a hint', () => {
  beforeAll(() => speak('en'));

  it.each([
    ['network', 'A trained network suggests'],
    ['both', 'A trained network and a short search suggest'],
    ['search', 'does not know this game; a short search suggests'],
  ] as const)('says who gives it: %s', (by, words) => {
    expect(headingOf(by)).toContain(words);
  });
});
