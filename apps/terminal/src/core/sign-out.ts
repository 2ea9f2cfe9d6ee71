import { SIGN_OUT_MS, waitAtMost, waitForLogout } from '@bourse/web';
import { api } from './api.js';
import { forgetSession, useSession } from './session.js';
import { withPush } from './with-push.js';

/** How long a sign-out waits until this browser gets no push messages any more. */
const PUSH_OFF_MS = SIGN_OUT_MS / 3;

/** Signs out here and on the server. Clears the storage except the language; theme and palette stay on the screen. */
export async function signOut(): Promise<void> {
  useSession.setState({ leaving: true });
  const { token } = useSession.getState();
  const end = async (): Promise<void> => {
    // A push service that is silent must not keep the session alive at the exchange.
    await waitAtMost(
      PUSH_OFF_MS,
      withPush(({ switchOffPush }) => switchOffPush()),
    );
    await api.post('/api/user/logout', {}, { quiet: true });
  };
  await waitForLogout(end());
  if (useSession.getState().token === token) forgetSession();
}
