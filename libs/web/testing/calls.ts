import type { CallAt } from '@bourse/contract';
import { eventuallySatisfied } from '@bourse/testing/eventually';
import { required } from './test.js';

/** Address of the running exchange; `npm test` sets it. */
export const BASE = required('BOURSE_URL').replace(/\/$/, '');
/** Password of all people and operators of a demo install. */
export const PASSWORD = 'Harbor-2468';

const BUSY_MS_MAX = 60_000;
export type Body = Record<string, unknown>;
export type Fields = Readonly<Record<string, string | number>>;

/** Asks again while a busy exchange answers that it has done nothing. @throws Error where a call is refused */
async function accepted(path: string, ask: () => Promise<Response>): Promise<Body> {
  const { body } = await eventuallySatisfied(
    async () => ({ body: (await (await ask()).json()) as Body }),
    ({ body: { key } }) => key !== 'common.unavailable',
    BUSY_MS_MAX,
  );
  if (body['type'] !== 'ok') throw new Error(`${path}: ${JSON.stringify(body)}`);
  return body;
}
/** Posts a call. @throws Error where it is refused */
export async function call(path: string, fields: Fields, token = ''): Promise<Body> {
  const pairs = Object.entries(fields).map(([name, value]) => [name, String(value)]);
  const headers = { authorization: token, 'idempotency-key': crypto.randomUUID() };
  return accepted(path, () => fetch(`${BASE}${path}`, { method: 'POST', headers, body: new URLSearchParams(pairs) }));
}
/** Reads what a call answers; calls of demo installs are in no map: they name it. @throws Error where it is refused */
export function read<Told>(path: `/dev/${string}`): Promise<Told>;
export function read<P extends string>(path: P, token?: string): Promise<MessageIn<P>>;
export async function read(path: string, token = ''): Promise<unknown> {
  const body = await accepted(path, () => fetch(`${BASE}${path}`, { headers: { authorization: token } }));
  return body['message'];
}
/** What is read at a path, with or without a query. */
type MessageIn<P extends string> = P extends `${infer Path}?${string}`
  ? MessageIn<Path>
  : CallAt<'GET', P>['answer'] extends { message: infer M }
    ? M
    : never;
/** Reads until `isSo` accepts what was read. `withinMs` is the limit on an idle machine. */
export const until = <T>(ask: () => Promise<T>, isSo: (seen: T) => boolean, withinMs = 20_000): Promise<T> =>
  eventuallySatisfied(ask, isSo, withinMs);

/** A grey pixel. */
export const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNoAAAAggCBd81ytgAAAABJRU5ErkJggg==',
  'base64',
);
/** Uploads a picture and returns its name. */
export async function upload(token: string, scene: string): Promise<string> {
  const form = new FormData();
  form.set('scene', scene);
  form.set('file', new Blob([new Uint8Array(PIXEL)]), 'picture.png');
  const headers = { authorization: token };
  const body = await accepted('/api/upload', () =>
    fetch(`${BASE}/api/upload`, { method: 'POST', body: form, headers }),
  );
  return body['message'] as string;
}

/** The code that was sent to an account. */
export async function codeFor(account: string, scene: string, token = ''): Promise<string> {
  await call('/api/sms_mail', { user_string: account, scene }, token);
  const path = `/dev/inbox?to=${encodeURIComponent(account)}&scene=${scene}&limit=1` as const;
  const [letter] = await until(
    () => read<{ code: string }[]>(path),
    (letters) => letters.length > 0,
  );
  return letter?.code ?? '';
}

const sessions = new Map<string, Promise<{ token: string; id: number }>>();
/** The session of a person of the demo: one sign-in per worker. A test that signs out needs a session of its own. */
export function demoSession(account: string): Promise<{ token: string; id: number }> {
  const known = sessions.get(account) ?? signIn(account);
  sessions.set(account, known);
  return known;
}
/** Signs in by the API. */
export async function signIn(account: string): Promise<{ token: string; id: number }> {
  const { message, id } = await call('/api/user/login', { user_string: account, password: PASSWORD });
  return { token: message as string, id: id as number };
}
