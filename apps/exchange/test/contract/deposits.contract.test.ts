import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, jest, test } from '@jest/globals';
import type { RowOf } from '@bourse/contract';
import { eventuallySatisfied, testTimeoutMs } from '@bourse/testing/eventually';
import { balanceOf, call, get, post, signIn, trader, type Answered, type Fields, type Body } from './client.js';
import { createTraders, FUND, operator } from './people.js';

// Blocks, the watcher's poll interval and the ledger take seconds.
jest.setTimeout(testTimeoutMs(15_000));

const BTC = 1,
  ETH = 2,
  USDT = 3,
  XRP = 4,
  LTC = 5,
  DOGE = 6,
  ADA = 7,
  HAP = 8;
const ERC20 = 3,
  TRC20 = 4;
/** A transaction is in the next block, and that is its first confirmation. */
const CONFIRMED = 6;
const WITHIN_MS = 20_000;
const TIME = /^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/;

type Deposit = RowOf<'GET /api/wallet/deposits'>;

let owner: string, other: string;
beforeAll(async () => {
  [owner, other] = (await createTraders(2)).map(({ token }) => token) as [string, string];
});

const message = async <B extends Body>(answer: Promise<Answered<B>>): Promise<B['message']> => {
  const { status, body } = await answer;
  if (status !== 200 || body.type !== 'ok') throw new Error(JSON.stringify(body));
  return body.message;
};
const inAddress = (currency: number, fields: Fields = {}, token = owner) =>
  post('/api/wallet/get_in_address', { currency, ...fields }, { token });
const addressOf = async (
  currency: number,
  fields: Fields = {},
  token = owner,
): Promise<{ address: string; memo: string }> => {
  const { body } = await inAddress(currency, fields, token);
  return { address: body.message, memo: body['memo'] };
};
const pay = async (fields: Fields): Promise<string> =>
  ((await message(post('/dev/chain/deposit', fields))) as { tx_id: string }).tx_id;
const mine = async (count = CONFIRMED) => (await message(post('/dev/chain/blocks', { count }))) as { height: number };
const listed = async (txId: string, token = owner): Promise<Deposit | undefined> =>
  (await message(get('/api/wallet/deposits', { limit: 100 }, { token }))).data.find(
    (deposit) => deposit.tx_id === txId,
  );
const reaches = (txId: string, state: string, token = owner): Promise<Deposit | undefined> =>
  eventuallySatisfied(
    () => listed(txId, token),
    (deposit) => deposit?.state === state,
    WITHIN_MS,
  );
const change = async (currency: number, token = owner): Promise<string> =>
  (await balanceOf(token, currency))['change_balance'] ?? '';
const units = (text: string): bigint => BigInt(text.replace('.', ''));

