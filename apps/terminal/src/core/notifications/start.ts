import type { SpotOrder } from '@bourse/contract';
import { useSession } from '../session.js';
import { openNotifications } from './store.js';

/** Notifications about orders and money: loaded once per visit, and only for a signed-in person. */
let following: Promise<typeof import('./follow.js')> | undefined;
const follow = (): Promise<typeof import('./follow.js')> =>
  (following ??= import('./follow.js').then(
    (loaded) => {
      loaded.followPerson();
      return loaded;
    },
    (error: unknown) => {
      following = undefined;
      throw error;
    },
  ));

/** Reports news to the signed-in person. Resolves once the first person can get them, at once for a guest. */
export async function startNotifications(): Promise<void> {
  let user: string | null = null;
  const change = async (): Promise<void> => {
    const { token, userId } = useSession.getState();
    const now = token === null ? null : userId;
    if (now === user) return;
    user = now;
    void openNotifications(now ?? undefined);
    if (now !== null) await follow().catch((error: unknown) => console.warn('news will not be told', error));
  };
  useSession.subscribe(() => void change());
  await change();
}

/** An order was accepted: its toast, unless its fill was reported before the answer came. */
export async function notifyAccepted(order: SpotOrder): Promise<void> {
  (await follow()).notifyAccepted(order);
}
