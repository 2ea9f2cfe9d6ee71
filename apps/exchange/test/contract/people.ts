import { randomBytes, randomInt } from 'node:crypto';
import { formatUnits, toUnits } from '@bourse/money';
import { eventuallySatisfied } from '@bourse/testing/eventually';
import { BASE, get, post, untilAvailable, type Answered, type Body, type Fields } from './client.js';

/*
 * Users of a single test, so that other tests are not affected.
 */

export const PASSWORD = 'Harbor-2468';
export const FUND = 'fund66';
/** The default name in identity documents. */
export const NAME = 'Test Person';
export interface Person {
  readonly account: string;
  readonly id: number;
  readonly token: string;
}

/** Returns the newest code of a kind that was sent to an address. */
export async function codeFor(to: string, scene: string): Promise<string> {
  const [letter] = await eventuallySatisfied(
    async () => (await done(get('/dev/inbox', { to, scene, limit: 1 }))).message as { code: string }[],
    (found) => found.length > 0,
  );
  return letter!.code;
}

/** Sends a code of a kind to an address. */
const sendCode = (to: string, scene: string, token?: string) =>
  done(post('/api/sms_mail', { user_string: to, scene }, { token }));

/** Registers a user, with an invite code if one is given. */
export async function createNewcomer(extension_code?: string): Promise<Person> {
  const account = `t${randomBytes(6).toString('hex')}@example.org`;
  await sendCode(account, 'register');
  const fields = { type: 'email', user_string: account, code: await codeFor(account, 'register'), extension_code };
  const passwords = { password: PASSWORD, re_password: PASSWORD };
  await done(post('/api/user/register', { ...fields, ...passwords }));
  const { id, message } = await done(post('/api/user/login', { user_string: account, password: PASSWORD }));
  return { account, id, token: message };
}

/**
 * Makes a user who may trade and withdraw: fund password set, documents sent and approved by support. `name` is the
 * name in the documents.
 */
export async function createCertified(name = NAME, extension_code?: string): Promise<Person> {
  const person = await createNewcomer(extension_code);
  const { account, token } = person;
  await sendCode(account, 'fund', token);
  const fields = { password: FUND, re_password: FUND, code: await codeFor(account, 'fund') };
  await done(post('/api/safe/update_password', fields, { token }));
  const picture = await upload(token, 'kyc');
  const papers = { name, card_id: `P${randomInt(1e8, 1e9)}`, front_pic: picture, reverse_pic: picture };
  await done(post('/api/user/real_name', papers, { token }));
  const decision = { user_id: person.id, pass: 1, reason: 'a person of the tests' };
  const support = await operator('support1');
  await done(post('/api/admin/kyc/decide', decision, { token: support }));
  return person;
}

/** The accounts of a person that `fund` credits. */
type Account = 'change' | 'legal' | 'lever' | 'micro';
/** Amounts by account and by the id of the coin: `{ change: { 3: '1000' } }`. */
export type Funds = Readonly<Partial<Record<Account, Readonly<Record<number, string>>>>>;

/**
 * Credits a person at once. Two operators bring the coins in from outside and adjust the balance by them, so that the
 * house accounts of other tests do not change.
 */
export async function fund({ id: user_id }: Pick<Person, 'id'>, funds: Funds): Promise<void> {
  const reason = 'funds of a person of the tests';
  const [one, two] = await Promise.all([operator('finance1'), operator('finance2')]);
  const credit = async (account: string, currency_id: string, amount: string): Promise<void> => {
    // The fields of the second call identify the first one, so each amount is unique: a little more comes in.
    const incoming = formatUnits(toUnits(amount, 8) + BigInt(randomInt(1, 2 ** 32)), 8);
    const capital = { from: 'h.outside', to: 'h.capital', currency_id, amount: incoming, note: reason, reason };
    for (const token of [one, two]) await done(post('/api/admin/house/fund', capital, { token }));
    const fields = { user_id, account, currency_id, amount, reason_code: 'goodwill', note: reason, reason };
    const { id } = await done(post('/api/admin/adjustments/create', fields, { token: one }));
    const approval = { id, reason };
    await done(post('/api/admin/adjustments/approve', approval, { token: two }));
  };
  await Promise.all(
    Object.entries(funds).flatMap(([account, coins]) =>
      Object.entries(coins).map(([currency, amount]) => credit(account, currency, amount)),
    ),
  );
}

/** Creates a certified person with a fund password and these funds. */
export async function createTrader(funds: Funds = {}): Promise<Person> {
  const person = await createCertified();
  await fund(person, funds);
  return person;
}
type People<N extends number, Found extends readonly Person[] = []> = Found['length'] extends N
  ? Found
  : People<N, [...Found, Person]>;
/** Creates traders with the same funds. */
export const createTraders = async <N extends number>(count: N, funds: Funds = {}): Promise<People<N>> =>
  (await Promise.all(Array.from({ length: count }, () => createTrader(funds)))) as unknown as People<N>;

