import { chainHash, type OutboxRow } from '@bourse/persistence';
import type { Position } from '../ownership/ownership.js';

/**
 * Why a row does not continue the chain of its stream, or null when it does. `hashed`: whether to recompute the hash of
 * its payload; false if that was done already. A position without a hash accepts any preceding row.
 */
export function chainFault(
  row: OutboxRow,
  position: Position,
  { hashed }: { readonly hashed: boolean },
): string | null {
  if (position.hash !== null && row.previousHash !== position.hash)
    return (
      `the row before it has hash ${position.hash || '(none)'} here and ` +
      `${row.previousHash || '(none)'} there: the stream has forked or was set back`
    );
  return hashed && chainHash(row.previousHash, row.payload) !== row.hash ? 'its payload does not have its hash' : null;
}
