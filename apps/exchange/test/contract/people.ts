import { randomBytes, randomInt } from 'node:crypto';
import { BASE, eventually, get, post, type Body, type Fields } from './client.js';

/*
 * People of a test's own: what is done to them disturbs no other test.
 */

export const PASSWORD = 'Harbor-2468';
export const FUND = 'fund66';
export interface Person {
  readonly account: string;
  readonly id: number;
  readonly token: string;
}

/** The newest letter of a kind to somebody. */
export async function codeFor(to: string, scene: string): Promise<string> {
  const letters = await eventually(
    async () => (await get('/dev/inbox', { to, scene, limit: 1 })).body.message as { code: string }[],
    (found) => found.length > 0,
    30_000,
  );
  return letters[0]!.code;
}

/** A code is on its way: also when an exchange so busy that it gave no answer has sent it all the same. */
async function sendCode(to: string, scene: string, token?: string): Promise<void> {
  const { body } = await post('/api/sms_mail', { user_string: to, scene }, { token });
  if (body.type !== 'ok' && body.key !== 'common.unavailable') throw new Error(`no code: ${JSON.stringify(body)}`);
}

/** Somebody who has just registered, by somebody's invite code where one is given. */
export async function newcomer(extension_code?: string): Promise<Person> {
  const account = `t${randomBytes(6).toString('hex')}@example.org`;
  await sendCode(account, 'register');
  const { id } = await done(async () =>
    post('/api/user/register', {
      type: 'email',
      user_string: account,
      code: await codeFor(account, 'register'),
      password: PASSWORD,
      re_password: PASSWORD,
      extension_code,
    }),
  );
  return {
    account,
    id: id as number,
    token: (await done(async () => post('/api/user/login', { user_string: account, password: PASSWORD })))
      .message as string,
  };
}

/**
 * Somebody who may trade and withdraw: fund password set, papers sent and approved by support. `name` stands in their
 * papers.
 */
export async function certified(name = 'Test Person', extension_code?: string): Promise<Person> {
  const person = await newcomer(extension_code);
  const { account, token } = person;
  await sendCode(account, 'fund', token);
  await done(async () =>
    post(
      '/api/safe/update_password',
      { password: FUND, re_password: FUND, code: await codeFor(account, 'fund') },
      { token },
    ),
  );
  const [front, back] = [await upload(token, 'kyc'), await upload(token, 'kyc')];
  await done(async () =>
    post(
      '/api/user/real_name',
      { name, card_id: `P${randomInt(1e8, 1e9)}`, front_pic: front, reverse_pic: back },
      { token },
    ),
  );
  await done(async () =>
    post(
      '/api/admin/kyc/decide',
      { user_id: person.id, pass: 1, reason: 'a person of the tests' },
      { token: await operator('support1') },
    ),
  );
  return person;
}

/** A certified person with payment settings and USDT in the legal account. */
export async function merchant(legal: string): Promise<Person> {
  const person = await certified();
  const picture = await upload(person.token, 'pay');
  await done(async () =>
    post(
      '/api/user/cash_save',
      {
        real_name: 'Ines Duarte',
        bank_name: 'Banco do Porto',
        bank_account: 'PT50 0001',
        alipay_account: 'ines',
        alipay_collect: picture,
        wechat_account: 'ines',
        wechat_nickname: 'Ines',
        wechat_collect: picture,
      },
      { token: person.token },
    ),
  );
  const fields = { user_id: person.id, currency_id: 3, account: 'legal', amount: legal };
  const reason = { reason: 'a merchant of the tests', reason_code: 'goodwill', note: 'a merchant of the tests' };
  const { id } = await done(async () =>
    post('/api/admin/adjustments/create', { ...fields, ...reason }, { token: await operator('finance1') }),
  );
  await done(async () =>
    post('/api/admin/adjustments/approve', { id: id as number, ...reason }, { token: await operator('finance2') }),
  );
  return person;
}
const operators = new Map<string, Promise<string>>();
/** Token of an operator of the demo install: `operator` and `operator2` (admin), `finance1`, `finance2`, `support1`. */
export function operator(username: string): Promise<string> {
  const known =
    operators.get(username) ??
    done(async () => post('/api/admin/login', { username, password: PASSWORD })).then(
      ({ message }) => message as string,
    );
  operators.set(username, known);
  return known;
}

/** Smallest picture there is: one grey pixel. */
export const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNoAAAAggCBd81ytgAAAABJRU5ErkJggg==',
  'base64',
);

/** What an upload of these bytes answers. */
export async function send(
  token: string | null,
  file: Uint8Array<ArrayBuffer> | Buffer | null,
  fields: Fields = {},
  filename = 'picture.png',
): Promise<{ status: number; body: Body }> {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) if (value !== undefined) form.append(name, String(value));
  if (file) form.append('file', new Blob([new Uint8Array(file)]), filename);
  const response = await fetch(`${BASE}/api/upload`, {
    method: 'POST',
    body: form,
    headers: token ? { authorization: token } : {},
  });
  return { status: response.status, body: (await response.json()) as Body };
}

/** Address of a new image. */
export async function upload(token: string, scene: string): Promise<string> {
  const { message } = await done(async () => send(token, PIXEL, { scene }));
  return message as string;
}

/**
 * The body of a call that must be accepted; given as a function, it is called again while a busy exchange says that
 * nothing was done.
 */
export async function done(
  ask: Promise<{ readonly body: Body }> | (() => Promise<{ readonly body: Body }>),
): Promise<Body> {
  for (const until = Date.now() + 60_000; ;) {
    const { body } = await (typeof ask === 'function' ? ask() : ask);
    if (body.type === 'ok') return body;
    if (typeof ask !== 'function' || body.key !== 'common.unavailable' || Date.now() > until)
      throw new Error(`refused: ${JSON.stringify(body)}`);
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
}
