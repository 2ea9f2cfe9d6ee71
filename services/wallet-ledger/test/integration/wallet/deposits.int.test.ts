import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { SEED_CURRENCIES, SEED_NETWORKS, type ChainName } from '@bourse/contract';
import {
  authAsks,
  delay,
  Fenced,
  InProcessAsks,
  SingleRunner,
  type Asks,
  type FundGate,
  type Lease,
  type TotpVerdict,
} from '@bourse/messaging';
import { Sagas, type Commands, type SagasParts } from '@bourse/ledger-client';
import type { Database, Tx } from '@bourse/persistence';
import { formatTrimmed, toUnits } from '@bourse/money';
import {
  Alarms,
  Refused,
  SystemClock,
  readFields,
  type CallContext,
  type Config,
  type SecurityLog,
} from '@bourse/platform';
import { FixedSettings } from '@bourse/settings';
import { eventually, testTimeoutMs, type TestDatabases } from '@bourse/testing';
import { SimulatedBlocks } from '../../../src/wallet/chains/networks/simulated/simulated-blocks.js';
import { SimulatedChain, txIdOf } from '../../../src/wallet/chains/networks/simulated/simulated-chain.js';
import { loadSigner } from '../../../src/wallet/chains/keys/seed-store.js';
import type { SeedSigner } from '../../../src/wallet/chains/keys/seed-signer.js';
import { PostgresDepositAddressStore } from '../../../src/wallet/deposits/persistence/deposit-address-store.js';
import { PostgresDepositStore } from '../../../src/wallet/deposits/persistence/deposit-store.js';
import { PostgresAddressStore } from '../../../src/wallet/addresses/persistence/address-store.js';
import { PostgresWithdrawalStore } from '../../../src/wallet/withdrawals/persistence/withdrawal-store.js';
import { loadNetworks } from '../../../src/wallet/shared/persistence/network-store.js';
import { PostgresChainHealth } from '../../../src/wallet/chains/persistence/own-addresses.js';
import type { Chains } from '../../../src/wallet/chains/application/chain.js';
import type { Currencies } from '../../../src/ledger/application/currencies.js';
import { ConfirmDeposit } from '../../../src/wallet/deposits/application/confirm-deposit.js';
import { UnownedDeposits } from '../../../src/wallet/deposits/application/unowned-deposits.js';
import type { DepositFacts } from '../../../src/wallet/deposits/application/deposit-facts.js';
import { PostgresClaimStore } from '../../../src/wallet/deposits/persistence/claim-store.js';
import { DepositAddresses } from '../../../src/wallet/deposits/application/deposit-addresses.js';
import type { DepositRow } from '../../../src/wallet/deposits/application/ports.js';
import { ReturnDeposit } from '../../../src/wallet/deposits/application/return-deposit.js';
import { reorgAlarm, WatchChain } from '../../../src/wallet/deposits/application/watch-chain.js';
import type { Networks, VersionedNetwork } from '../../../src/wallet/shared/application/networks.js';
import type { Prices } from '../../../src/wallet/shared/application/prices.js';
import type { WalletView } from '../../../src/wallet/balances/application/wallet-view.js';
import { AuthorizeOutgoing } from '../../../src/wallet/withdrawals/application/authorize-outgoing.js';
import { PayoutStops } from '../../../src/wallet/withdrawals/application/payout-stops.js';
import { Payouts, type NewPayout, type PayoutSettler } from '../../../src/wallet/withdrawals/application/payouts.js';
import { LedgerProcess, ledgerDatabases } from '../ledger/writer-harness.js';
import { CoinNetworkBody } from '../../../src/wallet/deposits/application/fields.js';

jest.setTimeout(testTimeoutMs(36_000));

/** So deep that no block which comes by itself while a test runs makes a difference. */
const NEEDED = 600;
const HALF = NEEDED / 2;
const USER = 100001,
  OTHER = 100002;
const BTC = 1,
  USDT = 3,
  XRP = 4;
const scaleOf = (id: number): number | undefined => SEED_CURRENCIES.find((currency) => currency.id === id)?.scale;

let db: TestDatabases;
let ledger: LedgerProcess;
let database: Database;
let signer: SeedSigner;
let networks: Networks;
let store: PostgresDepositStore;
let given: PostgresDepositAddressStore;
let addresses: DepositAddresses;
let blocks: SimulatedBlocks;
let chains: Chains;
const alarms = new Alarms();
/** Deposits published as credited, in order. */
let told: string[];
const facts = {
  credited: async (_: unknown, { id }: { readonly id: string }) => {
    told.push(id);
  },
  held: () => undefined,
  seen: () => undefined,
};
const chain = (name: ChainName, on = blocks): SimulatedChain =>
  new SimulatedChain(
    {
      chain: name,
      hotAddress: signer.addressOf(name, { kind: 'hot' }),
      scales: new Map(
        networks
          .all()
          .filter((network) => network.chain === name)
          .map((network) => [network.contractAddress, network.chainScale]),
      ),
    },
    on,
  );

beforeEach(async () => {
  told = [];
  db = await ledgerDatabases();
  ledger = await LedgerProcess.start(db);
  ({ database } = ledger);
  signer = await loadSigner(database, 'a secret for this test only', { cost: { logN: 12, r: 8, p: 1 } });
  networks = await loadNetworks(database, {
    networkOverrides: Object.fromEntries(SEED_NETWORKS.map(({ id }) => [id, { confirmations: NEEDED }])),
  });
  store = new PostgresDepositStore(database);
  given = new PostgresDepositAddressStore(database);
  blocks = new SimulatedBlocks(database, ['bitcoin', 'ethereum', 'tron', 'ripple']);
  await blocks.begin();
  chains = { get: (name: ChainName) => chain(name) } as unknown as Chains;
  addresses = new DepositAddresses(
    given,
    signer,
    chains,
    networks,
    {
      scaleOf,
      all: () => SEED_CURRENCIES,
      nameOf: (id: number) => SEED_CURRENCIES.find((row) => row.id === id)?.name,
    } as unknown as Currencies,
    {} as WalletView,
    {} as Asks,
  );
});
afterEach(async () => {
  await ledger.stop();
  await db.end();
});

/** A watcher's lease as `SingleRunner` takes it, without its renewals. */
async function lease(name: string, instance = 'one'): Promise<Lease> {
  // Another instance takes it over as it would when the lease has run out.
  await database.execute('update owner set owner = $2 where consumer = $1', [name, instance]);
  const taken = await database.tables.owners.take(name, 0, instance, 60_000);
  if (!taken) throw new Error(`${name} is taken`);
  return {
    name,
    epoch: taken.epoch,
    signal: new AbortController().signal,
    fence: async (tx) => {
      const { owned } = await database.tables.owners.advance(
        tx,
        { consumer: name, partition: 0, epoch: taken.epoch, kafkaOffset: null, leaseMs: 60_000 },
        [],
      );
      if (!owned) throw new Fenced('the epoch has ended');
    },
  };
}

interface Watcher {
  readonly watch: WatchChain;
  readonly lease: Lease;
  run(): Promise<void>;
}
async function watcher(
  name: ChainName,
  { instance = 'one', confirm = new ConfirmDeposit(store, 1, new SystemClock(), scaleOf, facts) } = {},
): Promise<Watcher> {
  const held = await lease(`chain.watcher.${name}`, instance);
  const watch = new WatchChain({
    chain: chain(name),
    database,
    store,
    addresses: given,
    confirm,
    networks: () => networks.on(name),
    scaleOf,
    alarms,
    clock: new SystemClock(),
  });
  return {
    watch,
    lease: held,
    run: async () => {
      while (await watch.step(held));
    },
  };
}

