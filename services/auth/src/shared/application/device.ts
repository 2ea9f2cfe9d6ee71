import { createHash } from 'node:crypto';
import type { Origin } from './ports/sessions.js';

/** Name of a device that sends no id: a one-way hash of its address and agent. */
const byAddress = ({ ip, agent }: Pick<Origin, 'ip' | 'agent'>): string =>
  createHash('sha256').update(`${ip}|${agent}`).digest('base64url').slice(0, 22);

/** Name of the calling device: its own id, or, for programs that send none, its address and agent. */
export const deviceOf = (origin: Origin): string =>
  origin.device === null ? byAddress(origin) : `id:${origin.device}`;

/**
 * All names by which the device may be known, the most certain first: a browser that sends its id now may have signed
 * in before it had one.
 */
export const devicesOf = (origin: Origin): readonly string[] =>
  origin.device === null ? [byAddress(origin)] : [deviceOf(origin), byAddress(origin)];

/** Scenes whose codes a signed-in person requests and uses: these belong to the person, all others to the device. */
const OF_PEOPLE: ReadonlySet<string> = new Set(['bind', 'fund', 'draw_address']);

/** The requester to whom a code of this call belongs (decision 0052). */
export const askerOf = (scene: string, userId: number | null, origin: Origin): string =>
  userId !== null && OF_PEOPLE.has(scene) ? `user:${userId}` : `device:${deviceOf(origin)}`;

/**
 * Requesters whose codes a call may use: the signed-in person and the device; without a token also people who requested
 * a code on it.
 */
export interface CodeRequesters {
  readonly names: readonly string[];
  readonly onDevice: string | null;
}
export const codeRequesters = (userId: number | null, origin: Origin): CodeRequesters => ({
  names: [...(userId === null ? [] : [`user:${userId}`]), `device:${deviceOf(origin)}`],
  onDevice: userId === null ? deviceOf(origin) : null,
});
