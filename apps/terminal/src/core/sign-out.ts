import { SIGN_OUT_MS, waitAtMost } from '@bourse/web';
import { api } from './api.js';
import { forgetSession, useSession } from './session.js';
import { withPush } from './with-push.js';

/** Signs out here and on the server. Clears the storage except the language; theme and palette stay on the screen. */
export async function signOut(): Promise<void> {
  useSession.setState({ leaving: true });
  const { token } = useSession.getState();
  const end = async (): Promise<void> => {
    await withPush(({ switchOffPush }) => switchOffPush());
    // Another person may have signed in while the push messages were switched off.
    if (useSession.getState().token === token) await api.post('/api/user/logout', {}, { quiet: true });
  };
  // Unreachable, silent or already ended: this browser forgets the session all the same.
  const ended = end().catch((error: unknown) => console.warn('logout was not answered', error));
  await waitAtMost(SIGN_OUT_MS, ended);
  if (useSession.getState().token === token) forgetSession();
}
