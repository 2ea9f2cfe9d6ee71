import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import type { RowOf } from '@bourse/contract';
import { eventuallySatisfied, testTimeoutMs } from '@bourse/testing/eventually';
import { balanceOf, get, post, type Answered, type Fields } from './client.js';
import { createCertified, done, FUND, operator, saveRow, saveSetting, type Person } from './people.js';

jest.setTimeout(testTimeoutMs(30_000));

const USDT = 3;
const TRC20 = 4;
const TRON_ADDRESS = 'TLa2f6VPqDgRE67v1736s7bJ8Ray5wYjU7';
/** How soon a change is in force everywhere (rules §15). */
const KNOWN_MS = 5_000;

type Row = Pick<
  RowOf<'GET /api/admin/catalog/protocols'>,
  'id' | 'min_number' | 'rate' | 'min_deposit' | 'confirmations' | 'open_deposit' | 'open_withdraw' | 'note'
>;
interface Withdrawal {
  readonly id: string;
  readonly state: string;
  readonly fee: string;
  readonly received: string;
}

let admin: string;
let person: Person;
let before: Row;
const rows = async (): Promise<readonly Row[]> =>
  (await done(get('/api/admin/catalog/protocols', {}, { token: admin }))).message;
const saveNetwork = (fields: Fields) => saveRow('catalog/protocols', { id: TRC20, ...fields });
const out = (fields: Fields = {}) =>
  post(
    '/api/wallet/out',
    { address: TRON_ADDRESS, number: '50', currency: USDT, type: TRC20, pay_password: FUND, ...fields },
    { token: person.token },
  );
const opened = async (answer: Promise<Answered>): Promise<Withdrawal> => (await done(answer)).withdrawal as Withdrawal;
const listed = async (id: string): Promise<Withdrawal | undefined> =>
  (await done(get('/api/wallet/out_list', {}, { token: person.token }))).message.data.find((row) => row.id === id);
const inAddress = (lang = 'en') =>
  post('/api/wallet/get_in_address', { currency: USDT, type: TRC20 }, { token: person.token, headers: { lang } });
/** The network as people see it. */
const shown = async (): Promise<Record<string, unknown> | undefined> =>
  (await done(post('/api/wallet/get_info', { currency: USDT }, { token: person.token }))).message.type_data.find(
    ({ id }) => id === TRC20,
  );

beforeAll(async () => {
  admin = await operator('operator');
  person = await createCertified();
  before = (await rows()).find(({ id }) => id === TRC20)!;
  const { message: address } = await done(inAddress());
  await done(post('/dev/chain/deposit', { address: address, number: '5000', currency: USDT, type: TRC20 }));
  await done(post('/dev/chain/blocks', { count: 8 }));
  await eventuallySatisfied(
    () => balanceOf(person.token, USDT),
    ({ change_balance }) => change_balance === '5000.00000000',
    20_000,
  );
});
afterAll(async () => {
  await saveNetwork({ ...before });
  for (const [key, value] of [
    ['auto', '1000'],
    ['two_person', '10000'],
  ] as const)
    await saveSetting(key, value);
});

test('a network shows its figures, which admins alone change within bounds [SETTING-034]', async () => {
  expect(before).toMatchObject({
    id: TRC20,
    min_number: '10',
    rate: '1',
    min_deposit: '100',
    confirmations: 6,
    open_deposit: 1,
    open_withdraw: 1,
    note: '',
  });
  for (const [fields, field] of [
    [{ rate: '5.1' }, 'rate'],
    [{ rate: '-1' }, 'rate'],
    [{ min_number: '0.000000001' }, 'min_number'],
    [{ confirmations: '2' }, 'confirmations'],
    [{ confirmations: '101' }, 'confirmations'],
    [{ open_deposit: 'yes' }, 'open_deposit'],
    [{ note: '{"xx":"a"}' }, 'note'],
    [{ note: 'text' }, 'note'],
  ] as const)
    expect((await saveNetwork(fields)).body).toMatchObject({ key: 'common.fieldInvalid', field });
  expect((await rows()).find(({ id }) => id === TRC20)).toEqual(before);
});