/** The world pays somebody, in the next block. */
async function pay(
  name: ChainName,
  address: string,
  amount: bigint,
  { memo = '', contract = '', txId = txIdOf(name, `${address}${amount}${Math.random()}`) } = {},
): Promise<string> {
  await blocks.put(name, {
    txId,
    output: contract === '' && name !== 'bitcoin' ? -1 : 0,
    address,
    memo,
    contract,
    amount,
  });
  return txId;
}
const contractOf = (network: number): string => networks.byId(network)?.contractAddress ?? '';
const deposits = async (user: number): Promise<readonly DepositRow[]> =>
  (await store.ofUser(user, {}, { size: 100, offset: 0 })).rows;
const states = async (user: number): Promise<string[]> => (await deposits(user)).map(({ state }) => state).sort();
/** The balances of the ledger, once it is quiet. */
async function balances(): Promise<Record<string, string>> {
  await eventually(async () => {
    const [row] = await db.query<{ behind: string }>(
      `select count(*) as behind
        from ledger.stream s
        where s.name like 'ledger>ledger.commands/%'
          and s.next - 1 > coalesce((select p.number from ledger.position p where p.stream = s.name), 0)`,
    );
    return row?.behind === '0';
  }, 10_000);
  const rows = await db.query<{ owner: string; product: string; currency: number; available: string }>(
    `select owner, product, currency, trim_scale(available)::text as available
      from ledger.balance
      where available <> 0`,
  );
  return Object.fromEntries(
    rows.map((row) => [`${Number(row.owner) < 0 ? '' : `${row.owner}.`}${row.product}.${row.currency}`, row.available]),
  );
}
const audited = async (): Promise<unknown[]> => (await ledger.audit.run()).filter(({ ok }) => !ok);

describe('deposits', () => {
  test('a payment is seen, counted, and credited once, whatever is repeated [DEPOSIT-001] [DEPOSIT-002]', async () => {
    const { address } = await addresses.give(USER, 'bitcoin');
    const first = await watcher('bitcoin');
    await first.run();
    const txId = await pay('bitcoin', address, 150_000_000n);
    await blocks.add(HALF);
    await first.run();
    expect(await states(USER)).toEqual(['seen']);
    expect(await balances()).toEqual({});
    await blocks.add(HALF);
    await first.run();
    const [deposit] = await deposits(USER);
    expect(deposit).toMatchObject({ state: 'credited', amount: '1.50000000', txId, networkId: 1, userId: USER });
    expect(await balances()).toEqual({ [`${USER}.change.${BTC}`]: '1.5', [`h.outside.${BTC}`]: '-1.5' });
    // The same transaction again, another watcher over all rows, another watcher over all blocks.
    await pay('bitcoin', address, 150_000_000n, { txId });
    await blocks.add(NEEDED);
    await (await watcher('bitcoin')).run();
    await db.query('delete from ledger.chain_block where height > (select min(height) from ledger.chain_block)');
    await (await watcher('bitcoin')).run();
    expect(await states(USER)).toEqual(['credited']);
    expect(told).toEqual([deposit?.id]);
    expect(await balances()).toEqual({ [`${USER}.change.${BTC}`]: '1.5', [`h.outside.${BTC}`]: '-1.5' });
    const journals = await db.query<{ id: string }>(
      `select distinct id from ledger.journal where cause_type = 'deposit'`,
    );
    expect(journals).toEqual([{ id: `deposit:${deposit?.id}:credit` }]);
    expect(await audited()).toEqual([]);
  });

  test('below the minimum it is held until the held deposits of the coin reach it [DEPOSIT-003]', async () => {
    const [erc, trc] = [await addresses.give(USER, 'ethereum'), await addresses.give(USER, 'tron')];
    const [ethereum, tron] = [await watcher('ethereum'), await watcher('tron')];
    await Promise.all([ethereum.run(), tron.run()]);
    await pay('tron', trc.address, 60_000_000n, { contract: contractOf(4) });
    await blocks.add(NEEDED);
    await tron.run();
    expect(await states(USER)).toEqual(['held']);
    expect(await balances()).toEqual({ [`h.suspense.${USDT}`]: '60', [`h.outside.${USDT}`]: '-60' });
    // A deposit that is large enough is credited alone.
    await pay('ethereum', erc.address, 100_000_000n, { contract: contractOf(3) });
    await blocks.add(NEEDED);
    await ethereum.run();
    expect(await states(USER)).toEqual(['credited', 'held']);
    await pay('ethereum', erc.address, 39_999_999n, { contract: contractOf(3) });
    await blocks.add(NEEDED);
    await ethereum.run();
    expect(await states(USER)).toEqual(['credited', 'held', 'held']);
    expect(told).toHaveLength(1);
    await pay('tron', trc.address, 1n, { contract: contractOf(4) });
    await blocks.add(NEEDED);
    await tron.run();
    expect(await states(USER)).toEqual(['credited', 'credited', 'credited', 'credited']);
    expect(new Set(told).size).toBe(4);
    expect(await balances()).toEqual({ [`${USER}.change.${USDT}`]: '200', [`h.outside.${USDT}`]: '-200' });
    expect(await audited()).toEqual([]);
  });

  test('many small deposits of one person on two networks at once: none is left behind [DEPOSIT-003]', async () => {
    const [erc, trc] = [await addresses.give(USER, 'ethereum'), await addresses.give(USER, 'tron')];
    const [ethereum, tron] = [await watcher('ethereum'), await watcher('tron')];
    await Promise.all([ethereum.run(), tron.run()]);
    for (let n = 0; n < 10; n++) {
      await pay('ethereum', erc.address, 10_000_000n, { contract: contractOf(3) });
      await pay('tron', trc.address, 10_000_000n, { contract: contractOf(4) });
    }
    await blocks.add(NEEDED);
    await Promise.all([ethereum.run(), tron.run()]);
    expect(new Set(await states(USER))).toEqual(new Set(['credited']));
    expect(await balances()).toEqual({ [`${USER}.change.${USDT}`]: '200', [`h.outside.${USDT}`]: '-200' });
  });

  test('another contract, a stranger and dust bring nothing [DEPOSIT-005]', async () => {
    const { address } = await addresses.give(USER, 'ethereum');
    const ethereum = await watcher('ethereum');
    await ethereum.run();
    await pay('ethereum', address, 500_000_000n, { contract: '0x00000000000000000000000000000000000000c1' });
    await pay('ethereum', '0x00000000000000000000000000000000000000A1', 10n ** 18n);
    await pay('ethereum', address, 9_999_999_999n);
    await blocks.put('ethereum', {
      txId: txIdOf('ethereum', 'reverted'),
      output: -1,
      address,
      memo: '',
      contract: '',
      amount: 10n ** 18n,
      success: false,
    });
    await blocks.add(NEEDED);
    await ethereum.run();
    expect((await store.all({}, { size: 10, offset: 0 })).rows).toEqual([]);
    expect(await balances()).toEqual({});
    // The last digits of a coin with more decimals than the ledger stay outside.
    await pay('ethereum', address, 10n ** 18n + 9_999_999_999n);
    await blocks.add(NEEDED);
    await ethereum.run();
    expect(await balances()).toEqual({ [`${USER}.change.2`]: '1', 'h.outside.2': '-1' });
  });

  test('XRP deposits are assigned by tag; without a known tag they have no owner [DEPOSIT-006]', async () => {
    const [mine, theirs] = [await addresses.give(USER, 'ripple'), await addresses.give(OTHER, 'ripple')];
    expect(mine.address).toEqual(theirs.address);
    expect(mine.memo).not.toBe(theirs.memo);
    const ripple = await watcher('ripple');
    await ripple.run();
    await pay('ripple', mine.address, 25_000_000n, { memo: theirs.memo });
    await pay('ripple', mine.address, 7_000_000n);
    await pay('ripple', mine.address, 8_000_000n, { memo: '4294967295' });
    await blocks.add(NEEDED);
    await ripple.run();
    expect([await states(USER), await states(OTHER)]).toEqual([[], ['credited']]);
    expect(
      (await store.all({}, { size: 10, offset: 0 })).rows
        .filter(({ userId }) => userId === null)
        .map(({ state, amount }) => [state, amount])
        .sort(),
    ).toEqual([
      ['held', '7.00000000'],
      ['held', '8.00000000'],
    ]);
    expect(await balances()).toEqual({
      [`${OTHER}.change.${XRP}`]: '25',
      [`h.suspense.${XRP}`]: '15',
      [`h.outside.${XRP}`]: '-40',
    });
    expect(await audited()).toEqual([]);
  });
});