describe('addresses', () => {
  test('every coin with a network has an address of its own chain, the same at every call [CHAIN-008]', async () => {
    const patterns: readonly (readonly [number, RegExp])[] = [
      [BTC, /^bc1q[0-9a-z]{38}$/],
      [ETH, /^0x[0-9a-fA-F]{40}$/],
      [USDT, /^0x[0-9a-fA-F]{40}$/],
      [XRP, /^r[1-9A-HJ-NP-Za-km-z]{24,34}$/],
      [LTC, /^ltc1q[0-9a-z]{38}$/],
      [DOGE, /^D[1-9A-HJ-NP-Za-km-z]{33}$/],
      [ADA, /^addr1v[0-9a-z]{52}$/],
    ];
    for (const [currency, pattern] of patterns) {
      const { body } = await inAddress(currency);
      expect(body).toMatchObject({
        type: 'ok',
        message: expect.stringMatching(pattern),
        memo: currency === XRP ? expect.stringMatching(/^\d{1,10}$/) : '',
        min_deposit: currency === USDT ? '100.00000000' : '0.00000000',
        confirmations: 6,
      });
      expect((await inAddress(currency)).body.message).toBe(body.message);
      const theirs = await addressOf(currency, {}, other);
      // Of XRP all share the address; the memo names the person.
      expect([theirs.address === body.message, theirs.memo === body['memo']]).toEqual(
        currency === XRP ? [true, false] : [false, true],
      );
    }
    expect((await inAddress(USDT, { type: TRC20 })).body.message).toMatch(/^T[1-9A-HJ-NP-Za-km-z]{33}$/);
    expect((await addressOf(ETH)).address).toBe((await addressOf(USDT, { type: ERC20 })).address);
  });

  test('a network that the coin has not is refused; a user_id is ignored [CHAIN-008]', async () => {
    for (const fields of [
      { currency: HAP },
      { currency: USDT, type: 1 },
      { currency: USDT, type: 'ERC20' },
      { currency: 99 },
    ]) {
      expect((await post('/api/wallet/get_in_address', fields, { token: owner })).body).toMatchObject({
        type: 'error',
        key: 'wallet.protocol',
      });
    }
    expect((await post('/api/wallet/get_in_address', {}, { token: owner })).body).toMatchObject({
      type: 'error',
      key: 'common.fieldRequired',
      field: 'currency',
    });
    for (const path of ['/api/wallet/get_in_address', '/api/wallet/charge_req', '/api/wallet/deposit_return'])
      expect((await post(path, { currency: USDT })).body.type).toBe('999');
    const { address } = await addressOf(ETH);
    expect(await message(get('/api/money/rechange', { user_id: 100001 }, { token: owner }))).toEqual({
      company_eth_address: address,
    });
  });

  test('the list of addresses has the shape of the wallet middleware [CHAIN-008]', async () => {
    const [erc, trc] = [(await addressOf(USDT)).address, (await addressOf(USDT, { type: TRC20 })).address];
    const { status, text } = await post(
      '/upi/usdt/account',
      { pageSize: 10, keywords: 'usd' },
      { token: owner, headers: { 'app-version': '1.0.0' } },
    );
    expect([status, JSON.parse(text)]).toEqual([
      200,
      {
        code: 0,
        msg: expect.any(String),
        data: {
          list: [
            { currency_id: USDT, name: 'USDT', addressErc: erc, addressTrc: trc, ercName: 'ERC20', trcName: 'TRC20' },
          ],
          total: 1,
        },
      },
    ]);
    const all = JSON.parse((await post('/upi/usdt/account', {}, { token: owner })).text) as {
      data: { list: { name: string }[]; total: number };
    };
    expect([all.data.list.map(({ name }) => name), all.data.total]).toEqual([['ETH', 'USDT'], 2]);
    expect(JSON.parse((await post('/upi/usdt/account', {})).text)).toMatchObject({ code: 999 });
    expect(JSON.parse((await post('/upi/usdt/account', { pageSize: 101 }, { token: owner })).text)).toMatchObject({
      code: 1,
    });
  });

  test('data and fees of a coin [CHAIN-010]', async () => {
    expect(await message(post('/api/wallet/get_info', { currency: USDT, type: 'change' }, { token: owner }))).toEqual({
      currency: USDT,
      name: 'USDT',
      change_balance: await change(USDT),
      legal_balance: expect.stringMatching(/^\d+\.\d{8}$/),
      bank_account: expect.any(String),
      wallet_data: { currency: USDT, label: '' },
      make_wallet: 1,
      multi_protocol: 1,
      type_data: [
        {
          id: 3,
          type: 'ERC20',
          name: 'ERC20',
          contract_address: '0xdAC17F958D2ee523a2206206994597C13D831ec7',
          min_number: '20.00000000',
          rate: '1.5',
          min_deposit: '100.00000000',
        },
        {
          id: 4,
          type: 'TRC20',
          name: 'TRC20',
          contract_address: 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t',
          min_number: '10.00000000',
          rate: '1',
          min_deposit: '100.00000000',
        },
      ],
      min_number: '20.00000000',
      rate: '1.5',
      extension_code: expect.any(String),
      type: 'ERC20',
    });
    const { memo } = await addressOf(XRP);
    expect(await message(post('/api/wallet/get_info', { currency: XRP }, { token: owner }))).toMatchObject({
      make_wallet: 2,
      multi_protocol: 0,
      wallet_data: { currency: XRP, label: memo },
    });
    expect(await message(post('/api/wallet/get_info', { currency: HAP }, { token: owner }))).toMatchObject({
      make_wallet: 1,
      type_data: [],
      type: '',
    });
    expect((await post('/api/wallet/get_info', { currency: 99 }, { token: owner })).body).toMatchObject({
      type: 'error',
      key: 'common.notFound',
    });
  });
});

