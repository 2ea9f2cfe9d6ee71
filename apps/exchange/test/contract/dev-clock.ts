import { get, post } from './client.js';
import { done } from './people.js';

/* The clock of a demo install, which tests read and move. */

/** Business time, ms. */
export const readClock = async (): Promise<number> =>
  ((await done(get('/dev/clock'))).message as { readonly now: number }).now;
/** Advances business time. */
export const advance = (seconds: number) => done(post('/dev/clock', { advance_seconds: seconds, scope: 'business' }));
