import { newIntent } from '@bourse/api-client';
import { readKept, writeKept } from '../prefs/kept.js';

const KEY = 'device';
let device: Promise<string> | undefined;

/**
 * The random id (128 bits) by which the exchange knows this browser again. Made once and kept where logout does not
 * reach; where a browser keeps nothing it lives for the visit.
 */
export const deviceId = (): Promise<string> => (device ??= readOrMake());

async function readOrMake(): Promise<string> {
  const fresh = newIntent();
  try {
    const kept = await readKept<string>(KEY);
    if (typeof kept === 'string') return kept;
    await writeKept(KEY, fresh);
  } catch (error) {
    // The only expected failure is a browser that refuses storage; the visit continues without it.
    console.warn('the device id is not kept', error);
  }
  return fresh;
}
