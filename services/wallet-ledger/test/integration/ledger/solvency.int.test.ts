import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { SEED_CURRENCIES, SEED_NETWORKS, verifyProof, type SolvencyProof } from '@bourse/contract';
import { toUnits } from '@bourse/money';
import { Unavailable } from '@bourse/platform';
import { SimulatedClock, testTimeoutMs, type TestDatabases } from '@bourse/testing';
import { PostgresSolvencyStore } from '../../../src/ledger/adapters/persistence/solvency-store.js';
import { Chains, ChainUnavailable, type Chain } from '../../../src/wallet/chains/application/chain.js';
import { ChainAssets } from '../../../src/wallet/chains/application/chain-assets.js';
import { SolvencyProofs } from '../../../src/ledger/application/solvency/proofs.js';
import { nextDue, type SolvencyRuntime } from '../../../src/ledger/application/solvency/solvency-runtime.js';
import { TakeSnapshot } from '../../../src/ledger/application/solvency/take-snapshot.js';
import type { Currencies } from '../../../src/ledger/application/currencies.js';
import { Networks } from '../../../src/wallet/shared/application/networks.js';
import { available, held } from '@bourse/events';
import { BTC, ledgerDatabases, LedgerProcess, USDT } from './writer-harness.js';

jest.setTimeout(testTimeoutMs(24_000));

const currencies = {
  all: () => SEED_CURRENCIES,
  scaleOf: (id: number) => SEED_CURRENCIES.find((row) => row.id === id)?.scale,
} as Currencies;
const clock = new SimulatedClock(Date.UTC(2026, 0, 1, 12));
const DAY = 86_400_000;

let db: TestDatabases;
let process: LedgerProcess;
let store: PostgresSolvencyStore;
let proofs: SolvencyProofs;
class NoChains extends Chains {
  get(): undefined {
    return undefined;
  }
  all(): readonly Chain[] {
    return [];
  }
}
const networks = new Networks(SEED_NETWORKS);
const takerWith = (chains: Chains = new NoChains()): TakeSnapshot =>
  new TakeSnapshot(store, new ChainAssets(currencies, networks, chains), currencies, clock);
const takeAll = async (taker = takerWith()): Promise<void> => {
  for (let id = await store.claim('me', 60); id !== null; id = await store.claim('me', 60))
    await taker.execute(id, 'me');
};

beforeAll(async () => {
  db = await ledgerDatabases();
  process = await LedgerProcess.start(db, { partitions: 3 });
  for (let user = 100_001; user <= 100_021; user++) await process.seed(user, `${user - 100_000}.5`);
  await process.seed(100_001, '2', BTC);
  await process.transfer(100_003, 'moved', '1');
  await process.command({
    commandId: 'held',
    issuer: 'spot-matching',
    userId: 100_004,
    answer: { type: 'ok' },
    journals: [
      {
        id: 'order:1:hold',
        causeType: 'order',
        causeId: '1',
        legs: [
          { from: available(100_004, 'change'), to: held(100_004, 'change', 'order:1'), currency: USDT, amount: '3' },
        ],
      },
    ],
  });
  store = new PostgresSolvencyStore(process.database);
  proofs = new SolvencyProofs(
    store,
    {
      wake: () => {
        void takeAll();
      },
    } as SolvencyRuntime,
    clock,
  );
});
afterAll(async () => {
  await process.stop();
  await db.end();
});

test('the first snapshot is wanted once; each balance in all accounts leads to its root [SOLV-010]', async () => {
  expect(await proofs.latest()).toBeNull();
  await store.requestFirst();
  await store.requestFirst();
  await takeAll();
  const latest = await proofs.latest();
  expect(latest).toMatchObject({ time: '2026-01-01 12:00:00', simulated_assets: 1 });
  const coin = (name: string): { liabilities: string; assets: string; leaves: number; root_hash: string } | undefined =>
    latest?.currencies.find(({ currency }) => currency === name);
  expect(coin('USDT')).toMatchObject({ liabilities: '241.50000000', assets: '241.50000000', leaves: 21 });
  expect(coin('BTC')).toMatchObject({ liabilities: '2.00000000', assets: '2.00000000', leaves: 1 });
  expect(coin('HAP')).toMatchObject({ liabilities: '0.00000000', assets: '0.00000000', leaves: 0 });
  for (let user = 100_001; user <= 100_021; user++) {
    const proof = (await proofs.proof(user, USDT)) as SolvencyProof;
    expect(proof).toMatchObject({
      currency: 'USDT',
      leaf: { balance: `${user - 100_000}.5` },
      root_hash: coin('USDT')?.root_hash,
      root_sum: '241.5',
    });
    expect(proof.path).toHaveLength(5);
    expect(await verifyProof(proof, { userId: user })).toMatchObject({ ok: true });
    expect(await verifyProof(proof, { userId: user + 1 })).toMatchObject({ ok: false });
  }
  expect(await proofs.proof(100_001, BTC)).toMatchObject({ leaf: { balance: '2' }, path: [], root_sum: '2' });
  expect(await proofs.proof(100_002, BTC)).toBeNull();
  expect(await proofs.proof(100_001, USDT, 99)).toBeNull();
});

