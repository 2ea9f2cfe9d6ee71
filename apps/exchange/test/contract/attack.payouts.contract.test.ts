import { randomUUID } from 'node:crypto';
import { expect, jest, test } from '@jest/globals';
import { eventuallySatisfied, testTimeoutMs } from '@bourse/testing/eventually';
import { balanceOf, get, post, type Fields } from './client.js';
import { createCertified, codeFor, done, FUND, operator, PASSWORD, type Person } from './people.js';

// A freeze with withdrawals in progress, and attempts to bypass it.
jest.setTimeout(testTimeoutMs(45_000));

const USDT = 3,
  TRC20 = 4;
const TO = 'TLa2f6VPqDgRE67v1736s7bJ8Ray5wYjU7';
const OTHER = 'TMuA6YqfCeX8EhbfYEg5y7S4DqzSJireY9';
const SLOW_MS = 20_000;

interface Listed {
  readonly id: string;
  readonly state: string;
  readonly tx_id: string;
  readonly reason: string;
  readonly held?: string;
}

/** Deposits money for a user by the simulated chain. */
async function receive(person: Person, number: string): Promise<void> {
  const { message: address } = await done(
    post('/api/wallet/get_in_address', { currency: USDT, type: TRC20 }, { token: person.token }),
  );
  await done(post('/dev/chain/deposit', { address: address, number, currency: USDT, type: TRC20 }));
  await done(post('/dev/chain/blocks', { count: 8 }));
}
async function rich(number: string): Promise<Person> {
  const person = await createCertified();
  await receive(person, number);
  await eventuallySatisfied(
    () => balanceOf(person.token, USDT),
    ({ change_balance }) => Number(change_balance) > 0,
    SLOW_MS,
  );
  return person;
}
const withdraw = async ({ token }: Person, fields: Fields = {}) =>
  (
    await post(
      '/api/wallet/out',
      { address: TO, number: '150', currency: USDT, type: TRC20, pay_password: FUND, ...fields },
      { token },
    )
  ).body;
/** Makes a withdrawal that must be accepted, under one key for all retries of a busy exchange. */
async function opened({ token }: Person, number: string): Promise<Listed> {
  const fields = { address: TO, number, currency: USDT, type: TRC20, pay_password: FUND };
  return (await done(post('/api/wallet/out', fields, { token }))).withdrawal;
}
const own = async ({ token }: Person): Promise<readonly Listed[]> =>
  (await done(get('/api/wallet/out_list', {}, { token }))).message.data;
const desk = async (call: string, fields: Fields, who = 'finance1') =>
  (await post(`/api/admin/${call}`, { reason: 'a contract test', ...fields }, { token: await operator(who) })).body;
const listed = async (id: string): Promise<Listed | undefined> =>
  (await done(get('/api/admin/withdrawals', { limit: 100 }, { token: await operator('finance1') }))).message.data.find(
    (row) => row.id === id,
  );
const freeze = (person: Person, scope: string) => desk('users/freeze', { user_id: person.id, scope }, 'support1');

const deposits = async ({ token }: Person): Promise<readonly { id: string; state: string }[]> =>
  (await done(get('/api/wallet/deposits', {}, { token }))).message.data;
const returned = async ({ token }: Person, id: string) =>
  (
    await post(
      '/api/wallet/deposit_return',
      { id, address: TO, password: FUND },
      { token, headers: { 'idempotency-key': randomUUID() } },
    )
  ).body;
/** Binds a second address; returns a function that removes it again. */
async function bind({ id: userId, account, token }: Person): Promise<() => Promise<unknown>> {
  await get('/walletMiddle/SendVerificationcode', { user_id: userId }, { token });
  const { message } = await done(
    post(
      '/api/wallet/sign_draw_address',
      { address: OTHER, coin_name: 'USDT', verification_code: await codeFor(account, 'draw_address') },
      { token },
    ),
  );
  const { body } = await post('/walletMiddle/BindDrawAddress', message, { token });
  const { address_id: addressId } = body['data'] as { address_id: number };
  return () => done(post('/api/wallet/deladdress', { address_id: addressId }, { token }));
}

