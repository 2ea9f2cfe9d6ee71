import { createHash } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import type { MessageOf } from '@bourse/contract';
import { eventuallySatisfied } from '@bourse/testing/eventually';
import { get, post, trader, type Fields } from './client.js';
import { done, createNewcomer, operator, type Person } from './people.js';

const [BTC, USDT, HAP] = [1, 3, 8];
const HASH = /^[0-9a-f]{64}$/;
const PLAIN = /^(0|[1-9]\d*)(\.\d*[1-9])?$/;

type Latest = MessageOf<'GET /api/solvency/latest'>;
type Proof = MessageOf<'GET /api/solvency/proof'>;

let ann: string, finance: string, newbie: Person;
beforeAll(async () => {
  [ann, finance, newbie] = await Promise.all([trader(1), operator('finance1'), createNewcomer()]);
});

const message = async <M>(asked: Promise<{ body: { type: string; message: unknown } }>): Promise<M> => {
  const { body } = await asked;
  if (body.type !== 'ok') throw new Error(JSON.stringify(body));
  return body.message as M;
};
const latest = (): Promise<Latest> => message<Latest>(get('/api/solvency/latest'));
const proof = (token: string, fields: Fields): Promise<Proof> =>
  message<Proof>(get('/api/solvency/proof', fields, { token }));
/** Takes a snapshot; returns its id once it is published. */
async function snapshot(): Promise<number> {
  const reason = 'a test of solvency';
  const { message: taken } = await done(post('/api/admin/solvency/snapshot', { reason }, { token: finance }));
  const { snapshot_id: id } = taken;
  await eventuallySatisfied(latest, ({ snapshot_id: published }) => published >= id);
  return id;
}

const units = (text: string): bigint => {
  const [whole = '0', fraction = ''] = text.split('.');
  return BigInt(whole + fraction.padEnd(8, '0'));
};
const plain = (value: bigint): string => {
  const digits = value.toString().padStart(9, '0');
  return `${digits.slice(0, -8)}.${digits.slice(-8)}`.replace(/\.?0+$/, '');
};
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
/** Computes the path of rules §8.7 to the root again, from the proof alone. */
function rootOf({ leaf, path, currency }: Proof, userId: number): { hash: string; sum: string } {
  let [hash, sum] = [sha256(`leaf|${leaf.nonce}|${userId}|${currency}|${leaf.balance}`), leaf.balance];
  expect(hash).toBe(leaf.hash);
  for (const { side, hash: other, sum: otherSum } of path) {
    hash = sha256(
      side === 'L' ? `node|${other}|${otherSum}|${hash}|${sum}` : `node|${hash}|${sum}|${other}|${otherSum}`,
    );
    sum = plain(units(sum) + units(otherSum));
  }
  return { hash, sum };
}

