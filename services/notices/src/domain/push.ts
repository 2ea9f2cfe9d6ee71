import type { PushGroup } from '@bourse/contract';
import type { NoticeKind } from '@bourse/events';

/** The group of each kind of notice. */
const GROUP_OF: Readonly<Record<NoticeKind, Exclude<PushGroup, 'alerts'>>> = {
  orderFilled: 'trades',
  exitsDropped: 'trades',
  positionRisk: 'trades',
  positionStop: 'trades',
  positionTarget: 'trades',
  positionCover: 'trades',
  positionOpened: 'trades',
  microSettled: 'trades',
  claimPaid: 'trades',
  dealOpened: 'deals',
  dealPaid: 'deals',
  dealReleased: 'deals',
  dealCancelled: 'deals',
  dealExpired: 'deals',
  dealReminder: 'deals',
  adRemoved: 'deals',
  appealOpened: 'deals',
  appealWithdrawn: 'deals',
  appealDecided: 'deals',
  acceptorPlaced: 'deals',
  acceptorRejected: 'deals',
  acceptorReturned: 'deals',
  acceptorTransferred: 'deals',
  acceptorObjected: 'deals',
  acceptorDone: 'deals',
  shopPassed: 'deals',
  shopRejected: 'deals',
  depositSeen: 'account',
  depositCredited: 'account',
  depositHeld: 'account',
  depositReturned: 'account',
  withdrawalPlaced: 'account',
  withdrawalSent: 'account',
  withdrawalDone: 'account',
  withdrawalRejected: 'account',
  balanceAdjusted: 'account',
  savingsMatured: 'account',
  savingsCancelled: 'account',
  rebatePaid: 'account',
  pointsBooked: 'account',
  rankRisen: 'account',
  newDevice: 'account',
  passwordChanged: 'account',
  authenticatorChanged: 'account',
  passkeyChanged: 'account',
  accountFrozen: 'account',
  accountUnfrozen: 'account',
  identityPassed: 'account',
  identityRejected: 'account',
  complaintAnswered: 'account',
  message: 'account',
};
/** The group whose devices get a notice of this kind. */
export const groupOf = (kind: NoticeKind): PushGroup => GROUP_OF[kind];

/** Notices after which sessions end: afterwards only devices that a signed-in page renews get messages. */
const ENDS_SESSIONS: ReadonlySet<NoticeKind> = new Set(['passwordChanged', 'accountFrozen']);
/** Whether devices must be renewed by a signed-in page after this notice. */
export const endsSessions = (kind: NoticeKind): boolean => ENDS_SESSIONS.has(kind);

/** A message as a device shows it: the service worker reads it. */
export interface PushMessage {
  readonly title: string;
  readonly body: string;
  /** An address of the terminal. */
  readonly link: string;
  /** A later message with the same tag replaces the earlier one. */
  readonly tag: string;
}

const ENDPOINT_MAX = 1_000;
/** A name with a dot and letters at its end: neither an IP address nor a name of the local network. */
const PUBLIC_NAME = /^(?=.{4,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}$/;
const OWN_NAMES = /\.(local|localhost|localdomain|internal|intranet|lan|home|corp|test|invalid|example|onion)$/;

/**
 * Whether messages may be sent to this address of a push service: https on its usual port, a public name, no sign-in in
 * it. The addresses behind the name are checked at each sending. `testOrigin` is the one other that tests allow.
 */
export function isPushEndpoint(text: string, testOrigin: string | null): boolean {
  if (text.length > ENDPOINT_MAX || !URL.canParse(text)) return false;
  const { protocol, port, hostname, username, password, hash } = new URL(text);
  if (username !== '' || password !== '' || hash !== '') return false;
  if (isTestOrigin(new URL(text), testOrigin)) return true;
  return protocol === 'https:' && port === '' && PUBLIC_NAME.test(hostname) && !OWN_NAMES.test(hostname);
}

/** Whether an address is that of the push service of the tests, at any port. */
export const isTestOrigin = ({ protocol, hostname }: URL, testOrigin: string | null): boolean =>
  testOrigin !== null && testOrigin === `${protocol}//${hostname}`;

/** Public keys of a device (RFC 8291). */
export interface DeviceKeys {
  /** An uncompressed point of P-256, base64url. */
  readonly p256dh: string;
  /** 16 bytes, base64url. */
  readonly auth: string;
}
const AUTH_BYTES = 16;
const POINT_BYTES = 65;
/** Whether the texts have the form of the keys; whether the point is on the curve shows at the first encryption. */
export function hasKeyForm({ p256dh, auth }: DeviceKeys): boolean {
  const point = Buffer.from(p256dh, 'base64url');
  return point.length === POINT_BYTES && point[0] === 4 && Buffer.from(auth, 'base64url').length === AUTH_BYTES;
}

/** A price at which a device gets a message, once. */
export interface DeviceAlert {
  /** The id that the browser gave it. */
  readonly id: string;
  readonly symbol: string;
  /** Decimal text. */
  readonly price: string;
  /** Whether the price is reached from below. */
  readonly above: boolean;
  /** The market page of the pair. */
  readonly link: string;
}

/** Seconds before the tries after the first, second and third failure; a fourth failure is the last. */
const PAUSES_S: readonly number[] = [5, 30, 120];
/** When a message that has failed so often is tried again, seconds from now; null: never. */
export const pauseAfter = (failures: number): number | null => PAUSES_S[failures - 1] ?? null;

/** How a try ended: `gone`: the device takes nothing any more; `refused`: not this message; `later`: try again. */
export type PushOutcome = 'sent' | 'gone' | 'refused' | 'later';
const GONE: ReadonlySet<number> = new Set([404, 410]);
/** The outcome that a status of a push service means (RFC 8030). */
export function outcomeOf(status: number): PushOutcome {
  if (status >= 200 && status < 300) return 'sent';
  if (GONE.has(status)) return 'gone';
  return status === 408 || status === 429 || status >= 500 ? 'later' : 'refused';
}
