import { SESSION } from '../domain/session.js';

/** SQL: session `s` has not ended, is not idle and not too old, by the two times of `since` as $2 and $3. */
export const ACTIVE_SESSION = 's.ended_at is null and s.last_at > $2 and s.created_at > $3';
export const since = (now: number): [Date, Date] => [new Date(now - SESSION.idleMs), new Date(now - SESSION.lifeMs)];
