/** Files that somebody brings along, as texts. */

import { Refusal } from '$lib/api';
import { t } from '$lib/i18n.svelte';

const MIB = 1024 * 1024;
/** What the server takes of a record. */
const MOST_MIB = 4;

/** The text of a file; `Refusal` where it is none. Nothing of a picture or a film is sent anywhere. */
export async function textOf(file: File): Promise<string> {
  if (file.size > MOST_MIB * MIB) throw new Refusal('too_large', t('replay.too_large', { mib: MOST_MIB }));
  const bytes = await file.arrayBuffer().catch(() => {
    throw new Refusal('no_file', t('replay.no_file'));
  });
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new Refusal('not_text', t('replay.not_text'));
  }
}