describe('a deposit without an owner', () => {
  const by = { operatorId: 9, operator: 'finance1', reason: 'an integration test' };
  const XRP_ADDRESS = 'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh';
  const events: string[] = [];
  async function unowned(claims: PostgresClaimStore, payouts: KeptPayouts) {
    await blocks.add(1_000);
    events.length = 0;
    const { address } = await addresses.give(USER, 'ripple');
    const ripple = await watcher('ripple');
    await ripple.run();
    await pay('ripple', address, 7_000_000n);
    await pay('ripple', address, 8_000_000n, { memo: '0' });
    await blocks.add(NEEDED);
    await ripple.run();
    const service = new UnownedDeposits(
      database as never,
      store,
      claims,
      payouts,
      networks,
      chains,
      {
        scaleOf,
        byId: (id: number) => SEED_CURRENCIES.find((row) => row.id === id),
        nameOf: () => 'XRP',
      } as unknown as Currencies,
      { closed: async () => false },
      {} as Asks,
      { record: (event: string) => events.push(event) } as unknown as SecurityLog,
      new SystemClock(),
      { ledgerPartitions: 1 } as Config,
      facts as unknown as DepositFacts,
    );
    const rows = (await store.all({}, { size: 10, offset: 0 })).rows;
    const idOf = (amount: string): string => rows.find((row) => row.amount === amount)?.id ?? '';
    return { service, seven: idOf('7.00000000'), eight: idOf('8.00000000') };
  }
  const claimed = async (claims: PostgresClaimStore, id: string): Promise<void> =>
    claims.add({ id, userId: OTHER, currencyId: XRP, amount: '7.00000000', account: 'a tx', createdAt: Date.now() });

  test('is assigned to its claimant by two operators, and is credited once [CLIENT-250]', async () => {
    const claims = new PostgresClaimStore(database);
    const { service, seven } = await unowned(claims, new KeptPayouts());
    await claimed(claims, '41');
    const waiting = { call: 'charge_reqs/decide', claimId: '41', depositId: seven, ...by } as const;
    expect(await service.currentValue(waiting)).toEqual({
      state: 'held',
      currency: 'XRP',
      amount: '7.00000000',
      status: 1,
    });
    await Promise.all([service.carryOut(waiting), service.carryOut(waiting)]);
    await service.carryOut(waiting);
    expect(await service.currentValue(waiting)).toBeNull();
    expect(await claims.find('41')).toMatchObject({ status: 2, depositId: seven });
    expect(await deposits(OTHER)).toMatchObject([{ id: seven, state: 'credited' }]);
    expect(await balances()).toEqual({
      [`${OTHER}.change.${XRP}`]: '7',
      [`h.suspense.${XRP}`]: '8',
      [`h.outside.${XRP}`]: '-15',
    });
    expect(told).toEqual([seven]);
    expect(await audited()).toEqual([]);
    // Another claim finds it taken.
    await claimed(claims, '42');
    await expect(
      service.carryOut({ call: 'charge_reqs/decide', claimId: '42', depositId: seven, ...by }),
    ).rejects.toMatchObject({ key: 'admin.decided' });
  });

  test('without a block that is deep enough is assigned to nobody [DEPOSIT-014]', async () => {
    const claims = new PostgresClaimStore(database);
    const { service, seven } = await unowned(claims, new KeptPayouts());
    await claimed(claims, '43');
    for (const change of ['height = null', 'height = 7, decide_again = true']) {
      await db.query(`update ledger.deposit set ${change} where id = $1`, [seven]);
      await expect(
        service.carryOut({ call: 'charge_reqs/decide', claimId: '43', depositId: seven, ...by }),
      ).rejects.toMatchObject({ key: 'common.unavailable' });
      expect(await store.find(seven)).toMatchObject({ userId: null, state: 'held', isConfirmed: false });
    }
  });

  test("is returned to the address that two operators name, less the network's fee [CLIENT-251]", async () => {
    const payouts = new KeptPayouts();
    const { service, eight } = await unowned(new PostgresClaimStore(database), payouts);
    // The settler of returned deposits is that of every return.
    new ReturnDeposit(
      store,
      payouts,
      new PostgresWithdrawalStore(database),
      commandsOver(database),
      {} as AuthorizeOutgoing,
      networks,
      chains,
      { scaleOf, nameOf: () => 'XRP' } as unknown as Currencies,
      new SystemClock(),
      { ledgerPartitions: 1 } as Config,
      { record: () => undefined } as unknown as SecurityLog,
    );
    const waiting = { ...by, call: 'deposits/return', depositId: eight, address: XRP_ADDRESS, memo: '5' } as const;
    await Promise.all([service.carryOut(waiting, 5), service.carryOut(waiting, 5)]);
    expect(payouts.kept).toMatchObject([
      { reference: `deposit:${eight}`, userId: null, to: XRP_ADDRESS, memo: '5', amount: 7_992_000n },
    ]);
    expect(events).toEqual(['deposit.return_requested']);
    await payouts.end(`deposit:${eight}`, { state: 'done', txId: 'a-transaction', confirmations: NEEDED });
    expect((await store.find(eight))?.state).toBe('returned');
    expect(await balances()).toEqual({
      [`h.suspense.${XRP}`]: '7',
      [`h.fees.${XRP}`]: '0.008',
      [`h.outside.${XRP}`]: '-7.008',
    });
    expect(await audited()).toEqual([]);
  });

  test('is returned once by one approval, also when its first return has failed since [DEPOSIT-020]', async () => {
    const payouts = new KeptPayouts();
    const { service, eight } = await unowned(new PostgresClaimStore(database), payouts);
    const waiting = { ...by, call: 'deposits/return', depositId: eight, address: XRP_ADDRESS, memo: '5' } as const;
    await service.carryOut(waiting, 6);
    // As after a refused payout: held again, and counted.
    await database.transaction((tx) => store.move(tx, eight, 'returning', 'held', { at: Date.now() }));
    await service.carryOut(waiting, 6);
    expect([payouts.kept.length, (await store.find(eight))?.state]).toEqual([1, 'held']);
    await service.carryOut(waiting, 7);
    expect(payouts.kept.length).toBe(2);
  });
});