describe('deposits', () => {
  test('a transaction is credited once, when it has its confirmations [DEPOSIT-001] [DEPOSIT-002]', async () => {
    const { address } = await addressOf(BTC);
    const before = await change(BTC);
    const txId = await pay({ address, number: '0.12345678', currency: BTC });
    const seen = await eventuallySatisfied(
      () => listed(txId),
      (deposit) => deposit !== undefined,
      WITHIN_MS,
    );
    expect(seen).toEqual({
      id: expect.stringMatching(/^\d{1,19}$/),
      currency: BTC,
      currency_name: 'BTC',
      type: 1,
      amount: '0.12345678',
      tx_id: txId,
      confirmations: expect.any(Number),
      needed: 6,
      state: expect.stringMatching(/^(seen|credited)$/),
      create_time: expect.stringMatching(TIME),
      ts: expect.any(Number),
      updated_ts: expect.any(Number),
    });
    await mine();
    const credited = await reaches(txId, 'credited');
    expect(credited?.id).toEqual(seen?.id);
    expect(credited?.confirmations ?? 0).toBeGreaterThanOrEqual(6);
    await eventuallySatisfied(
      () => change(BTC),
      (now) => units(now) === units(before) + 12_345_678n,
      WITHIN_MS,
    );
    expect(await pay({ address, number: '0.12345678', currency: BTC, tx_id: txId })).toBe(txId);
    // A later payment is credited after whatever the repeat would have brought.
    const later = await pay({ address, number: '0.001', currency: BTC });
    await mine();
    await reaches(later, 'credited');
    await eventuallySatisfied(
      () => change(BTC),
      (now) => units(now) >= units(before) + 12_445_678n,
      WITHIN_MS,
    );
    expect(units(await change(BTC))).toBe(units(before) + 12_445_678n);
    const shown = await message(get('/api/wallet/deposits', { currency: BTC, limit: 100 }, { token: owner }));
    expect(shown.data.filter((deposit) => deposit.tx_id === txId)).toHaveLength(1);
    const statement = await message(
      get('/api/statement/list', { currency: BTC, cause_type: 'deposit' }, { token: owner }),
    );
    expect(statement.data.find((line) => line.cause_id === seen?.id)).toMatchObject({
      value: '0.12345678',
      info: expect.any(String),
    });
    expect(await listed(txId, other)).toBeUndefined();
  });

  test('below the minimum it is held until all that is held of the coin reaches it [DEPOSIT-003]', async () => {
    const { address } = await addressOf(USDT, { type: TRC20 }, other);
    const before = await change(USDT, other);
    const first = await pay({ address, number: '60', currency: USDT, type: TRC20 });
    await mine();
    await reaches(first, 'held', other);
    expect(await change(USDT, other)).toBe(before);
    const second = await pay({ address, number: '40.000001', currency: USDT });
    await mine();
    expect((await reaches(second, 'credited', other))?.type).toBe(TRC20);
    await reaches(first, 'credited', other);
    await eventuallySatisfied(
      () => change(USDT, other),
      (now) => units(now) === units(before) + 10_000_000_100n,
      WITHIN_MS,
    );
  });

  test('the wrong contract brings nothing [DEPOSIT-005]', async () => {
    const { address } = await addressOf(USDT);
    const wrong = await pay({
      address,
      number: '500',
      currency: USDT,
      type: ERC20,
      contract_address: '0x00000000000000000000000000000000000000c1',
    });
    const right = await pay({ address, number: '500', currency: USDT, type: ERC20 });
    await mine();
    await reaches(right, 'credited');
    expect(await listed(wrong)).toBeUndefined();
  });

  test('XRP goes by its memo; without one it is kept, only operators see it [DEPOSIT-006] [CONSOLE-127]', async () => {
    const { address, memo } = await addressOf(XRP);
    const [named, nameless] = [
      await pay({ address, number: '30', currency: XRP, memo }),
      await pay({ address, number: '31', currency: XRP }),
    ];
    await mine();
    expect((await reaches(named, 'credited'))?.amount).toBe('30.00000000');
    expect(await listed(nameless)).toBeUndefined();
    const token = await operator('finance1');
    const row = await eventuallySatisfied(
      async () =>
        (await message(get('/api/admin/deposits', { limit: 100 }, { token }))).data.find(
          ({ tx_id }) => tx_id === nameless,
        ),
      (deposit) => deposit?.state === 'held',
      WITHIN_MS,
    );
    expect(row).toMatchObject({ user_id: 0, amount: '31.00000000', memo: '', chain: 'ripple' });
    // Of one person alone: the named payment, not the nameless one.
    const listOf = async (userId: number): Promise<(Deposit & { user_id: number })[]> =>
      (await message(get('/api/admin/deposits', { user_id: userId, limit: 100 }, { token }))).data;
    const all = await message(get('/api/admin/deposits', { limit: 100 }, { token }));
    const whose = all.data.find(({ tx_id }) => tx_id === named)!.user_id;
    const own = await listOf(whose);
    expect(own.map(({ tx_id }) => tx_id)).toContain(named);
    expect(own.filter(({ user_id: id }) => id !== whose)).toEqual([]);
    expect(await listOf(2_000_000_000)).toEqual([]);
    // The waiting deposits, as the dashboard counts them.
    const inState = async (state: string): Promise<(Deposit & { user_id: number })[]> =>
      (await message(get('/api/admin/deposits', { state, limit: 100 }, { token }))).data;
    const held = await inState('held');
    expect(held.map(({ tx_id }) => tx_id)).toContain(nameless);
    for (const state of ['seen', 'held', 'credited', 'returned'])
      expect((await inState(state)).filter((row) => row.state !== state)).toEqual([]);
    expect((await call('GET', '/api/admin/deposits', { state: 'returning' }, { token })).body).toMatchObject({
      key: 'common.fieldInvalid',
      field: 'state',
    });
  });

  test('the simulated chain accepts the payments of a real chain [CHAIN-009]', async () => {
    const { address } = await addressOf(BTC);
    expect((await post('/dev/chain/deposit', { number: '1', currency: BTC })).body).toMatchObject({
      key: 'common.fieldRequired',
      field: 'address',
    });
    expect((await post('/dev/chain/deposit', { address, currency: BTC })).body).toMatchObject({
      key: 'common.fieldRequired',
      field: 'number',
    });
    expect((await post('/dev/chain/deposit', { address, number: '0.000000001', currency: BTC })).body).toMatchObject({
      key: 'common.fieldInvalid',
      field: 'number',
    });
    expect(
      (await post('/dev/chain/deposit', { address: `${address}x`, number: '1', currency: BTC })).body,
    ).toMatchObject({ key: 'wallet.addressInvalid' });
    expect((await post('/dev/chain/deposit', { address, number: '1', currency: HAP })).body).toMatchObject({
      key: 'wallet.protocol',
    });
    for (const count of ['0', '101', '1.5', undefined])
      expect((await post('/dev/chain/blocks', { count })).body.key).toMatch(/^common\.field(Invalid|Required)$/);
    const [first, second] = [await mine(1), await mine(100)];
    expect(second.height - first.height).toBeGreaterThanOrEqual(100);
  });
});