describe('debts of the exchange', () => {
  test('everybody sees the latest snapshot: each coin with liabilities, assets and root [SOLV-020]', async () => {
    const now = await latest();
    expect(now).toMatchObject({
      snapshot_id: expect.any(Number),
      time: expect.stringMatching(/^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/),
      simulated_assets: 1,
    });
    expect(now.currencies.map(({ currency }) => currency)).toEqual([
      'BTC',
      'ETH',
      'USDT',
      'XRP',
      'LTC',
      'DOGE',
      'ADA',
      'HAP',
    ]);
    for (const { liabilities, assets, leaves, root_hash } of now.currencies) {
      expect([liabilities, assets]).toEqual([
        expect.stringMatching(/^\d+\.\d{8}$/),
        expect.stringMatching(/^\d+\.\d{8}$/),
      ]);
      expect(root_hash).toMatch(HASH);
      expect(leaves).toBeGreaterThan(0);
      expect(units(assets) >= units(liabilities)).toBe(true);
    }
  });

  test('only an operator of finance takes one by hand, with a reason [SOLV-021]', async () => {
    const before = await latest();
    const id = await snapshot();
    expect(id).toBeGreaterThan(before.snapshot_id);
    expect((await post('/api/admin/solvency/snapshot', { reason: 'x' }, { token: finance })).body).toMatchObject({
      type: 'error',
      key: 'admin.reason',
    });
    expect(
      await post('/api/admin/solvency/snapshot', { reason: 'a test of roles' }, { token: await operator('support1') }),
    ).toMatchObject({ status: 403, body: { key: 'common.forbidden' } });
    expect(await post('/api/admin/solvency/snapshot', { reason: 'a test of roles' }, { token: ann })).toMatchObject({
      status: 403,
      body: { key: 'common.forbidden' },
    });
    expect(await post('/api/admin/solvency/snapshot', { reason: 'a test of roles' })).toMatchObject({
      status: 200,
      body: { type: '999' },
    });
  });

  test("each person's balance leads to the published root, hash by hash and sum by sum [SOLV-022]", async () => {
    const id = await snapshot();
    for (const currency of [BTC, USDT, HAP]) {
      const given = await proof(ann, { currency, snapshot_id: id });
      expect(given.snapshot_id).toBe(id);
      expect(given.root_hash).toMatch(HASH);
      for (const sum of [given.leaf.balance, given.root_sum, ...given.path.map((step) => step.sum)])
        expect(sum).toMatch(PLAIN);
      expect(rootOf(given, 100_001)).toEqual({ hash: given.root_hash, sum: given.root_sum });
      const published = await latest();
      if (published.snapshot_id !== id) continue;
      expect(published.currencies.find((coin) => coin.currency === given.currency)).toMatchObject({
        root_hash: given.root_hash,
        liabilities: expect.stringMatching(new RegExp(`^${plain(units(given.root_sum)).replace('.', '\\.')}`)),
      });
    }
  });

  test('a balance is all accounts of the coin, and a snapshot stays as it was taken [SOLV-023]', async () => {
    const seller = await message<string>(
      post('/api/user/login', { user_string: 'acceptor@demo.bourse', password: 'Harbor-2468' }),
    );
    const id = await snapshot();
    const given = await proof(seller, { currency: USDT, snapshot_id: id });
    const { accounts } = await message<{ accounts: { currency: string; balance: string }[] }>(
      get('/api/statement/check', {}, { token: seller }),
    );
    expect(given.leaf.balance).toBe(
      plain(
        accounts.filter(({ currency }) => currency === 'USDT').reduce((sum, { balance }) => sum + units(balance), 0n),
      ),
    );
    await snapshot();
    expect(await proof(seller, { currency: USDT, snapshot_id: id })).toEqual(given);
    // The coin's name is understood too.
    expect(await proof(seller, { currency: 'USDT', snapshot_id: id })).toEqual(given);
  });

  test('a proof is for its owner: none without a token, an account, a coin or a snapshot [SOLV-024]', async () => {
    expect((await get('/api/solvency/proof', { currency: USDT })).body).toMatchObject({ type: '999' });
    expect((await get('/api/solvency/proof', {}, { token: ann })).body).toMatchObject({
      type: 'error',
      key: 'common.fieldRequired',
      field: 'currency',
    });
    for (const fields of [{ currency: 99 }, { currency: USDT, snapshot_id: 999_999 }])
      expect((await get('/api/solvency/proof', fields, { token: ann })).body).toMatchObject({
        type: 'error',
        key: 'common.notFound',
      });
    expect((await get('/api/solvency/proof', { currency: USDT, snapshot_id: 'x' }, { token: ann })).body).toMatchObject(
      { type: 'error', key: 'common.fieldInvalid', field: 'snapshot_id' },
    );
    expect(
      (await get('/api/solvency/proof', { currency: USDT, user_id: 100_001 }, { token: newbie.token })).body,
    ).toMatchObject({ type: 'error', key: 'common.notFound' });
  });
});