test('a decision on a deposit locks its person and coin before it, as its return does [DEPOSIT-019]', async () => {
  await blocks.add(1_000);
  const { address } = await addresses.give(USER, 'bitcoin');
  const bitcoin = await watcher('bitcoin');
  await bitcoin.run();
  await pay('bitcoin', address, 100_000_000n);
  await blocks.add(1);
  await bitcoin.run();
  const id = (await deposits(USER))[0]?.id ?? '';
  const confirm = new ConfirmDeposit(store, 1, new SystemClock(), scaleOf, facts);
  let confirmed: Promise<void> | undefined;
  await database.transaction(async (tx) => {
    await store.alone(tx, USER, BTC);
    confirmed = database.transaction((other) => confirm.execute(other, id, 1_000_000));
    await eventually(async () => (await db.query('select 1 from pg_locks where not granted')).length > 0);
    await tx.query('select 1 from deposit where id = $1 for update nowait', [id]);
  });
  await confirmed;
  expect(await states(USER)).toEqual(['credited']);
});

describe('a reorganised chain', () => {
  beforeEach(() => blocks.add(1_000));

  test('an uncredited deposit is unseen again, and counted again when it comes back [DEPOSIT-007]', async () => {
    const { address } = await addresses.give(USER, 'bitcoin');
    const bitcoin = await watcher('bitcoin');
    await bitcoin.run();
    const [dropped, moved] = [await pay('bitcoin', address, 100_000_000n), await pay('bitcoin', address, 200_000_000n)];
    await blocks.add(HALF);
    await bitcoin.run();
    expect(await states(USER)).toEqual(['seen', 'seen']);
    await blocks.fork('bitcoin', HALF + 20, (txId) => (txId === dropped ? null : 5));
    await blocks.add(HALF + 10);
    await bitcoin.run();
    // The moved one is in another block now, five later: it is counted from there.
    const [known, ...others] = await deposits(USER);
    expect([known?.txId, known?.state, others]).toEqual([moved, 'credited', []]);
    expect(await balances()).toEqual({ [`${USER}.change.${BTC}`]: '2', [`h.outside.${BTC}`]: '-2' });
    // The other one is mined after all.
    await pay('bitcoin', address, 100_000_000n, { txId: dropped });
    await blocks.add(NEEDED);
    await bitcoin.run();
    expect(await balances()).toEqual({ [`${USER}.change.${BTC}`]: '3', [`h.outside.${BTC}`]: '-3' });
    expect(alarms.list()).toEqual([]);
  });

  describe('that mines a token transaction again under other log numbers', () => {
    /** Payments of one transaction: the person, the amount in millionths, and the number of the log in its block. */
    type Paid = readonly [user: number, amount: bigint, log: number];
    const txId = `0x${'ab'.repeat(32)}`;
    const contract = (): string => contractOf(3);
    const put = async (paid: readonly Paid[]): Promise<void> => {
      await db.query('delete from ledger.sim_transfer where tx_id = $1', [txId]);
      for (const [user, amount, output] of paid)
        await blocks.put('ethereum', {
          ...{ txId, output, amount, memo: '', contract: contract() },
          address: (await addresses.give(user, 'ethereum')).address,
        });
    };
    /** The transaction gets a block, leaves it after so many, and is mined again with these payments. */
    async function minedTwice(first: readonly Paid[], deep: number, again: readonly Paid[]): Promise<void> {
      await put(first);
      const ethereum = await watcher('ethereum');
      await ethereum.run();
      await blocks.add(deep);
      await ethereum.run();
      await blocks.fork('ethereum', deep + 20, () => null);
      await ethereum.run();
      await put(again);
      await blocks.add(NEEDED);
      await ethereum.run();
    }
    const rows = async (): Promise<unknown[]> =>
      (await store.all({}, { size: 10, offset: 0 })).rows
        .map(({ userId, amount, state, height }) => [
          userId,
          formatTrimmed(toUnits(amount, 8), 8),
          state,
          height !== null,
        ])
        .sort();

    test.each([
      ['uncredited', HALF],
      ['credited', NEEDED],
    ])("each %s payment stays its owner's and is credited once [DEPOSIT-013]", async (_, deep) => {
      await minedTwice(
        [
          [USER, 100_000_000n, 5],
          [OTHER, 900_000_000n, 6],
        ],
        deep,
        [
          [USER, 100_000_000n, 6],
          [OTHER, 900_000_000n, 7],
        ],
      );
      expect(await rows()).toEqual([
        [USER, '100', 'credited', true],
        [OTHER, '900', 'credited', true],
      ]);
      expect(await balances()).toEqual({
        [`${USER}.change.${USDT}`]: '100',
        [`${OTHER}.change.${USDT}`]: '900',
        [`h.outside.${USDT}`]: '-1000',
      });
      expect(alarms.list()).toEqual([]);
    });

    test('equal payments are as many as the chain has, also when blocks are read again [DEPOSIT-013]', async () => {
      const twice: readonly Paid[] = [
        [USER, 100_000_000n, 5],
        [USER, 100_000_000n, 6],
      ];
      await minedTwice(twice, NEEDED, [...twice, [USER, 100_000_000n, 7]]);
      await db.query('delete from ledger.chain_block where height > (select min(height) from ledger.chain_block)');
      await (await watcher('ethereum')).run();
      expect(await rows()).toEqual([1, 2, 3].map(() => [USER, '100', 'credited', true]));
      expect(await balances()).toMatchObject({ [`${USER}.change.${USDT}`]: '300' });
    });

    test('a payment of other facts is another one; the booked one is lost with an alarm [DEPOSIT-013]', async () => {
      await minedTwice([[USER, 100_000_000n, 5]], NEEDED, [[OTHER, 900_000_000n, 5]]);
      expect(await rows()).toEqual([
        [USER, '100', 'credited', false],
        [OTHER, '900', 'credited', true],
      ]);
      expect(alarms.list()).toMatchObject([{ name: reorgAlarm('ethereum'), detail: expect.stringContaining(txId) }]);
      alarms.clear(reorgAlarm('ethereum'));
    });
  });

  test('a held deposit in no block any more is not credited with the others [DEPOSIT-014]', async () => {
    const { address } = await addresses.give(USER, 'tron');
    const tron = await watcher('tron');
    await tron.run();
    const lost = await pay('tron', address, 60_000_000n, { contract: contractOf(4) });
    await blocks.add(NEEDED);
    await tron.run();
    await blocks.fork('tron', NEEDED + 20, (txId) => (txId === lost ? null : 0));
    await tron.run();
    await pay('tron', address, 60_000_000n, { contract: contractOf(4) });
    await blocks.add(NEEDED);
    await tron.run();
    expect(await states(USER)).toEqual(['held', 'held']);
    await pay('tron', address, 60_000_000n, { contract: contractOf(4) });
    await blocks.add(NEEDED);
    await tron.run();
    expect(await states(USER)).toEqual(['credited', 'credited', 'held']);
    expect((await deposits(USER)).find(({ state }) => state === 'held')).toMatchObject({ txId: lost, height: null });
    expect(await balances()).toEqual({
      [`${USER}.change.${USDT}`]: '120',
      [`h.suspense.${USDT}`]: '60',
      [`h.outside.${USDT}`]: '-180',
    });
    alarms.clear(reorgAlarm('tron'));
  });

  test('a held deposit that is mined again is decided again when it is deep enough [DEPOSIT-014]', async () => {
    const { address } = await addresses.give(USER, 'tron');
    const tron = await watcher('tron');
    await tron.run();
    const back = await pay('tron', address, 60_000_000n, { contract: contractOf(4) });
    await blocks.add(NEEDED);
    await tron.run();
    await blocks.fork('tron', NEEDED + 20, (txId) => (txId === back ? null : 0));
    await tron.run();
    await pay('tron', address, 60_000_000n, { contract: contractOf(4) });
    await blocks.add(NEEDED);
    await tron.run();
    await pay('tron', address, 60_000_000n, { contract: contractOf(4), txId: back });
    await blocks.add(HALF);
    await tron.run();
    expect(await states(USER)).toEqual(['held', 'held']);
    await blocks.add(HALF);
    await tron.run();
    expect(await states(USER)).toEqual(['credited', 'credited']);
    expect(await store.nextDue('tron')).toBeNull();
    expect(await balances()).toEqual({ [`${USER}.change.${USDT}`]: '120', [`h.outside.${USDT}`]: '-120' });
  });

  test('credited money in no block any more raises an alarm and closes its chain [DEPOSIT-008]', async () => {
    const { address } = await addresses.give(USER, 'bitcoin');
    const bitcoin = await watcher('bitcoin');
    const health = new PostgresChainHealth(database);
    await bitcoin.run();
    const txId = await pay('bitcoin', address, 100_000_000n);
    await blocks.add(NEEDED);
    await bitcoin.run();
    expect(await states(USER)).toEqual(['credited']);
    expect(await health.closed('bitcoin')).toBe(false);
    await blocks.fork('bitcoin', NEEDED + 20, () => null);
    await bitcoin.run();
    expect([await health.closed('bitcoin'), await health.closed('ethereum')]).toEqual([true, false]);
    expect(alarms.list()).toMatchObject([{ name: reorgAlarm('bitcoin'), detail: expect.stringContaining(txId) }]);
    // Another instance of the service finds it too, and the money is not taken back automatically.
    alarms.clear(reorgAlarm('bitcoin'));
    await (await watcher('bitcoin', { instance: 'two' })).run();
    expect(alarms.list()).toHaveLength(1);
    expect(await balances()).toMatchObject({ [`${USER}.change.${BTC}`]: '1' });
    await pay('bitcoin', address, 100_000_000n, { txId });
    await blocks.add(1);
    await (await watcher('bitcoin', { instance: 'two' })).run();
    expect(await health.closed('bitcoin')).toBe(false);
    expect(alarms.list()).toEqual([]);
    expect(await states(USER)).toEqual(['credited']);
    expect(await balances()).toEqual({ [`${USER}.change.${BTC}`]: '1', [`h.outside.${BTC}`]: '-1' });
  });
});

