import { create } from 'zustand';
import type { MessageOf } from '@bourse/contract';
import { useToasts, waitForLogout } from '@bourse/web';
import { api, onSessionEnd, queryClient } from './api.js';
import { readToken, writeToken } from './stored.js';

/** Roles of operators, each with what those before it may do (api §2.12). */
export const ROLES = ['support', 'finance', 'admin'] as const;
export type Role = (typeof ROLES)[number];

export type Operator = MessageOf<'GET /api/admin/me'>;

/** The signed-in operator. Without `me` the token is there and its owner is not loaded yet. */
export const useOperator = create<{ token: string | null; me: Operator | undefined; meFailed: boolean }>()(() => ({
  token: readToken(),
  me: undefined,
  meFailed: false,
}));

/** Whether an operator with these roles may do what needs `role`: the highest role counts. */
export const mayDo = (roles: readonly string[], role: Role): boolean =>
  roles.some((one) => ROLES.indexOf(one as Role) >= ROLES.indexOf(role));

/** Whether the signed-in operator may do what needs this role. The server checks again. */
export const useMay = (role: Role): boolean => useOperator(({ me }) => me !== undefined && mayDo(me.roles, role));

/** The fields of an operator's sign-in; empty ones are not sent. */
export interface Access {
  readonly username: string;
  readonly password: string;
  readonly totpCode: string;
  readonly newPassword: string;
}

/**
 * @throws ApiError when the exchange refuses: `login.totpRequired` asks for the digits of the authenticator,
 * `admin.passwordFirst` for a new password in place of the first one
 */
export async function signIn({ username, password, totpCode, newPassword }: Access): Promise<void> {
  const { message: token } = await api.post(
    '/api/admin/login',
    { username, password, totp_code: totpCode || undefined, new_password: newPassword || undefined },
    { quiet: true },
  );
  writeToken(token);
  queryClient.clear();
  useOperator.setState({ token, me: undefined, meFailed: false });
  await readMe();
}

/** Reads the owner of the token. @throws the errors of the call */
export async function readMe(): Promise<void> {
  try {
    const { message: me } = await api.get('/api/admin/me', {}, { quiet: true });
    useOperator.setState({ me, meFailed: false });
  } catch (error) {
    useOperator.setState({ meFailed: true });
    throw error;
  }
}

/** Signs out here and on the server. This tab forgets the session even if the server does not answer. */
export async function signOut(): Promise<void> {
  const { token } = useOperator.getState();
  await waitForLogout(api.post('/api/admin/logout', {}, { quiet: true }));
  if (useOperator.getState().token === token) forget();
}

function forget(): void {
  writeToken(null);
  useToasts.setState({ toasts: [] });
  useOperator.setState({ token: null, me: undefined, meFailed: false });
  queryClient.clear();
}

/** Runs at the start of the page: reads the owner of a stored token. */
export function startOperator(): void {
  onSessionEnd(forget);
  if (readToken() !== null) readMe().catch((error: unknown) => console.warn('operator not read', error));
}