test('a frozen account withdraws nothing, and nothing of it is approved; the lists say so [HARD-307]', async () => {
  const person = await rich('20000');
  const { id } = (await withdraw(person, { number: '2000' })) as unknown as { id: string };
  expect(await listed(id)).toMatchObject({ state: 'review', held: '' });
  await done(post('/api/safe/freeze', { password: PASSWORD }, person));
  expect(await withdraw(person)).toMatchObject({ key: 'auth.frozen' });
  expect(await desk('withdrawals/approve', { id })).toMatchObject({ type: 'error', key: 'auth.frozen' });
  expect(await listed(id)).toMatchObject({ state: 'review', held: 'frozen' });
  expect((await own(person))[0]).toMatchObject({ id, reason: expect.stringContaining('frozen') });
  expect(await freeze(person, 'none')).toMatchObject({ type: 'ok' });
  expect(await desk('withdrawals/approve', { id })).toMatchObject({ type: 'ok' });
  await eventuallySatisfied(
    () => own(person),
    ([first]) => first?.tx_id !== '',
    SLOW_MS,
  );
});

test('whose owner is frozen after the call: unsigned ones are reviewed, others do not wait [HARD-307]', async () => {
  const [victim, other] = await Promise.all([rich('5000'), rich('500')]);
  const ids: string[] = [];
  for (let n = 0; n < 8; n++) ids.push((await opened(victim, '20')).id);
  expect(await freeze(victim, 'withdraw')).toMatchObject({ type: 'ok' });
  const { id: fine } = await opened(other, '20');
  const settled = await eventuallySatisfied(
    () => own(victim),
    (rows) => rows.every(({ state, tx_id: sent }) => state === 'review' || sent !== ''),
    SLOW_MS,
  );
  const held = settled.filter(({ state }) => state === 'review');
  for (const { id } of held) {
    expect(await listed(id)).toMatchObject({ held: 'frozen', tx_id: '', approvals_needed: 1 });
    expect(await desk('withdrawals/approve', { id })).toMatchObject({ key: 'auth.frozen' });
    await done(post('/api/wallet/out_cancel', { id }, { token: victim.token }));
  }
  await eventuallySatisfied(
    () => own(other),
    ([row]) => row?.id === fine && row.tx_id !== '',
    SLOW_MS,
  );
  // Payments sent before the freeze stay sent; nothing was signed after it.
  const sent = settled.filter(({ tx_id: txId }) => txId !== '').map(({ id }) => id);
  const later = (await own(victim)).filter(({ tx_id: txId }) => txId !== '').map(({ id }) => id);
  expect(later).toEqual(sent);
  expect(sent.length + held.length).toBe(ids.length);
});

test('a returned deposit is refused to whom a withdrawal is [HARD-201]', async () => {
  const person = await createCertified();
  await receive(person, '60');
  const [deposit] = await eventuallySatisfied(
    () => deposits(person),
    ([first]) => first?.state === 'held',
    SLOW_MS,
  );
  const back = () => returned(person, deposit!.id);
  expect(await freeze(person, 'all')).toMatchObject({ type: 'ok' });
  expect(await back()).toMatchObject({ type: 'error', key: 'auth.frozen' });
  expect(await freeze(person, 'withdraw')).toMatchObject({ type: 'ok' });
  expect(await back()).toMatchObject({ type: 'error', key: 'auth.frozen' });
  expect(await freeze(person, 'none')).toMatchObject({ type: 'ok' });
  // Once an address is bound, only bound ones that have cooled are paid to, by either way.
  const remove = await bind(person);
  expect(await back()).toMatchObject({ type: 'error', key: 'wallet.addressNotBound' });
  expect(await withdraw(person, { number: '10' })).toMatchObject({ key: 'wallet.addressNotBound' });
  await remove();
  // The address that is gone still keeps the others out for a day.
  expect(await back()).toMatchObject({ type: 'error', key: 'wallet.addressNotBound' });
});

test('a deposit is returned to its own person, once [HARD-201]', async () => {
  const person = await createCertified();
  await receive(person, '60');
  const [deposit] = await eventuallySatisfied(
    () => deposits(person),
    ([first]) => first?.state === 'held',
    SLOW_MS,
  );
  const back = () => returned(person, deposit!.id);
  expect(await back()).toMatchObject({ type: 'ok', key: 'wallet.depositReturned' });
});