describe('a chain that was reorganised below the known blocks', () => {
  /** The statement by which an operator reopens it above a block. */
  async function reopen(height: number): Promise<void> {
    const [, sql = ''] = /```sql\n(with dropped[\s\S]*?)```/.exec(readFileSync('docs/runbooks/alarm.md', 'utf8')) ?? [];
    const known = {
      chain: `'bitcoin'`,
      height: String(height),
      hash: `'${(await chain('bitcoin').blockAt(height))!.hash}'`,
    };
    await db.query(sql.replaceAll(/:'?(chain|height|hash)\b'?/g, (_, name: keyof typeof known) => known[name]));
  }

  test('pays nothing out until an operator reopens it, and reads again from there [DEPOSIT-016]', async () => {
    await blocks.add(1_000);
    const { address } = await addresses.give(USER, 'bitcoin');
    const health = new PostgresChainHealth(database);
    const bitcoin = await watcher('bitcoin');
    await bitcoin.run();
    const [lost, kept] = [await pay('bitcoin', address, 100_000_000n), await pay('bitcoin', address, 200_000_000n)];
    await blocks.add(NEEDED);
    await bitcoin.run();
    await blocks.fork('bitcoin', NEEDED + 500, (txId) => (txId === lost ? null : 3));
    for (const instance of ['one', 'two']) {
      await expect((await watcher('bitcoin', { instance })).run()).rejects.toThrow('reorganised below block');
      expect([await health.closed('bitcoin'), await health.closed('ethereum')]).toEqual([true, false]);
    }
    expect(alarms.list()).toMatchObject([{ name: reorgAlarm('bitcoin'), detail: expect.stringContaining('reopens') }]);
    await reopen(400);
    const again = await watcher('bitcoin');
    await again.run();
    expect(await health.closed('bitcoin')).toBe(true);
    expect(alarms.list()).toMatchObject([{ name: reorgAlarm('bitcoin'), detail: expect.stringContaining(lost) }]);
    expect((await deposits(USER)).map(({ txId, height }) => [txId, height !== null]).sort()).toEqual(
      [
        [lost, false],
        [kept, true],
      ].sort(),
    );
    await pay('bitcoin', address, 100_000_000n, { txId: lost });
    await blocks.add(1);
    await again.run();
    expect([await health.closed('bitcoin'), alarms.list()]).toEqual([false, []]);
    expect(await balances()).toEqual({ [`${USER}.change.${BTC}`]: '3', [`h.outside.${BTC}`]: '-3' });
  });

  test('stays closed with its alarm when the node comes back to the known blocks [DEPOSIT-016]', async () => {
    const health = new PostgresChainHealth(database);
    const bitcoin = await watcher('bitcoin');
    await bitcoin.run();
    await db.query(`insert into ledger.chain_closed (chain, reason) values ('bitcoin', 'was reorganised')`);
    bitcoin.watch.forget();
    await bitcoin.run();
    expect([await health.closed('bitcoin'), alarms.list()]).toMatchObject([true, [{ detail: 'was reorganised' }]]);
    await db.query('delete from ledger.chain_closed');
    await bitcoin.run();
    expect([await health.closed('bitcoin'), alarms.list()]).toEqual([false, []]);
  });
});

