import type { Way } from './proxy.js';

/**
 * Execute of an unnamed portal in PostgreSQL's protocol: a transaction that travels at once has several of them before
 * its Sync.
 */
const EXECUTE = Buffer.from([0x45, 0, 0, 0, 9, 0, 0, 0, 0, 0]).toString('latin1');
/** Ready, outside of a transaction. */
const IDLE = Buffer.from([0x5a, 0, 0, 0, 5, 0x49]).toString('latin1');

/** Bytes that ask PostgreSQL to commit: the statement, or several others with one Sync behind them. */
export function asksToCommit(way: Way, piece: Buffer): boolean {
  const text = piece.toString('latin1');
  return way === 'request' && (/commit\0/i.test(text) || text.split(EXECUTE).length > 2);
}

/** Bytes with which PostgreSQL acknowledges a commit. */
export function saysCommitted(way: Way, piece: Buffer): boolean {
  const text = piece.toString('latin1');
  return (
    way === 'reply' &&
    (text.includes('COMMIT\0') ||
      (text.includes('INSERT 0 ') && text.includes(IDLE)) ||
      (text.split('SELECT 1\0').length > 2 && text.includes(IDLE)))
  );
}
