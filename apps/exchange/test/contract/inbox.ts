import { eventuallySatisfied } from '@bourse/testing/eventually';
import { post } from './client.js';
import { readClock } from './dev-clock.js';
import { done } from './people.js';

/* Personal notices of people, as tests of the products read them. */

interface InboxNotice {
  readonly id: number;
  readonly title: string;
  readonly content: string;
}
/** The newest fifty notices of a person, in English. */
const newest = async (token: string): Promise<InboxNotice[]> =>
  (await done(post('/api/notice/list', { limit: 50 }, { token }))).message.list;
/**
 * Notices of each new day about the previous one. Tests move the clock by minutes and by days, so any of them may cross
 * a midnight, depending on the hour of its start.
 */
const OF_THE_DAY_BEFORE: readonly string[] = ['Points booked', 'Team rebate'];
/** Title and first paragraph. */
const wordsOf = ({ title, content }: InboxNotice): string =>
  `${title} · ${content.slice('<p>'.length, content.indexOf('</p>'))}`;

export interface Inbox {
  /** Title and text of the notices since the start, newest first, without those of a new day. */
  words(): Promise<readonly string[]>;
  /** Waits until these notices have arrived, each as often as it is named. */
  receives(...words: readonly string[]): Promise<void>;
}
/** How far the clock is moved so that all services finish the messages that they have read, ms. */
const SETTLE_MS = 500;
/** Moves the clock a little: the call returns when every consumer has read all earlier messages. */
async function settle(): Promise<void> {
  const now = await readClock();
  await done(post('/dev/clock', { set: String(now + SETTLE_MS) }));
}

/** Collects the notices that a person gets from now on. */
export async function inboxOf(token: string): Promise<Inbox> {
  // A notice of an earlier command that arrives later would count as new.
  await settle();
  const known = new Set((await newest(token)).map(({ id }) => id));
  const come = async (): Promise<readonly InboxNotice[]> => (await newest(token)).filter(({ id }) => !known.has(id));
  const all = async (): Promise<readonly string[]> => (await come()).map(wordsOf);
  return {
    async words() {
      return (await come()).filter(({ title }) => !OF_THE_DAY_BEFORE.includes(title)).map(wordsOf);
    },
    async receives(...wanted) {
      const times = (list: readonly string[], one: string): number => list.filter((each) => each === one).length;
      await eventuallySatisfied(
        all,
        (found) => wanted.every((one) => times(found, one) === times(wanted, one)),
        15_000,
      ).catch((error: unknown) => {
        throw new Error(`not received: ${wanted.join(' | ')}`, { cause: error });
      });
    },
  };
}
