import { createHash } from 'node:crypto';
import type { Origin } from './ports.js';

/** Name of the device a sign-in comes from: its address and its agent, not to be read back. */
export const deviceOf = ({ ip, agent }: Origin): string =>
  createHash('sha256').update(`${ip}|${agent}`).digest('base64url').slice(0, 22);