describe('the watcher', () => {
  test('an instance whose lease was taken commits nothing more [DEPOSIT-009]', async () => {
    const { address } = await addresses.give(USER, 'bitcoin');
    const first = await watcher('bitcoin', { instance: 'one' });
    await first.run();
    await pay('bitcoin', address, 100_000_000n);
    await blocks.add(HALF);
    const second = await watcher('bitcoin', { instance: 'two' });
    await expect(first.run()).rejects.toBeInstanceOf(Fenced);
    expect(await states(USER)).toEqual([]);
    await second.run();
    await blocks.add(HALF);
    first.watch.forget();
    await expect(first.run()).rejects.toBeInstanceOf(Fenced);
    expect(await states(USER)).toEqual(['seen']);
    await second.run();
    expect(await balances()).toEqual({ [`${USER}.change.${BTC}`]: '1', [`h.outside.${BTC}`]: '-1' });
  });

  test('one instance at a time holds a lease; an instance that stops releases it at once [DEPOSIT-009]', async () => {
    const running = new Map<string, string[]>();
    const runners = ['one', 'two'].flatMap((instance) =>
      ['bitcoin', 'ethereum'].map((name) => {
        const runner = new SingleRunner(database, `work.${name}`, instance);
        runner.start(async ({ signal }) => {
          running.set(name, [...(running.get(name) ?? []), instance]);
          await delay(60_000, signal);
          running.set(
            name,
            (running.get(name) ?? []).filter((other) => other !== instance),
          );
        });
        return { instance, runner };
      }),
    );
    const count = (): number[] => ['bitcoin', 'ethereum'].map((name) => running.get(name)?.length ?? 0);
    await eventually(() => count().every((n) => n === 1), 20_000);
    // Longer than a lease: it is renewed.
    for (let n = 0; n < 10; n++) {
      await delay(600, new AbortController().signal);
      expect(count()).toEqual([1, 1]);
    }
    const [first] = running.get('bitcoin') ?? [];
    await Promise.all(runners.filter(({ instance }) => instance === first).map(({ runner }) => runner.stop()));
    await eventually(
      () => count().every((n) => n === 1) && [...running.values()].every(([instance]) => instance !== first),
      20_000,
    );
    await Promise.all(runners.map(({ runner }) => runner.stop()));
    expect(count()).toEqual([0, 0]);
  });

  test('keeps the minimum under which it came, whatever an operator sets [SETTING-034]', async () => {
    const { address } = await addresses.give(USER, 'tron');
    const tron = await watcher('tron');
    await tron.run();
    const kept = networks.byId(4) as VersionedNetwork;
    await pay('tron', address, 150_000_000n, { contract: contractOf(4) });
    await blocks.add(1);
    await tron.run();
    networks.take({ ...kept, minDeposit: '200', version: kept.version + 1 });
    try {
      expect(networks.byId(4)?.minDeposit).toBe('200');
      await tron.run();
      expect(await states(USER)).toEqual(['seen']);
      await blocks.add(NEEDED);
      await tron.run();
      expect(await states(USER)).toEqual(['credited']);
      await pay('tron', address, 150_000_000n, { contract: contractOf(4) });
      await blocks.add(NEEDED);
      await tron.run();
      expect(await states(USER)).toEqual(['credited', 'held']);
    } finally {
      networks.take({ ...kept, version: kept.version + 2 });
    }
  });

  test('killed between its statements it leaves nothing, and the next one books once [DEPOSIT-009]', async () => {
    const { address } = await addresses.give(USER, 'bitcoin');
    class Killed extends ConfirmDeposit {
      override async execute(tx: Tx, id: string, tip: number): Promise<void> {
        await super.execute(tx, id, tip);
        throw new Error('killed before its commit');
      }
    }
    const dying = await watcher('bitcoin', { confirm: new Killed(store, 1, new SystemClock(), scaleOf, facts) });
    await dying.run();
    await pay('bitcoin', address, 100_000_000n);
    await blocks.add(NEEDED);
    await expect(dying.run()).rejects.toThrow('killed');
    expect([await states(USER), await balances()]).toEqual([['seen'], {}]);
    await (await watcher('bitcoin')).run();
    expect([await states(USER), await balances()]).toEqual([
      ['credited'],
      { [`${USER}.change.${BTC}`]: '1', [`h.outside.${BTC}`]: '-1' },
    ]);
  });

  test('writes nothing while nothing comes, however many blocks pass [DEPOSIT-010]', async () => {
    const bitcoin = await watcher('bitcoin');
    await bitcoin.run();
    const rows = (): Promise<unknown[]> => db.query('select chain, height, hash, xmin::text from ledger.chain_block');
    const before = await rows();
    for (let n = 0; n < 5; n++) {
      await blocks.add(5_000);
      await bitcoin.run();
    }
    expect(before).toHaveLength(1);
    expect(await rows()).toEqual(before);
    // The watch continues from where it stopped.
    await pay('bitcoin', (await addresses.give(USER, 'bitcoin')).address, 1n);
    await blocks.add(1);
    await bitcoin.run();
    expect(await states(USER)).toEqual(['seen']);
  });
});

describe('addresses', () => {
  test('one per person and chain for ever, also when many calls ask at once [CHAIN-008]', async () => {
    const asked = await Promise.all(
      Array.from({ length: 24 }, (_, n) => addresses.give(n % 2 === 0 ? USER : OTHER, 'ethereum')),
    );
    expect(new Set(asked.map(({ address }) => address)).size).toBe(2);
    expect(await addresses.give(USER, 'ethereum')).toEqual(asked[0]);
    const coins = await Promise.all(
      [
        [2, undefined],
        [USDT, 3],
      ].map(([currency, type]) =>
        addresses.forCoin(
          USER,
          readFields(CoinNetworkBody, {
            currency: String(currency),
            ...(type === undefined ? {} : { type: String(type) }),
          }),
          'en',
        ),
      ),
    );
    expect(coins.map(({ address }) => address)).toEqual([asked[0]?.address, asked[0]?.address]);
    expect(coins[1]?.extra).toEqual({
      memo: '',
      min_deposit: '100.00000000',
      confirmations: NEEDED,
      note: expect.stringContaining('Minimum \u2066100\u2069 USDT.'),
    });
  });

  test('a network that the coin has not is refused [CHAIN-008]', async () => {
    for (const fields of [
      { currency: '3', type: '1' },
      { currency: '3', type: 'ERC20' },
      { currency: '8' },
      { currency: '99' },
      { currency: '5' },
    ]) {
      const call = Promise.resolve().then(() =>
        addresses.forCoin(USER, readFields(CoinNetworkBody, fields as Record<string, string>), 'en'),
      );
      if ((fields as { currency: string }).currency === '5')
        await expect(call).resolves.toMatchObject({ extra: { memo: '' } });
      else await expect(call).rejects.toMatchObject({ key: 'wallet.protocol' });
    }
  });

  test('the seal of the seed is replaced: by a new secret, by the better form; the keys stay [HARD-203]', async () => {
    const cost = { logN: 12, r: 8, p: 1 };
    const row = async (): Promise<Buffer> =>
      (await db.query<{ sealed: Buffer }>('select sealed from ledger.wallet_seed'))[0]!.sealed;
    const hot = signer.addressOf('bitcoin', { kind: 'hot' });
    const first = await row();
    // Several processes start at once under the new secret.
    const started = await Promise.all(
      [1, 2, 3].map(() => loadSigner(database, 'the next secret', { old: ['a secret for this test only'], cost })),
    );
    expect(started.map((one) => one.addressOf('bitcoin', { kind: 'hot' }))).toEqual([hot, hot, hot]);
    const second = await row();
    expect(second.equals(first)).toBe(false);
    // From now on only the new secret opens it, and a start with nothing to reseal changes nothing.
    await expect(loadSigner(database, 'a secret for this test only', { cost })).rejects.toThrow('WALLET_KEY_SECRET');
    expect((await loadSigner(database, 'the next secret', { cost })).addressOf('bitcoin', { kind: 'hot' })).toBe(hot);
    expect((await row()).equals(second)).toBe(true);
    // Dearer than it was sealed for: sealed again under the same secret.
    await loadSigner(database, 'the next secret', { cost: { ...cost, logN: 13 } });
    expect((await row())[1]).toBe(13);
    await expect(
      loadSigner(database, 'a third one', { old: ['a secret for this test only', 'nobody'], cost }),
    ).rejects.toThrow('WALLET_KEY_SECRET_OLD');
  });

  test('the seed is made once, opens under its secret alone, and is never changed [CHAIN-007]', async () => {
    const again = await loadSigner(database, 'a secret for this test only', { cost: { logN: 12, r: 8, p: 1 } });
    expect(again.addressOf('bitcoin', { kind: 'hot' })).toBe(signer.addressOf('bitcoin', { kind: 'hot' }));
    await expect(loadSigner(database, 'another secret of an operator')).rejects.toThrow('WALLET_KEY_SECRET');
    for (const sql of ['update wallet_seed set created_at = now()', 'delete from wallet_seed', 'truncate wallet_seed'])
      await expect(database.execute(sql)).rejects.toThrow('never changed');
  });
});

