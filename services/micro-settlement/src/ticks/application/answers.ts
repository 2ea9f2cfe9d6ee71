import type { Tick as ShownTick } from '@bourse/contract';
import type { Tick } from '../domain/tick.js';

/** A tick in the shape of api §2.6. */
export const shownTick = ({ id, symbol, time, price, at, prevHash, hash }: Tick): ShownTick => ({
  id: String(id),
  symbol,
  time,
  price,
  ...(at !== null && { at }),
  prev_hash: prevHash,
  hash,
});
