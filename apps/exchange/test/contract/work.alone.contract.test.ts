import { beforeAll, expect, jest, test } from '@jest/globals';
import { eventuallySatisfied, testTimeoutMs } from '@bourse/testing/eventually';
import { get, post } from './client.js';
import { done, createNewcomer, operator } from './people.js';
import { openWork } from './work.js';

jest.setTimeout(testTimeoutMs(30_000));

const REASON = 'a test of the dashboard';
/** Each count, and the list that it counts. */
const LISTS: Readonly<Record<string, readonly [path: string, filter: Readonly<Record<string, string>>]>> = {
  kyc: ['kyc', { review_status: '1' }],
  frozen: ['users', { role: 'frozen' }],
  approvals: ['approvals', { state: 'waiting' }],
  withdrawals: ['withdrawals', { state: 'review' }],
  deposits_held: ['deposits', { state: 'held' }],
  charge_reqs: ['charge_reqs', { status: '1' }],
  shops: ['shops', { status: '0' }],
  acceptor_deals: ['acceptor_deals', { objected: '1' }],
};

let admin: string;
let finance: string;
beforeAll(async () => {
  [admin, finance] = await Promise.all([operator('operator'), operator('finance1')]);
});

const lengthOf = async (path: string, filter: Readonly<Record<string, string>>): Promise<number> =>
  ((await done(get(`/api/admin/${path}`, filter, { token: admin }))).message as { total: number }).total;
const count = async (name: string): Promise<number> => (await openWork(admin))[name] ?? -1;

test.each(Object.keys(LISTS))(
  'the count of %s on the dashboard is the length of its list [CONSOLE-314]',
  async (name) => {
    const [path, filter] = LISTS[name]!;
    const [counted, listed] = await eventuallySatisfied(
      async () => Promise.all([count(name), lengthOf(path, filter)]),
      ([one, other]) => one === other,
      15_000,
    );
    expect(counted).toBe(listed);
  },
);

test('a change that waits for a second operator is counted until it is decided [CONSOLE-314]', async () => {
  const { id: user_id } = await createNewcomer();
  const before = await count('approvals');
  const { body } = await post('/api/admin/users/reset', { user_id, what: 'fund', reason: REASON }, { token: admin });
  expect(await count('approvals')).toBe(before + 1);
  await done(post('/api/admin/approvals/reject', { id: Number(body.approval_id), reason: REASON }, { token: admin }));
  expect(await count('approvals')).toBe(before);
});

test('movements of the house are counted apart from corrections for people [CONSOLE-314]', async () => {
  const { id: user_id } = await createNewcomer();
  const before = await openWork(admin);
  const move = { from: 'h.capital', to: 'h.points', currency_id: 3, amount: '0.5', note: REASON, reason: REASON };
  const asked = await done(post('/api/admin/house/fund', move, { token: finance }));
  expect(await openWork(admin)).toMatchObject({
    adjustments: before['adjustments'],
    house_fundings: before['house_fundings']! + 1,
  });
  const gift = { user_id, account: 'change', currency_id: 3, amount: '1', reason_code: 'goodwill', note: REASON };
  const given = await done(post('/api/admin/adjustments/create', { ...gift, reason: REASON }, { token: finance }));
  expect(await openWork(admin)).toMatchObject({
    adjustments: before['adjustments']! + 1,
    house_fundings: before['house_fundings']! + 1,
  });
  for (const { id } of [asked, given])
    await done(post('/api/admin/adjustments/reject', { id: Number(id), reason: REASON }, { token: finance }));
  expect(await openWork(admin)).toMatchObject({
    adjustments: before['adjustments'],
    house_fundings: before['house_fundings'],
  });
});