test('fee and minimum count for later withdrawals; one that waits keeps its own [SETTING-034]', async () => {
  expect((await saveSetting('auto', '40')).body).toMatchObject({ type: 'ok' });
  const waits = await eventuallySatisfied(
    () => opened(out()),
    ({ state }) => state === 'review',
    KNOWN_MS,
  );
  expect(waits).toMatchObject({ fee: '0.50000000', received: '49.50000000' });
  expect((await saveNetwork({ rate: '2.5', min_number: '30' })).body).toMatchObject({ type: 'ok' });
  await eventuallySatisfied(shown, (row) => row?.['rate'] === '2.5' && row['min_number'] === '30.00000000', KNOWN_MS);
  expect((await out({ number: '29.99' })).body).toMatchObject({
    key: 'wallet.lessMin',
    params: { min: '30.00000000' },
  });
  // Waiting withdrawals count for the day: together they are below this limit.
  expect((await saveSetting('auto', '1000')).body).toMatchObject({ type: 'ok' });
  expect(await opened(out({ number: '40' }))).toMatchObject({ state: 'sending', fee: '1.00000000' });
  expect(await listed(waits.id)).toMatchObject({ state: 'review', fee: '0.50000000', received: '49.50000000' });
  // A limit below which nothing could be approved by one person is refused.
  expect((await saveSetting('two_person', '40')).body).toMatchObject({ key: 'common.fieldInvalid', field: 'value' });
});

test('a closed network gives no address, takes no withdrawal; the audit log has it [SETTING-034]', async () => {
  await done(saveNetwork({ open_withdraw: 0 }));
  await eventuallySatisfied(
    async () => (await out()).body.key,
    (key) => key === 'noopen',
    KNOWN_MS,
  );
  expect((await inAddress()).body).toMatchObject({ type: 'ok' });
  await done(saveNetwork({ open_withdraw: 1, open_deposit: 0 }));
  await eventuallySatisfied(
    async () => (await inAddress()).body.key,
    (key) => key === 'noopen',
    KNOWN_MS,
  );
  await done(saveNetwork({ open_withdraw: 0 }));
  await eventuallySatisfied(shown, (row) => row === undefined, KNOWN_MS);
  await done(saveNetwork({ open_deposit: 1, open_withdraw: 1 }));
  await eventuallySatisfied(inAddress, ({ body }) => body.type === 'ok', KNOWN_MS);
  const { data } = (
    await eventuallySatisfied(
      () => done(get('/api/admin/audit', { action: 'catalog.protocols.save' }, { token: admin })),
      ({ message }) => message.data.length >= 4,
    )
  ).message;
  expect(data).toContainEqual(
    expect.objectContaining({
      target: `protocols ${TRC20}`,
      before: '{"open_withdraw":1}',
      after: expect.stringMatching(/^\{"open_withdraw":0,"approval_id":\d+,/),
    }),
  );
});

test('depositors read the text of the operator, with current figures [SETTING-035]', async () => {
  const note = async (lang: string): Promise<string> => String((await done(inAddress(lang)))['note']);
  expect(await note('en')).toContain('Confirmations needed: 6.');
  const text = JSON.stringify({ en: 'At least {{amount}} {{coin}}.', de: 'Mindestens {{amount}} {{coin}}.' });
  await done(saveNetwork({ note: text, min_deposit: '120' }));
  await eventuallySatisfied(
    () => note('de'),
    (told) => told === 'Mindestens \u2066120\u2069 USDT.',
    KNOWN_MS,
  );
  expect(await note('fr')).toBe('At least \u2066120\u2069 USDT.');
  await done(saveNetwork({ note: '', min_deposit: '100' }));
  await eventuallySatisfied(
    () => note('en'),
    (told) => told.includes('Minimum \u2066100\u2069 USDT.'),
    KNOWN_MS,
  );
});
