/** Requests to the server, and its refusals as errors that have a sentence for people. */

import { settings } from '$lib/settings.svelte';

/** Something was refused; nothing has changed. */
export class Refusal extends Error {
  constructor(
    readonly code: string,
    readonly sentence: string,
    readonly rule: string | null = null,
    readonly places: string[] = [],
    readonly status = 0,
    readonly retryAfter: number | null = null,
    /** Of a record: the place in it, and what exactly is wrong there, in English. */
    readonly where: string | null = null,
    readonly detail: string | null = null,
  ) {
    super(sentence);
  }
}

/** The server could not be reached. */
export class Unreachable extends Error {}

interface RefusalBody {
  code: string;
  sentence: string;
  rule?: string | null;
  places?: string[];
  retry_after?: number | null;
  where?: string | null;
  detail?: string | null;
}

const WARMING_AGAIN = 500;
const isWarming = (answer: unknown): boolean => (answer as RefusalBody | null)?.code === 'warming';

function written(body: unknown): string | null {
  if (body === undefined) return null;
  return typeof body === 'string' ? body : JSON.stringify(body);
}

/** Ask for something; the answer as JSON. A text is sent as it is, all else as JSON. While the server is getting ready, ask again. */
export async function ask<T>(
  method: string,
  path: string,
  body?: unknown,
  more: Record<string, string> = {},
): Promise<T> {
  const headers: Record<string, string> = { 'accept-language': settings.language, ...more };
  if (body !== undefined) headers['content-type'] = 'application/json';
  let response: Response;
  try {
    response = await fetch(path, { method, headers, body: written(body) });
  } catch {
    throw new Unreachable(path);
  }
  if (response.status === 204) return undefined as T;
  const answer: unknown = await response.json().catch(() => null);
  if (response.ok) return answer as T;
  if (response.status === 503 && isWarming(answer)) {
    await new Promise((resolve) => setTimeout(resolve, WARMING_AGAIN));
    return ask<T>(method, path, body, more);
  }
  const told = (answer ?? { code: 'unknown', sentence: response.statusText }) as RefusalBody;
  throw new Refusal(
    told.code,
    told.sentence,
    told.rule ?? null,
    told.places ?? [],
    response.status,
    told.retry_after ?? null,
    told.where ?? null,
    told.detail ?? null,
  );
}

export const get = <T>(path: string): Promise<T> => ask<T>('GET', path);
export const post = <T>(path: string, body: unknown = {}): Promise<T> => ask<T>('POST', path, body);