/** Records the payments, and ends them on the test's command. */
class KeptPayouts extends Payouts {
  readonly kept: NewPayout[] = [];
  private settler: PayoutSettler | undefined;
  override async enqueue(_: Tx, payout: NewPayout): Promise<void> {
    this.kept.push(payout);
  }
  override settle(_: string, settler: PayoutSettler): void {
    this.settler = settler;
  }
  end(reference: string, outcome: Parameters<PayoutSettler>[2]): Promise<void> {
    return database.transaction((tx) => (this.settler as PayoutSettler)(tx, reference, outcome));
  }
}
const context = { hasKey: false, commandId: null, bodyHash: null, validUntil: Infinity } as unknown as CallContext;
/** Runs commands that leave nothing to the ledger. */
const commandsOver = (database: Database): Commands =>
  new Sagas({ service: 'wallet-ledger', database, clock: new SystemClock() } as unknown as SagasParts).commands;

describe('a deposit that is too small', () => {
  const TO = 'TMVQGm1qAQYVdetCeGRRkTWYYrLXuHK2HC';
  const events: string[] = [];
  /** Answers of auth and the feed. */
  let auth = { frozen: false, totp: 'right', blockedUntil: null as number | null, stale: false };
  const used = async (): Promise<string> =>
    (await db.query<{ used: string }>('select trim_scale(used)::text as used from ledger.withdrawal_day'))[0]?.used ??
    '0';
  async function heldDeposit(): Promise<{ returns: ReturnDeposit; payouts: KeptPayouts; id: string }> {
    const payouts = new KeptPayouts();
    const withdrawals = new PostgresWithdrawalStore(database);
    const asks = new InProcessAsks();
    auth = { frozen: false, totp: 'right', blockedUntil: null, stale: false };
    events.length = 0;
    asks.handle(authAsks.frozen, async ({ userIds }) => (auth.frozen ? userIds : []));
    asks.handle(authAsks.totp, async (): Promise<TotpVerdict> =>
      auth.totp === 'right' ? { ok: true } : { ok: false, key: 'login.totpRequired' },
    );
    asks.handle(authAsks.withdrawals, async () => ({ blockedUntil: auth.blockedUntil }));
    const returns = new ReturnDeposit(
      store,
      payouts,
      withdrawals,
      commandsOver(database),
      new AuthorizeOutgoing(
        { demand: async () => undefined } as unknown as FundGate,
        asks,
        new PayoutStops(asks),
        new PostgresAddressStore(database),
        withdrawals,
        { closed: async () => false },
        {
          valuation: async () => {
            if (auth.stale) throw new Refused('market.stale');
            return toUnits('1', 8);
          },
        } as unknown as Prices,
        new SystemClock(),
        new FixedSettings(),
      ),
      networks,
      chains,
      {
        scaleOf,
        byId: (id: number) => SEED_CURRENCIES.find((row) => row.id === id),
        nameOf: () => 'USDT',
      } as unknown as Currencies,
      new SystemClock(),
      { ledgerPartitions: 1 } as Config,
      { record: (event: string) => events.push(event) } as unknown as SecurityLog,
    );
    const { address } = await addresses.give(USER, 'tron');
    const tron = await watcher('tron');
    await tron.run();
    await pay('tron', address, 60_000_000n, { contract: contractOf(4) });
    await blocks.add(NEEDED);
    await tron.run();
    return { returns, payouts, id: (await deposits(USER))[0]?.id ?? '' };
  }

  test('is sent back once, less only the network fee [DEPOSIT-011]', async () => {
    const { returns, payouts, id } = await heldDeposit();
    const to = 'TMVQGm1qAQYVdetCeGRRkTWYYrLXuHK2HC';
    await expect(
      returns.execute(USER, { id, address: 'bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu' }, context),
    ).rejects.toMatchObject({ key: 'wallet.addressInvalid' });
    for (const [user, other] of [
      [OTHER, id],
      [USER, '17'],
    ] as const)
      await expect(returns.execute(user, { id: other, address: to }, context)).rejects.toMatchObject({
        key: 'common.notFound',
      });
    const asked = await Promise.allSettled(
      Array.from({ length: 8 }, () => returns.execute(USER, { id, address: to }, context)),
    );
    expect(asked.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const answer of asked)
      if (answer.status === 'rejected')
        expect(answer.reason).toMatchObject({ key: 'common.notFound' } satisfies Partial<Refused>);
    expect(payouts.kept).toEqual([
      {
        reference: `deposit:${id}`,
        userId: USER,
        chain: 'tron',
        to,
        memo: '',
        contract: contractOf(4),
        amount: 59_400_000n,
        confirmations: NEEDED,
      },
    ]);
    // While it is being returned it no longer counts in the sum of held deposits.
    const { address } = await addresses.give(USER, 'tron');
    const tron = await watcher('tron');
    await pay('tron', address, 60_000_000n, { contract: contractOf(4) });
    await blocks.add(NEEDED);
    await tron.run();
    expect(await states(USER)).toEqual(['held', 'returning']);
    await payouts.end(`deposit:${id}`, { state: 'done', txId: 'a-transaction', confirmations: NEEDED });
    expect(await states(USER)).toEqual(['held', 'returned']);
    expect(await balances()).toEqual({
      [`h.suspense.${USDT}`]: '60',
      [`h.fees.${USDT}`]: '0.6',
      [`h.outside.${USDT}`]: '-60.6',
    });
    expect(await audited()).toEqual([]);
  });

  test('is not returned to a person whose withdrawal would be refused [HARD-201]', async () => {
    const { returns, payouts, id } = await heldDeposit();
    const back = async (): Promise<string> =>
      returns.execute(USER, { id, address: TO }, context).then(
        ({ key }) => key,
        (error: unknown) => (error instanceof Refused ? error.key : String(error)),
      );
    auth.frozen = true;
    expect(await back()).toBe('auth.frozen');
    auth.frozen = false;
    auth.totp = 'missing';
    expect(await back()).toBe('login.totpRequired');
    auth.totp = 'right';
    auth.blockedUntil = Date.now() + 60_000;
    expect(await back()).toBe('wallet.blocked');
    auth.blockedUntil = null;
    auth.stale = true;
    expect(await back()).toBe('market.stale');
    auth.stale = false;
    // Only bound addresses are paid to once there was one, and only cooled ones.
    const bound = new PostgresAddressStore(database);
    const bind = (address: string, usableAt: number): Promise<unknown> =>
      database.transaction((tx) =>
        bound.bind(tx, {
          userId: USER,
          currencyId: USDT,
          networkId: 4,
          address,
          memo: '',
          createdAt: Date.now(),
          usableAt,
        }),
      );
    await bind('TLa2f6VPqDgRE67v1736s7bJ8Ray5wYjU7', Date.now() - 1);
    expect(await back()).toBe('wallet.addressNotBound');
    await bind(TO, Date.now() + 60_000);
    expect(await back()).toBe('wallet.addressCooling');
    await db.query('update ledger.bound_address set usable_at = now()');
    // The day is used up but for a little.
    await db.query(
      `insert into ledger.withdrawal_day (user_id, day, used)
        values (${USER}, (now() at time zone 'UTC')::date, 99950)`,
    );
    expect(await back()).toBe('wallet.dayLimit');
    await db.query('update ledger.withdrawal_day set used = 0');
    expect([payouts.kept, await states(USER), events]).toEqual([[], ['held'], []]);
    expect(await back()).toBe('wallet.depositReturned');
    expect([await states(USER), await used(), events]).toEqual([['returning'], '60', ['deposit.return_requested']]);
    expect(await audited()).toEqual([]);
  });

  test('waits again if its person is frozen before signing, and no longer counts for the day [HARD-307]', async () => {
    const { returns, payouts, id } = await heldDeposit();
    await returns.execute(USER, { id, address: TO }, context);
    expect(await used()).toBe('60');
    await payouts.end(`deposit:${id}`, { state: 'held', reason: 'frozen' });
    expect([await states(USER), await used(), events]).toEqual([
      ['held'],
      '0',
      ['deposit.return_requested', 'withdrawal.held'],
    ]);
    await (await watcher('tron', { instance: 'two' })).run();
    await returns.execute(USER, { id, address: TO }, context);
    expect(payouts.kept.map(({ reference }) => reference)).toEqual([`deposit:${id}`, `deposit:${id}:2`]);
  });

  test.each([
    { state: 'held', reason: 'frozen' },
    { state: 'unpayable', reason: 'nodes pass on no such payment' },
    { state: 'refused', reason: 'the payment would fail now' },
    { state: 'failed', reason: 'another transaction has used up its nonce' },
  ] as const)(
    'is decided again when its return is $state: those held since count with it [DEPOSIT-018]',
    async (end) => {
      const { returns, payouts, id } = await heldDeposit();
      await returns.execute(USER, { id, address: TO }, context);
      await pay('tron', (await addresses.give(USER, 'tron')).address, 60_000_000n, { contract: contractOf(4) });
      await blocks.add(NEEDED);
      await (await watcher('tron', { instance: 'two' })).run();
      expect(await states(USER)).toEqual(['held', 'returning']);
      await payouts.end(`deposit:${id}`, end);
      // It may be credited in the next moment, so it is not returned before.
      await expect(returns.execute(USER, { id, address: TO }, context)).rejects.toMatchObject({
        key: 'common.notFound',
      });
      await (await watcher('tron', { instance: 'three' })).run();
      expect(await states(USER)).toEqual(['credited', 'credited']);
      expect(await balances()).toEqual({ [`${USER}.change.${USDT}`]: '120', [`h.outside.${USDT}`]: '-120' });
      expect(await audited()).toEqual([]);
    },
  );

  test('waits again if its payment is lost on the chain [DEPOSIT-011]', async () => {
    const { returns, payouts, id } = await heldDeposit();
    await returns.execute(USER, { id, address: 'TMVQGm1qAQYVdetCeGRRkTWYYrLXuHK2HC' }, context);
    await payouts.end(`deposit:${id}`, { state: 'failed', reason: 'another transaction has used up its nonce' });
    expect(await states(USER)).toEqual(['held']);
    expect(await balances()).toEqual({ [`h.suspense.${USDT}`]: '60', [`h.outside.${USDT}`]: '-60' });
    // A new request is a separate payment: the failed one keeps its outcome.
    await (await watcher('tron', { instance: 'two' })).run();
    await returns.execute(USER, { id, address: 'TMVQGm1qAQYVdetCeGRRkTWYYrLXuHK2HC' }, context);
    expect(payouts.kept.map(({ reference }) => reference)).toEqual([`deposit:${id}`, `deposit:${id}:2`]);
    await payouts.end(`deposit:${id}:2`, { state: 'done', txId: 'another-transaction', confirmations: NEEDED });
    expect(await states(USER)).toEqual(['returned']);
    expect(await audited()).toEqual([]);
  });
});

