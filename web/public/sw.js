/* Beside the page: shows it without a network as far as it goes, and tells when it is somebody's turn (Web Push). */

const CACHE = 'embertown-1';
const YOUR_TURN = '/words/your-turn';

self.addEventListener('install', () => self.skipWaiting());

self.addEventListener('activate', (event) => {
  const clean = async () => {
    for (const name of await caches.keys()) if (name !== CACHE) await caches.delete(name);
    await self.clients.claim();
  };
  event.waitUntil(clean());
});

/** Files with a hash in their name never change; the page itself is asked for anew, and kept for when there is no network. */
self.addEventListener('fetch', (event) => {
  const { request } = event;
  const address = new URL(request.url);
  if (request.method !== 'GET' || address.origin !== self.location.origin || address.pathname.startsWith('/api/')) return;
  if (address.pathname.startsWith('/assets/')) event.respondWith(keptFirst(request));
  else if (request.mode === 'navigate') event.respondWith(page(request));
});

async function keptFirst(request) {
  const cache = await caches.open(CACHE);
  const kept = await cache.match(request);
  if (kept) return kept;
  const answer = await fetch(request);
  if (answer.ok) await cache.put(request, answer.clone());
  return answer;
}

async function page(request) {
  const cache = await caches.open(CACHE);
  try {
    const answer = await fetch(request);
    if (answer.ok) await cache.put('/', answer.clone());
    return answer;
  } catch (error) {
    const kept = await cache.match('/');
    if (kept) return kept;
    throw error;
  }
}

/** What the page left here to be said, in the person's language (`Remind.svelte`). */
async function yourTurn() {
  const cache = await caches.open(CACHE);
  const kept = await cache.match(YOUR_TURN);
  return kept ? kept.text() : 'Embertown';
}

self.addEventListener('push', (event) => {
  const told = event.data ? event.data.json() : {};
  const show = async () =>
    self.registration.showNotification(await yourTurn(), {
      body: told.title ?? '',
      tag: told.table,
      icon: '/icon-192.png',
      data: told.url ?? '/',
    });
  event.waitUntil(show());
});

self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  const address = new URL(event.notification.data, self.location.origin).href;
  const show = async () => {
    const open = await self.clients.matchAll({ type: 'window' });
    const there = open.find((client) => client.url === address);
    return there ? there.focus() : self.clients.openWindow(address);
  };
  event.waitUntil(show());
});
