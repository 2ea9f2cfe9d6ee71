import { create } from 'zustand';
import { ApiClient } from '@bourse/api-client';
import { waitForLogout } from '@bourse/web';
import { deviceId } from '../../../core/device.js';
import { current } from '../../../core/i18n.js';
import { forgetPoints, type PointsAccess } from './points.js';

/**
 * The store of the points login's token: for this tab, and apart from the token of the terminal, which must not
 * take it for one of its own. Such a session may call points alone (api §2.1).
 */
const KEPT_AS = 'points_token';

interface PointsSession {
  readonly token: string | null;
  /** The session ended by itself. */
  readonly expired: boolean;
}
export const usePointsSession = create<PointsSession>()(() => ({
  token: sessionStorage.getItem(KEPT_AS),
  expired: false,
}));

const client = new ApiClient({
  token: () => usePointsSession.getState().token,
  lang: current,
  device: deviceId,
  onRefusal: ({ type }) => {
    if (type === '999' && usePointsSession.getState().token !== null) leave(true);
  },
});
/** Points by the points login. */
export const POINTS_SESSION: PointsAccess = { client, session: 'points' };

function leave(expired: boolean): void {
  sessionStorage.removeItem(KEPT_AS);
  usePointsSession.setState({ token: null, expired });
  forgetPoints(POINTS_SESSION);
}

/** Signs in for points alone. */
export async function signInForPoints(fields: {
  user_string: string;
  password: string;
  sms_code?: string;
  totp_code?: string;
}): Promise<void> {
  const { message: token } = await client.post('/api/Independent/points', fields, { quiet: true });
  sessionStorage.setItem(KEPT_AS, token);
  usePointsSession.setState({ token, expired: false });
}

/** Ends the session here and on the server. */
export async function signOutOfPoints(): Promise<void> {
  await waitForLogout(client.post('/api/user/logout', {}, { quiet: true }));
  leave(false);
}
