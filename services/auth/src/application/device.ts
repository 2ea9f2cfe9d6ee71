import { createHash } from 'node:crypto';
import type { Origin } from './ports/sessions.js';

/** Name of a device that sends no id: its address and its agent, not to be read back. */
const byAddress = ({ ip, agent }: Pick<Origin, 'ip' | 'agent'>): string =>
  createHash('sha256').update(`${ip}|${agent}`).digest('base64url').slice(0, 22);

/** Name of the device a call comes from: its own id, or, of programs that send none, its address and its agent. */
export const deviceOf = (origin: Origin): string =>
  origin.device === null ? byAddress(origin) : `id:${origin.device}`;

/**
 * All names by which the device may be known, the surest first: a browser that sends its id now may have signed in
 * before it had one.
 */
export const devicesOf = (origin: Origin): readonly string[] =>
  origin.device === null ? [byAddress(origin)] : [deviceOf(origin), byAddress(origin)];

/** Scenes whose codes a signed-in person asks for and uses: these belong to the person, all others to the device. */
const OF_PEOPLE: ReadonlySet<string> = new Set(['bind', 'fund', 'draw_address']);
export /** Whose code it is that is asked for now (0052). */
const askerOf = (scene: string, userId: number | null, origin: Origin): string =>
  userId !== null && OF_PEOPLE.has(scene) ? `user:${userId}` : `device:${deviceOf(origin)}`;

/**
 * Whose codes a call may use: the person's who is signed in, and what the device asked for; without a token also what
 * people asked for on it.
 */
export interface CodeRequesters {
  readonly names: readonly string[];
  readonly onDevice: string | null;
}
export const askersOf = (userId: number | null, origin: Origin): CodeRequesters => ({
  names: [...(userId === null ? [] : [`user:${userId}`]), `device:${deviceOf(origin)}`],
  onDevice: userId === null ? deviceOf(origin) : null,
});
