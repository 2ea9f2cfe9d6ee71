import { beforeAll, expect, jest, test } from '@jest/globals';
import type { RowOf } from '@bourse/contract';
import { eventuallySatisfied, testTimeoutMs } from '@bourse/testing/eventually';
import { balanceOf, get, post, type Fields } from './client.js';
import { createTrader, done, operator, type Person } from './people.js';

jest.setTimeout(testTimeoutMs(60_000));

const [XRP, RIPPLE] = [4, 5];
const XRP_ADDRESS = 'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh';
const REASON = 'a contract test';
/** A payment is seen and confirmed within some rounds of the chain's watcher. */
const CHAIN_MS = 20_000;

let person: Person;
let [finance, second] = ['', ''];
beforeAll(async () => {
  person = await createTrader();
  [finance, second] = [await operator('finance1'), await operator('finance2')];
});

type DepositRow = RowOf<'GET /api/admin/deposits'>;
const rows = async (): Promise<DepositRow[]> =>
  (await done(get('/api/admin/deposits', { limit: 100 }, { token: finance }))).message.data;
/** A held deposit to the house's address, with a memo that belongs to no person. */
async function unowned(number: string, memo?: string): Promise<DepositRow> {
  const { message: address } = await done(
    post('/api/wallet/get_in_address', { currency: XRP, type: RIPPLE }, { token: person.token }),
  );
  const fields: Fields = { address: address, number, currency: XRP, type: RIPPLE, memo };
  const { message } = await done(post('/dev/chain/deposit', fields));
  const txId = typeof message === 'string' ? message : (message as { tx_id: string }).tx_id;
  await done(post('/dev/chain/blocks', { count: 8 }));
  const found = await eventuallySatisfied(
    async () => (await rows()).find(({ tx_id: tx }) => tx === txId),
    (row) => row?.state === 'held',
    CHAIN_MS,
  );
  expect(found).toMatchObject({ user_id: 0, state: 'held' });
  return found!;
}
const approve = (id: number, token: string) => post('/api/admin/approvals/approve', { id, reason: REASON }, { token });

test('coins without a memo go to their claimant, when a second operator approves [CLIENT-250]', async () => {
  const deposit = await unowned('77');
  const claim = { currency: XRP, amount: '77', account: deposit.tx_id };
  const { id } = await done(post('/api/wallet/charge_req', claim, { token: person.token }));
  const decide = () =>
    post(
      '/api/admin/charge_reqs/decide',
      { id: id, status: 2, deposit_id: deposit.id, reason: REASON },
      { token: finance },
    );
  const asked = await done(decide());
  expect(asked).toMatchObject({ key: 'admin.approvalWaiting', approval_id: expect.any(Number) });
  expect((await balanceOf(person.token, XRP))['change_balance']).toBe('0.00000000');
  expect((await approve(asked.approval_id as number, finance)).body).toMatchObject({ key: 'admin.samePerson' });
  await done(approve(asked.approval_id as number, second));
  await eventuallySatisfied(
    () => balanceOf(person.token, XRP),
    ({ change_balance: free }) => free === '77.00000000',
    CHAIN_MS,
  );
  const mine = await done(get('/api/wallet/deposits', {}, { token: person.token }));
  expect(mine.message.data[0]).toMatchObject({ id: deposit.id, state: 'credited' });
  expect((await decide()).body).toMatchObject({ key: 'admin.decided' });
});

test('coins with an unknown tag go back less the fee, when a second operator approves [CLIENT-251]', async () => {
  const deposit = await unowned('50', '0');
  const back = (fields: Fields = {}, token = finance) =>
    post('/api/admin/deposits/return', { id: deposit.id, address: XRP_ADDRESS, reason: REASON, ...fields }, { token });
  expect((await back({}, await operator('support1'))).status).toBe(403);
  expect((await back({ address: 'nowhere' })).body).toMatchObject({ key: 'wallet.addressInvalid', field: 'address' });
  expect((await back({ id: '17' })).body).toMatchObject({ key: 'common.notFound', field: 'id' });
  const asked = await done(back({ memo: '7' }));
  expect(asked).toMatchObject({ key: 'admin.approvalWaiting' });
  expect((await approve(asked.approval_id, finance)).body).toMatchObject({ key: 'admin.samePerson' });
  await done(approve(asked.approval_id, second));
  const mine = (): Promise<unknown> => done(post('/dev/chain/blocks', { count: 8 }));
  const ended = await eventuallySatisfied(
    async () => {
      await mine();
      return (await rows()).find(({ id }) => id === deposit.id);
    },
    (row) => row?.state === 'returned',
    CHAIN_MS,
  );
  expect(ended).toMatchObject({ return_address: XRP_ADDRESS, return_fee: '0.05000000' });
  expect((await back()).body).toMatchObject({ key: 'common.notFound' });
});
