/*
 * Shows push messages and opens the page that they speak of. Answers a navigation without a network with a page of its
 * own. It caches nothing.
 */
importScripts('/offline-page.js');

/** Only an address of this site is opened. */
const ownPath = (link) => (typeof link === 'string' && /^\/(?![/\\])/.test(link) ? link : '/');

function messageOf(data) {
  try {
    const { title, body, link, tag } = data.json();
    return { title: String(title), body: String(body ?? ''), link: ownPath(link), tag: String(tag ?? '') };
  } catch {
    return undefined;
  }
}

async function show(data) {
  const message = data && messageOf(data);
  if (!message) return;
  // A page in front shows the same message itself.
  const pages = await self.clients.matchAll({ type: 'window' });
  if (pages.some(({ focused }) => focused)) return;
  const { title, body, link, tag } = message;
  await self.registration.showNotification(title, { body, tag, data: { link }, icon: '/icon.svg', badge: '/icon.svg' });
}

/** Another page of this site keeps what is typed in it: only one with this very address is reused. */
async function open(link) {
  const pages = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
  const there = pages.find(({ url }) => url === new URL(link, self.location.origin).href);
  await (there ? there.focus() : self.clients.openWindow(link));
}

/** The answer of the network, which was asked while this script started; without one the page that says so. */
async function load(event) {
  try {
    return (await event.preloadResponse) ?? (await fetch(event.request));
  } catch {
    const { html, policy } = self.offlinePage;
    const headers = { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': policy };
    return new Response(html, { status: 503, headers });
  }
}

/** Takes the open pages over, and lets navigations reach the network before this script has started. */
const start = () => Promise.all([self.clients.claim(), self.registration.navigationPreload?.enable()]);

self.addEventListener('install', () => void self.skipWaiting());
self.addEventListener('activate', (event) => event.waitUntil(start()));
self.addEventListener('fetch', (event) => {
  if (event.request.mode === 'navigate') event.respondWith(load(event));
});
self.addEventListener('push', (event) => event.waitUntil(show(event.data)));
self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(open(ownPath(event.notification.data?.link)));
});
