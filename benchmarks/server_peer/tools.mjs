// What both sides need.

const NOT_READY = 503;

/** POST as JSON; the answer's body and its cookies. A server that is still getting ready is asked again. */
export async function post(url, body, headers = {}) {
  const answer = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  });
  const text = await answer.text();
  if (answer.status === NOT_READY) {
    await sleep(0.2);
    return post(url, body, headers);
  }
  if (!answer.ok) throw new Error(`POST ${url}: ${answer.status} ${text}`);
  return { body: text ? JSON.parse(text) : null, cookies: answer.headers.getSetCookie() };
}

/** Do a job for each of the items, some of them at a time. */
export async function each(items, atOnce, job) {
  const waiting = items.values();
  const worker = async () => {
    for (const item of waiting) await job(item);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
}

export function sleep(seconds) {
  return new Promise((resolve) => setTimeout(resolve, 1000 * seconds));
}

/** Milliseconds below which these shares of the times lie. */
export function percentiles(times) {
  const sorted = Float64Array.from(times).sort();
  const at = (share) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? null;
  return { count: sorted.length, p50: at(0.5), p95: at(0.95), p99: at(0.99), max: at(1) };
}
