import { create } from 'zustand';
import { keys } from '@bourse/api-client';
import type { UserInfo } from '@bourse/contract';
import { useToasts } from '@bourse/web';
import { clearStored, readStored, writeStored } from '../prefs/storage.js';
import { api, queryClient } from './api.js';
import { settleConfirmation } from './confirm.js';
import { feed } from './feed.js';
import { current } from './i18n.js';

/** Signed in means a stored token exists. */
export const useSession = create<{
  token: string | null;
  userId: string | null;
  info: UserInfo | undefined;
  /** The profile could not be read. */
  infoFailed: boolean;
  /** Signing out by the person's own wish: the end of the session is no news. */
  leaving: boolean;
  /** How many sessions have ended on this page: what a screen holds belongs to one of them. */
  left: number;
}>()(() => ({
  token: readStored('token'),
  userId: readStored('user_id'),
  info: undefined,
  infoFailed: false,
  leaving: false,
  left: 0,
}));

export const useSignedIn = (): boolean => useSession((session) => session.token !== null);

/** Remembers the session of now. @returns whether it still runs: what is read for it must not reach the next one */
export function markSession(): () => boolean {
  const { token } = useSession.getState();
  return () => useSession.getState().token === token;
}

/**
 * After a sign-in was answered: stores it, reads the profile, tells the server the language, and opens the private
 * events.
 */
export async function signIn(token: string, userId: number | string): Promise<void> {
  writeStored('token', token);
  writeStored('user_id', String(userId));
  changeSession(token, String(userId));
  await Promise.all([loadInfo(), api.post('/api/set/lang', { lang: current() }, { quiet: true })]);
}

/** Reads the profile and stores its parts under their keys, unless its session has ended meanwhile. */
export async function loadInfo(): Promise<UserInfo> {
  const isSame = markSession();
  const { message: info } = await api.get('/api/user/info', {}, { quiet: true });
  if (!isSame()) return info;
  writeStored('user_id', String(info.id));
  writeStored('accountNum', info.account_number);
  writeStored('extension_code', info.extension_code);
  writeStored('is_seller', String(info.is_seller));
  writeStored('type', String(info.type));
  useSession.setState({ info, infoFailed: false, userId: String(info.id) });
  return info;
}

/** Drops everything that belonged to the session, without a call. */
export function forgetSession(): void {
  clearStored();
  changeSession(null, null);
}

/** Drops what the last session left on the page: questions, toasts with their actions, answers, and filled forms. */
function changeSession(token: string | null, userId: string | null): void {
  const { token: before, left } = useSession.getState();
  // The stored id of the person may arrive after the token: each session counts as another person's.
  const hasEnded = before !== null && before !== token;
  settleConfirmation(false);
  if (hasEnded) useToasts.setState({ toasts: [] });
  queryClient.removeQueries({ queryKey: keys.user });
  useSession.setState({
    token,
    userId,
    info: undefined,
    infoFailed: false,
    leaving: false,
    left: hasEnded ? left + 1 : left,
  });
  feed.renew();
}

/** Reads the profile of an existing session; the page works without an answer. */
function followInfo(): void {
  loadInfo().catch((error: unknown) => {
    console.warn('profile not read', error);
    useSession.setState({ infoFailed: true });
  });
}

/** Start of the page: a stored token gets its profile; other tabs are followed. */
export function startSession(): void {
  if (readStored('token') !== null) followInfo();
  window.addEventListener('storage', (event) => {
    if (event.key !== 'token' && event.key !== null) return;
    const token = readStored('token');
    if (token === useSession.getState().token) return;
    changeSession(token, readStored('user_id'));
    if (token !== null) followInfo();
  });
}
