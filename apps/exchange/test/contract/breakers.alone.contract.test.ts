import { expect, jest, test } from '@jest/globals';
import type { RowOf } from '@bourse/contract';
import { eventuallySatisfied, testTimeoutMs } from '@bourse/testing/eventually';
import { get, post, type Fields } from './client.js';
import { createTrader, done, FUND, operator, type Person } from './people.js';

// A breaker stops a product for everybody.
jest.setTimeout(testTimeoutMs(60_000));

const [USDT, TRC20] = [3, 4];
const TRON_ADDRESS = 'TLa2f6VPqDgRE67v1736s7bJ8Ray5wYjU7';
/** A payment is signed, or a deposit seen, within some rounds of the chain's watcher and sender. */
const CHAIN_MS = 20_000;

const breaker = async (scope: string, mode: string, reason = 'a contract test') =>
  post('/api/admin/breaker', { scope, mode, reason }, { token: await operator('operator') });

/** Nothing is reopened while an auditor could not ask a service, which a busy machine has for a moment. */
const opens = (scope: string, mode: string) =>
  eventuallySatisfied(
    () => breaker(scope, mode),
    ({ body: { key } }) => key !== 'admin.stillWrong',
    CHAIN_MS,
  );
async function reopen(scope: string): Promise<void> {
  await done(opens(scope, 'cancel_only'));
  await done(opens(scope, 'normal'));
}

test('a breaker takes a reason, a known scope and mode, and never opens from halted at once [AUDIT-004]', async () => {
  expect((await breaker('micro', 'halted', 'no')).body).toMatchObject({
    type: 'error',
    key: 'admin.reason',
    field: 'reason',
  });
  expect((await breaker('nothing', 'halted')).body).toMatchObject({
    type: 'error',
    key: 'common.fieldInvalid',
    field: 'scope',
  });
  expect((await breaker('micro', 'open')).body).toMatchObject({
    type: 'error',
    key: 'common.fieldInvalid',
    field: 'mode',
  });
  const token = await operator('operator');
  const modeOf = async (): Promise<string | undefined> =>
    (await get('/api/admin/reconciliation', {}, { token })).body.message.breakers.find(({ scope }) => scope === 'micro')
      ?.mode;
  try {
    expect((await breaker('micro', 'halted')).body).toMatchObject({ type: 'ok', key: 'admin.breakerSet' });
    await eventuallySatisfied(modeOf, (mode) => mode === 'halted');
    expect((await opens('micro', 'normal')).body).toMatchObject({
      type: 'error',
      key: 'admin.cancelOnlyFirst',
    });
  } finally {
    await reopen('micro');
  }
  expect(await modeOf()).toBe('normal');
});

type Withdrawal = RowOf<'GET /api/wallet/out_list'>;
const out = ({ token }: Person, number: string) =>
  post(
    '/api/wallet/out',
    { address: TRON_ADDRESS, number, currency: USDT, type: TRC20, pay_password: FUND },
    { token },
  );
const opened = async (person: Person, number: string): Promise<string> =>
  (await done(out(person, number))).withdrawal.id;
const mine = (): Promise<unknown> => done(post('/dev/chain/blocks', { count: 8 }));

test('that was approved stays while withdrawals are stopped, and goes out afterwards [WITHDRAW-023]', async () => {
  const person = await createTrader({ change: { [USDT]: '5000' } });
  const found = async (id: string): Promise<Withdrawal | undefined> =>
    (await done(get('/api/wallet/out_list', {}, person))).message.data.find((one) => one.id === id);
  const sent = (id: string): Promise<unknown> =>
    eventuallySatisfied(
      () => found(id),
      (one) => one !== undefined && one.tx_id !== '',
      CHAIN_MS,
    );
  const signed = await opened(person, '150');
  await sent(signed);
  const id = await opened(person, '1100');
  await done(breaker('withdraw', 'halted'));
  try {
    expect((await out(person, '20')).status).toBe(503);
    const approval = { id, reason: 'a contract test' };
    const approved = await post('/api/admin/withdrawals/approve', approval, { token: await operator('finance1') });
    expect(approved.body).toMatchObject({ type: 'ok', key: 'admin.withdrawalApproved' });
    // The sender continues with signed payments: by the end of that payment it has also processed the approved one.
    await mine();
    await eventuallySatisfied(
      () => found(signed),
      (one) => one?.state === 'done',
      CHAIN_MS,
    );
    expect(await found(id)).toMatchObject({ state: 'sending', tx_id: '' });
  } finally {
    await reopen('withdraw');
  }
  await sent(id);
});

test('a deposit is not returned while withdrawals are stopped [HARD-201]', async () => {
  const person = await createTrader();
  const { message: address } = await done(post('/api/wallet/get_in_address', { currency: USDT, type: TRC20 }, person));
  const paid: Fields = { address: address, number: '60', currency: USDT, type: TRC20 };
  await done(post('/dev/chain/deposit', paid));
  await mine();
  const deposits = async (): Promise<{ id: string; state: string }[]> =>
    (await done(get('/api/wallet/deposits', {}, person))).message.data;
  const [deposit] = await eventuallySatisfied(deposits, ([first]) => first?.state === 'held', CHAIN_MS);
  const back = () =>
    post('/api/wallet/deposit_return', { id: deposit!.id, address: TRON_ADDRESS, password: FUND }, person);
  await done(breaker('withdraw', 'cancel_only'));
  try {
    expect((await back()).body).toMatchObject({ key: 'market.paused' });
  } finally {
    await done(opens('withdraw', 'normal'));
  }
  expect((await back()).body).toMatchObject({ type: 'ok', key: 'wallet.depositReturned' });
});
