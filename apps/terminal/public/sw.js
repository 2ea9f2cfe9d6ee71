/*
 * Shows push messages and opens the page that they speak of. Answers a navigation without a network with a page of its
 * own. It caches nothing.
 */
importScripts('/offline-page.js');

/** The start of the tag of a price alert, before its id; and the name under which this browser keeps its alerts. */
const ALERT_TAG = 'alert:';
const ALERTS = 'price.alerts';

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
  const { title, body, link, tag } = message;
  const alert = tag.startsWith(ALERT_TAG) ? tag.slice(ALERT_TAG.length) : undefined;
  const isShown = await isShownInFront(alert);
  const forgotten = alert === undefined ? undefined : forget(alert);
  const looks = { icon: '/icon.svg', badge: '/icon.svg' };
  if (!isShown) await self.registration.showNotification(title, { body, tag, data: { link }, ...looks });
  await forgotten;
}

/** A page in front shows every notice itself, but an alert only where it has a chart: it is asked. */
async function isShownInFront(alert) {
  const pages = await self.clients.matchAll({ type: 'window' });
  const front = pages.find(({ focused }) => focused);
  return front !== undefined && (alert === undefined || askPage(front, alert));
}

/** How long a page may take to answer; one without a chart never does. */
const ANSWER_MS = 1_000;
const askPage = (page, alert) =>
  new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    const end = (answer) => {
      clearTimeout(timer);
      port1.close();
      resolve(answer);
    };
    const timer = setTimeout(() => end(false), ANSWER_MS);
    port1.onmessage = () => end(true);
    page.postMessage({ alert }, [port2]);
  });

/**
 * Removes an alert from this browser and its pages (`prefs/kept.ts`, `use-kept.ts`): the exchange has sent it, and sends
 * it once.
 */
async function forget(alert) {
  try {
    const left = await removeKept(alert);
    if (!left) return;
    const tabs = new BroadcastChannel('kept');
    tabs.postMessage([ALERTS, left]);
    tabs.close();
  } catch (error) {
    console.warn('alert not removed', error);
  }
}

/** The alerts that are left, undefined where this one was not kept. One transaction: no page writes in between. */
const removeKept = (alert) =>
  new Promise((resolve, reject) => {
    const opened = indexedDB.open('bourse', 1);
    opened.onupgradeneeded = () => opened.result.createObjectStore('kept');
    opened.onerror = () => reject(opened.error);
    opened.onsuccess = () => {
      const transaction = opened.result.transaction('kept', 'readwrite');
      const store = transaction.objectStore('kept');
      const request = store.get(ALERTS);
      let left;
      request.onsuccess = () => {
        const kept = Array.isArray(request.result) ? request.result : [];
        if (!kept.some((one) => one?.id === alert)) return;
        left = kept.filter((one) => one?.id !== alert);
        store.put(left, ALERTS);
      };
      transaction.onerror = () => reject(transaction.error);
      transaction.oncomplete = () => {
        opened.result.close();
        resolve(left);
      };
    };
  });

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
