import { randomBytes } from 'node:crypto';
import { BASE, PASSWORD } from './visitors.js';

const WITHIN_MS = 60_000;
export type Body = Record<string, unknown>;

async function answered(path: string, response: Response): Promise<Body> {
  const body = (await response.json()) as Body;
  if (body['type'] !== 'ok') throw new Error(`${path}: ${JSON.stringify(body)}`);
  return body;
}
/** Posts a call; throws when it is refused. */
export async function call(path: string, fields: Record<string, string | number>, token = ''): Promise<Body> {
  const body = new URLSearchParams(Object.entries(fields).map(([name, value]) => [name, String(value)]));
  return answered(path, await fetch(`${BASE}${path}`, { method: 'POST', headers: { authorization: token }, body }));
}
/** Reads what a call answers; throws when it is refused. */
export async function read<T>(path: string, token = ''): Promise<T> {
  const body = await answered(path, await fetch(`${BASE}${path}`, { headers: { authorization: token } }));
  return body['message'] as T;
}
/** Reads again until it is so; what was read last when it never is, so that the test says what it saw. */
export async function until<T>(ask: () => Promise<T>, isSo: (seen: T) => boolean): Promise<T> {
  for (const end = Date.now() + WITHIN_MS; ;) {
    const seen = await ask();
    if (isSo(seen) || Date.now() > end) return seen;
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
}

/** A grey pixel. */
export const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNoAAAAggCBd81ytgAAAABJRU5ErkJggg==',
  'base64',
);
/** Uploads a picture; its name. */
export async function upload(token: string, scene: string): Promise<string> {
  const form = new FormData();
  form.set('scene', scene);
  form.set('file', new Blob([new Uint8Array(PIXEL)]), 'picture.png');
  const sent = await fetch(`${BASE}/api/upload`, { method: 'POST', body: form, headers: { authorization: token } });
  return (await answered('/api/upload', sent))['message'] as string;
}

/** The code that was sent to an account. */
export async function codeFor(account: string, scene: string, token = ''): Promise<string> {
  await call('/api/sms_mail', { user_string: account, scene }, token);
  const path = `/dev/inbox?to=${encodeURIComponent(account)}&scene=${scene}&limit=1`;
  const [letter] = await until(
    () => read<{ code: string }[]>(path),
    (letters) => letters.length > 0,
  );
  return letter?.code ?? '';
}
export interface Newcomer {
  readonly id: number;
  readonly account: string;
  readonly token: string;
}
/** Somebody who has just registered. */
export async function newcomer(): Promise<Newcomer> {
  const account = `t${randomBytes(6).toString('hex')}@example.org`;
  const code = await codeFor(account, 'register');
  const fields = { type: 'email', user_string: account, code, password: PASSWORD, re_password: PASSWORD };
  const { id } = await call('/api/user/register', fields);
  const { message } = await call('/api/user/login', { user_string: account, password: PASSWORD });
  return { id: id as number, account, token: message as string };
}