/** Payment settings of `createMerchant`. */
export const PAYMENT = {
  real_name: 'Ines Duarte',
  bank_name: 'Banco do Porto',
  bank_account: 'PT50 0001',
  alipay_account: 'ines',
  wechat_account: 'ines',
  wechat_nickname: 'Ines',
} as const;
/** Creates a trader with payment settings. */
export async function createMerchant(funds: Funds = {}): Promise<Person> {
  const person = await createTrader(funds);
  const picture = await upload(person.token, 'pay');
  await done(
    post(
      '/api/user/cash_save',
      { ...PAYMENT, alipay_collect: picture, wechat_collect: picture },
      { token: person.token },
    ),
  );
  return person;
}
/** Creates merchants with the same funds. */
export const createMerchants = async <N extends number>(count: N, funds: Funds = {}): Promise<People<N>> =>
  (await Promise.all(Array.from({ length: count }, () => createMerchant(funds)))) as unknown as People<N>;
/** Creates a merchant with USDT in the legal account. */
export const createUsdtMerchant = (legal: string): Promise<Person> => createMerchant({ legal: { 3: legal } });

export interface AcceptorPerson extends Person {
  /** The acceptor's id in deals. */
  readonly acceptorId: number;
}
/** Creates an acceptor at 2 percent, with posted coins, granted cash, and some coins of their own. */
export async function createAcceptor(
  amounts: { readonly posted: string; readonly cash: string; readonly own?: string },
  name = 'Pier Test',
): Promise<AcceptorPerson> {
  const person = await createMerchant({
    legal: { 3: formatUnits(toUnits(amounts.posted, 8) + toUnits(amounts.own ?? '0', 8), 8) },
  });
  const { token } = person;
  const reason = 'an acceptor of the tests';
  const [one, two] = await Promise.all([operator('finance1'), operator('finance2')]);
  const save = (fields: Fields) =>
    done(
      post(
        '/api/admin/acceptors/save',
        { user_id: person.id, name, recharge_rate: '2', cash_rate: '2', reason, ...fields },
        { token: one },
      ),
    );
  await save({});
  const { approval_id: id } = await save({ cash_quota: amounts.cash });
  await done(post('/api/admin/approvals/approve', { id: id as number, reason }, { token: two }));
  const { body } = await eventuallySatisfied(
    () => get('/api/acceptor/account', {}, { token }),
    (answer) => answer.body.type === 'ok',
  );
  await done(post('/api/acceptor/payment', { ...paymentOf(person.id), password: FUND }, { token }));
  await done(post('/api/acceptor/fund', { direction: 'in', number: amounts.posted, password: FUND }, { token }));
  return { ...person, acceptorId: body.message.id };
}
/** Payment settings of an acceptor of the tests. */
export const paymentOf = (id: number): Fields => ({
  wechat_nickname: 'Pier Test',
  wechat_account: `wx-${id}`,
  ali_nickname: 'Pier Test',
  ali_account: `${id}@example.org`,
  bank_name: 'Harbour Bank',
  bank_account: `0000 1234 ${id}`,
  bank_address: 'Pier 1, Lisbon',
});

const operators = new Map<string, Promise<string>>();
/**
 * Token of an operator of the demo install: `operator`, `operator2` and `operator3` (admin), `finance1`, `finance2`,
 * `support1`.
 */
export function operator(username: string): Promise<string> {
  const known =
    operators.get(username) ??
    done(post('/api/admin/login', { username, password: PASSWORD })).then(({ message }) => message);
  operators.set(username, known);
  return known;
}

/** Approves a waiting change as an operator. */
export const approve = async (id: number, username: string) =>
  post('/api/admin/approvals/approve', { id, reason: 'approved for a test' }, { token: await operator(username) });
/**
 * Saves a setting (`settings`) or a row of the catalog (`catalog/pairs`) as an admin, in force at once: two more admins
 * approve a guarded one. Returns the answer of the save.
 */
export async function saveRow(list: string, fields: Fields): Promise<Answered> {
  const reason = 'a row that the tests change';
  const answer = await post(`/api/admin/${list}/save`, { reason, ...fields }, { token: await operator('operator') });
  const id = answer.body.approval_id;
  if (typeof id === 'number') for (const username of ['operator2', 'operator3']) await done(approve(id, username));
  return answer;
}
/** Saves a setting, in force at once. */
export const saveSetting = (key: string, value: string) => saveRow('settings', { key, value });

/** The smallest picture: one grey pixel. */
export const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNoAAAAggCBd81ytgAAAABJRU5ErkJggg==',
  'base64',
);

/** Uploads these bytes and returns the answer. */
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
  const { message } = await done(untilAvailable(() => send(token, PIXEL, { scene })));
  return message as string;
}

/** Returns the body of a call that must be accepted. */
export async function done<B extends Body>(answer: Promise<{ readonly body: B }>): Promise<B> {
  const { body } = await answer;
  if (body.type !== 'ok') throw new Error(`refused: ${JSON.stringify(body)}`);
  return body;
}