describe('a held deposit', () => {
  test('is sent back on request, once, less the fee of the network [DEPOSIT-011]', async () => {
    const { address } = await addressOf(USDT, { type: TRC20 });
    const txId = await pay({ address, number: '50', currency: USDT, type: TRC20 });
    await mine();
    const held = await reaches(txId, 'held');
    const to = 'TMVQGm1qAQYVdetCeGRRkTWYYrLXuHK2HC';
    const ask = (fields: Fields, token = owner, headers: Record<string, string> = {}) =>
      post('/api/wallet/deposit_return', { id: held?.id, address: to, password: FUND, ...fields }, { token, headers });
    expect((await ask({}, await signIn('nofund@demo.bourse'))).body).toMatchObject({ type: 'not', key: 'fund.notSet' });
    expect((await ask({ id: undefined })).body).toMatchObject({ key: 'common.fieldRequired', field: 'id' });
    expect((await ask({ address: undefined })).body).toMatchObject({ key: 'common.fieldRequired', field: 'address' });
    expect((await ask({ password: undefined })).body).toMatchObject({ type: '996', key: 'fund.required' });
    expect((await ask({ address: 'bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu' })).body).toMatchObject({
      key: 'wallet.addressInvalid',
      field: 'address',
    });
    expect((await ask({}, other)).body).toMatchObject({ key: 'common.notFound' });
    const headers = { 'idempotency-key': `return-${randomUUID()}` };
    const first = await ask({}, owner, headers);
    expect(first.body).toMatchObject({ type: 'ok', key: 'wallet.depositReturned' });
    expect((await ask({}, owner, headers)).body).toMatchObject({ type: 'ok', key: 'wallet.depositReturned' });
    expect((await ask({})).body).toMatchObject({ type: 'error', key: 'common.notFound' });
    expect((await reaches(txId, 'returned'))?.amount).toBe('50.00000000');
    const token = await operator('finance1');
    await eventuallySatisfied(
      async () => {
        await mine(2);
        return (await message(get('/api/admin/deposits', { limit: 100 }, { token }))).data.find(
          ({ tx_id }) => tx_id === txId,
        );
      },
      (row) => row?.return_fee === '0.50000000' && row.return_address === to && row.return_tx_id !== '',
      WITHIN_MS,
    );
  });
});

