import { PUSH_GROUPS, type PushDevice, type PushGroup } from '@bourse/contract';
import { readKept, writeKept } from '../prefs/kept.js';
import { api } from './api.js';
import { PRICE_ALERTS } from './price-alerts.js';
import { alertsOfDevice } from './push-choice.js';
import { useSession } from './session.js';
import { PUSH_DEVICE } from './with-push.js';

/** The registration as this browser stores it: its person and its id. */
interface KeptDevice {
  readonly id: number;
  readonly userId: string | null;
}
const QUIET = { quiet: true } as const;

/** Whether this browser can show push messages at all. */
export const canPush = (): boolean =>
  'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window;

/** Reads the subscription of this browser; null without one. */
async function readSubscription(): Promise<PushSubscription | null> {
  const registration = await navigator.serviceWorker.getRegistration('/');
  return (await registration?.pushManager.getSubscription()) ?? null;
}

/** The key to register with, the person's devices, and which of them is this browser. */
export async function readPush(): Promise<{
  readonly devices: readonly PushDevice[];
  readonly own: PushDevice | undefined;
}> {
  const { message } = await api.get('/api/push/devices', {}, QUIET);
  const now = canPush() ? await readSubscription() : null;
  const mark = now ? await markOf(now.endpoint) : '';
  return { devices: message.devices, own: message.devices.find((device) => device.mark === mark) };
}

/**
 * Registers this browser with its push service and with the exchange. Throws `NotAllowedError` (a `DOMException`) where
 * the person or the browser forbids notifications, `ApiError`, `NetworkError`.
 */
export async function switchOnPush(groups: readonly PushGroup[], label: string): Promise<void> {
  if ((await Notification.requestPermission()) !== 'granted')
    throw new DOMException('notifications are not allowed', 'NotAllowedError');
  await navigator.serviceWorker.register('/sw.js');
  const { pushManager } = await navigator.serviceWorker.ready;
  const { message } = await api.get('/api/push/devices', {}, QUIET);
  const applicationServerKey = message.public_key;
  const before = await pushManager.getSubscription();
  const keyBefore = before?.options.applicationServerKey;
  // A registration under an earlier key of the exchange receives nothing.
  if (keyBefore && base64url(keyBefore) !== applicationServerKey) await before.unsubscribe();
  await registerDevice(await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey }), groups, label);
}

async function registerDevice(of: PushSubscription, groups: readonly PushGroup[], label: string): Promise<void> {
  const { endpoint, keys } = of.toJSON();
  const chosen = Object.fromEntries(PUSH_GROUPS.map((group) => [group, groups.includes(group) ? 1 : 0]));
  const { message } = await api.post(
    '/api/push/add',
    { endpoint: endpoint ?? '', p256dh: keys?.['p256dh'] ?? '', auth: keys?.['auth'] ?? '', label, ...chosen },
    QUIET,
  );
  await writeKept(PUSH_DEVICE, { id: message.id, userId: useSession.getState().userId } satisfies KeptDevice);
  await sendAlerts(message.id, await readKept<unknown>(PRICE_ALERTS));
}

/** Ends the registration of this browser at the exchange and at its push service. */
export async function switchOffPush(): Promise<void> {
  const kept = await readKept<KeptDevice | null>(PUSH_DEVICE);
  if (!kept) return;
  await writeKept(PUSH_DEVICE, null);
  if (canPush()) await (await readSubscription())?.unsubscribe();
  if (kept.userId === useSession.getState().userId) await api.post('/api/push/remove', { id: kept.id }, QUIET);
}

/**
 * At the start of a page: renews the registration of the signed-in person with its choices, and ends the registration
 * of another person, so that nobody else reads their messages.
 */
export async function renewPush(): Promise<void> {
  const kept = await readKept<KeptDevice | null>(PUSH_DEVICE);
  if (!kept || !canPush()) return;
  if (kept.userId !== useSession.getState().userId) return switchOffPush();
  const [{ own }, now] = await Promise.all([readPush(), readSubscription()]);
  if (!own || !now) return switchOffPush();
  await registerDevice(now, own.groups, own.label);
}

/** Sends the exchange the price alerts of this browser, where push messages are on. */
export async function syncAlerts(alerts: unknown): Promise<void> {
  const kept = await readKept<KeptDevice | null>(PUSH_DEVICE);
  if (kept && kept.userId === useSession.getState().userId) await sendAlerts(kept.id, alerts);
}

async function sendAlerts(id: number, kept: unknown): Promise<void> {
  await api.post('/api/push/alerts', { id, alerts: JSON.stringify(alertsOfDevice(kept)) }, QUIET);
}

async function markOf(endpoint: string): Promise<string> {
  return base64url(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(endpoint)));
}
const base64url = (bytes: ArrayBuffer): string =>
  btoa(String.fromCharCode(...new Uint8Array(bytes)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