test("an operator's snapshot is there with the answer; older ones stay provable [SOLV-011]", async () => {
  const before = await proofs.latest();
  await process.seed(100_002, '7', BTC);
  const id = await proofs.snapshotNow({ operatorId: 2, operator: 'finance1', reason: 'month end' });
  expect((await proofs.latest())?.snapshot_id).toBe(id);
  expect(await proofs.proof(100_002, BTC)).toMatchObject({ snapshot_id: id, leaf: { balance: '7' }, root_sum: '9' });
  expect(await proofs.proof(100_001, BTC, before?.snapshot_id)).toMatchObject({ root_sum: '2' });
  const [row] = await db.query<{ payload: string }>(
    `select payload::text from ledger.outbox where topic = 'operator.actions'`,
  );
  expect(JSON.parse(row?.payload ?? '[]')).toMatchObject([
    {
      body: {
        id: `wallet-ledger:solvency.snapshot:${id}`,
        operatorId: 2,
        operator: 'finance1',
        action: 'solvency.snapshot',
        reason: 'month end',
      },
    },
  ]);
});

test('the snapshot of a day is wanted once, at 00:15 UTC [SOLV-012]', async () => {
  expect(new Date(nextDue(Date.UTC(2026, 0, 1, 0, 14, 59))).toISOString()).toBe('2026-01-01T00:15:00.000Z');
  expect(new Date(nextDue(Date.UTC(2026, 0, 1, 0, 15))).toISOString()).toBe('2026-01-02T00:15:00.000Z');
  const before = (await proofs.latest())?.snapshot_id ?? 0;
  for (let time = 0; time < 2; time++) await process.database.transaction((tx) => store.requestDaily(tx, '2026-01-02'));
  await takeAll();
  expect((await proofs.latest())?.snapshot_id).toBe(before + 1);
  expect(await store.claim('me', 60)).toBeNull();
});

test('an unfinished snapshot is claimed and begun again; its earlier owner publishes nothing [SOLV-013]', async () => {
  const id = await store.request();
  expect(await store.claim('dead', 60)).toBe(id);
  expect(await store.claim('me', 60)).toBeNull();
  await store.begin(id);
  await store.saveLeaves(id, USDT, [{ owner: 100_001, place: 0, nonce: 'left', balance: '1' }]);
  await db.query(`update ledger.solvency_snapshot set claimed_until = now() - interval '1 second' where id = ${id}`);
  expect(await store.claim('me', 60)).toBe(id);
  expect(await takerWith().execute(id, 'me')).toBe(true);
  expect(await proofs.proof(100_001, USDT, id)).toMatchObject({ leaf: { balance: '1.5' } });
  expect(await store.finish({ id, takenAt: clock.now(), simulatedAssets: true, coins: [] }, 'dead')).toBe(false);
});

test('assets of real chains are their balances; nothing is published while one is silent [SOLV-014]', async () => {
  const chainWith = (holdings: () => Promise<bigint>): Chain => ({ simulated: false, holdings }) as unknown as Chain;
  class AllReal extends Chains {
    constructor(private readonly chain: Chain) {
      super();
    }
    get(): Chain {
      return this.chain;
    }
    all(): readonly Chain[] {
      return [this.chain];
    }
  }
  const assets = new ChainAssets(currencies, networks, new AllReal(chainWith(() => Promise.resolve(toUnits('5', 6)))));
  const { units, simulated } = await assets.of(
    new Map([
      [USDT, 1n],
      [8, 77n],
    ]),
  );
  expect(simulated).toBe(false);
  // Both networks of USDT count 6 decimals, BTC 8; HAP is on no chain.
  expect([units.get(USDT), units.get(BTC), units.get(8)]).toEqual([toUnits('10', 8), toUnits('0.05', 8), 77n]);
  const id = await store.request();
  await store.claim('me', 60);
  await expect(
    takerWith(new AllReal(chainWith(() => Promise.reject(new ChainUnavailable('no node'))))).execute(id, 'me'),
  ).rejects.toBeInstanceOf(Unavailable);
  expect(await store.isDone(id)).toBe(false);
  await takeAll();
  expect(await store.isDone(id)).toBe(true);
});

test('a snapshot older than 30 days is dropped whole [SOLV-015]', async () => {
  const old = (await proofs.latest())?.snapshot_id ?? 0;
  clock.advance(31 * DAY);
  const id = await store.request();
  await takeAll();
  await store.dropBefore(clock.now() - 30 * DAY);
  expect(await proofs.proof(100_001, USDT, old)).toBeNull();
  expect(await proofs.proof(100_001, USDT, id)).toMatchObject({ snapshot_id: id });
  expect(
    await db.query<{ name: string }>(
      `select relname as name
        from pg_class
        where relname ~ '^solvency_(leaf|nodes)_\\d+$' and relkind = 'r'
        order by 1`,
    ),
  ).toEqual([{ name: `solvency_leaf_${id}` }, { name: `solvency_nodes_${id}` }]);
});

test('with thousands of people the process answers others all the while [SOLV-016]', async () => {
  await db.query(`set session_replication_role = replica`);
  await db.query(
    `insert into ledger.balance select 200000 + n, 'change', ${USDT}, 0, n * 0.01, 0, 1, 0
      from generate_series(1, 5000) n`,
  );
  await db.query(`set session_replication_role = default`);
  const id = await store.request();
  await store.claim('me', 60);
  let turns = 0;
  let taking = true;
  const counting = (async () => {
    for (; taking; turns += 1) await new Promise((resolve) => setImmediate(resolve));
  })();
  await takerWith().execute(id, 'me');
  taking = false;
  await counting;
  // Reading, three hashes a person and their rows: at least one turn for each 5 ms piece and each statement.
  expect(turns).toBeGreaterThan(60);
  const proof = (await proofs.proof(204_321, USDT)) as SolvencyProof;
  expect(proof).toMatchObject({ leaf: { balance: '43.21' } });
  expect(await verifyProof(proof, { userId: 204_321 })).toMatchObject({ ok: true });
});