describe('claims', () => {
  test('a claim is a word that support links to a deposit, crediting nothing [DEPOSIT-012] [CONSOLE-127]', async () => {
    const { address } = await addressOf(DOGE, {}, other);
    const txId = await pay({ address, number: '75.5', currency: DOGE });
    await mine();
    const deposit = await reaches(txId, 'credited', other);
    await eventuallySatisfied(
      () => change(DOGE, other),
      (now) => units(now) > 0n,
      WITHIN_MS,
    );
    const before = await change(DOGE, other);
    const claim = (fields: Fields) =>
      post(
        '/api/wallet/charge_req',
        { currency: DOGE, amount: '75.5', account: txId, user_id: 100001, ...fields },
        { token: other },
      );
    expect((await claim({ amount: undefined })).body).toMatchObject({ key: 'common.fieldRequired', field: 'amount' });
    expect((await claim({ account: undefined })).body).toMatchObject({ key: 'common.fieldRequired', field: 'account' });
    expect((await claim({ currency: undefined })).body).toMatchObject({
      key: 'common.fieldRequired',
      field: 'currency',
    });
    expect((await claim({ account: 'x'.repeat(101) })).body).toMatchObject({
      key: 'common.fieldInvalid',
      field: 'account',
    });
    for (const amount of ['0', '-1', '1e3', '0.123456789'])
      expect((await claim({ amount })).body).toMatchObject({ key: 'common.fieldInvalid', field: 'amount' });
    const made = await claim({});
    expect(made.body).toMatchObject({
      type: 'ok',
      key: 'wallet.chargeReceived',
      id: expect.stringMatching(/^\d{1,19}$/),
    });
    const again = await claim({});
    const mineClaims = async (): Promise<{ id: string; status: number }[]> =>
      (await message(get('/api/wallet/charge_list', { currency: DOGE }, { token: other }))).data;
    expect((await mineClaims())[1]).toEqual({
      id: made.body.id,
      currency: DOGE,
      amount: '75.50000000',
      account: txId,
      status: 1,
      create_time: expect.stringMatching(TIME),
    });
    expect((await message(get('/api/wallet/charge_list', {}, { token: await trader(3) }))).data).toEqual([]);

    const [finance, support] = [await operator('finance1'), await operator('support1')];
    const decide = (fields: Fields, token = finance) =>
      post(
        '/api/admin/charge_reqs/decide',
        { id: String(made.body.id), status: 2, deposit_id: deposit?.id, reason: 'found on the chain', ...fields },
        { token },
      );
    expect((await call('GET', '/api/admin/charge_reqs', {}, { token: support })).status).toBe(403);
    const claims = async (fields: Fields): Promise<{ id: string; user_id: number }[]> =>
      (await message(get('/api/admin/charge_reqs', fields, { token: finance }))).data;
    const claimant = (await claims({ limit: 100 })).find(({ id }) => id === String(made.body.id))!.user_id;
    const ofClaimant = await claims({ user_id: claimant, limit: 100 });
    expect(ofClaimant.map(({ id }) => id)).toContain(String(made.body.id));
    expect(ofClaimant.filter(({ user_id: id }) => id !== claimant)).toEqual([]);
    expect(await claims({ user_id: 2_000_000_000 })).toEqual([]);
    const waiting = (await claims({ status: 1, limit: 100 })).map(({ id }) => id);
    expect(waiting).toContain(String(made.body.id));
    const decided = (await claims({ status: 2, limit: 100 })).map(({ id }) => id);
    expect(decided).not.toContain(String(made.body.id));
    expect((await decide({}, other)).status).toBe(403);
    expect((await decide({ status: 1 })).body).toMatchObject({ key: 'common.fieldInvalid', field: 'status' });
    expect((await decide({ deposit_id: '17' })).body).toMatchObject({ key: 'common.notFound', field: 'deposit_id' });
    expect((await decide({ deposit_id: undefined })).body).toMatchObject({
      key: 'common.fieldRequired',
      field: 'deposit_id',
    });
    expect((await decide({})).body).toMatchObject({ type: 'ok', key: 'admin.chargeDecided' });
    expect((await decide({})).body).toMatchObject({ type: 'error', key: 'admin.decided' });
    // A deposit answers one claim.
    expect((await decide({ id: String(again.body.id) })).body).toMatchObject({
      type: 'error',
      key: 'admin.decided',
    });
    expect((await decide({ id: String(again.body.id), status: 3, deposit_id: undefined })).body).toMatchObject({
      type: 'ok',
    });
    expect((await mineClaims()).slice(0, 2).map(({ status }) => status)).toEqual([3, 2]);
    expect(await change(DOGE, other)).toBe(before);
    const trail = await eventuallySatisfied(
      async () => (await message(get('/api/admin/audit', {}, { token: finance }))).data,
      (rows) => rows.some(({ action, target }) => action === 'charge_reqs.decide' && target === made.body.id),
      WITHIN_MS,
    );
    expect(trail.length).toBeGreaterThan(0);
  });
});