describe('the simulated chain', () => {
  const payment = (amount: bigint, reference = 'withdrawal:1') => ({
    reference,
    to: '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa',
    memo: '',
    contract: '',
    amount,
  });

  test('a payment is pending, then mined; sent twice it is there once [CHAIN-009]', async () => {
    const bitcoin = chain('bitcoin');
    const before = await bitcoin.holdings('');
    const signed = await bitcoin.sign(payment(5_000n), new Set());
    expect(await bitcoin.status(signed.txId)).toEqual({ state: 'unknown' });
    await bitcoin.send(signed);
    await bitcoin.send(signed);
    expect(await bitcoin.sign(payment(5_000n), new Set(signed.spends))).not.toMatchObject({ txId: signed.txId });
    await blocks.add(1);
    expect(await bitcoin.status(signed.txId)).toMatchObject({ state: 'mined', success: true });
    expect(before - (await bitcoin.holdings(''))).toBe(5_000n + signed.networkFee);
    await expect(bitcoin.sign(payment(before), new Set())).rejects.toThrow('does not hold');
  });

  test('a higher fee replaces a pending payment, never a mined one; then a nonce is used up [CHAIN-009]', async () => {
    const bitcoin = chain('bitcoin');
    const first = await bitcoin.sign(payment(5_000n), new Set());
    const second = await bitcoin.raiseFee(payment(5_000n), first);
    expect(second.spends).toEqual(first.spends);
    expect(second.networkFee).toBeGreaterThan(first.networkFee);
    expect(second.txId).not.toBe(first.txId);
    await bitcoin.send(first);
    await bitcoin.send(second);
    await blocks.add(NEEDED);
    await bitcoin.send(first);
    expect([await bitcoin.status(first.txId), (await bitcoin.status(second.txId)).state]).toEqual([
      { state: 'unknown' },
      'mined',
    ]);
    expect(await bitcoin.conflictingSpend(first.spends, [first.txId], HALF)).toBe(second.txId);
    expect(await bitcoin.conflictingSpend(first.spends, [first.txId, second.txId], HALF)).toBeNull();
    expect(await bitcoin.conflictingSpend(first.spends, [first.txId], NEEDED * 2)).toBeNull();
  });

  test('a payment that a fork has dropped is sent again as it was [CHAIN-009]', async () => {
    const bitcoin = chain('bitcoin');
    const signed = await bitcoin.sign(payment(5_000n), new Set());
    await bitcoin.send(signed);
    await blocks.add(HALF);
    await blocks.fork('bitcoin', HALF + 10, () => null);
    expect(await bitcoin.status(signed.txId)).toEqual({ state: 'unknown' });
    await bitcoin.send(signed);
    await blocks.add(1);
    expect((await bitcoin.status(signed.txId)).state).toBe('mined');
  });

  test('all processes see the same blocks; a fork changes those above it alone [CHAIN-009]', async () => {
    const [here, there] = [chain('bitcoin'), chain('bitcoin', new SimulatedBlocks(database, ['bitcoin']))];
    await blocks.add(1_000);
    const [below, above] = await Promise.all([here.blockAt(500), here.blockAt(990)]);
    expect([await there.blockAt(500), await there.blockAt(990)]).toEqual([below, above]);
    expect(above?.parentHash).toBe((await here.blockAt(989))?.hash);
    await blocks.fork('bitcoin', 100);
    expect(await here.blockAt(500)).toEqual(below);
    expect((await here.blockAt(990))?.hash).not.toBe(above?.hash);
  });
});
