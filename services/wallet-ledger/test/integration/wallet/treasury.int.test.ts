import { afterAll, beforeAll, beforeEach, expect, jest, test } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { parseEther, Transaction } from 'ethers';
import { SEED_NETWORKS, type NetworkRow } from '@bourse/contract';
import { Fenced, type Lease } from '@bourse/messaging';
import { trimZeros } from '@bourse/money';
import { Alarms, type Clock } from '@bourse/platform';
import { eventually, testTimeoutMs, type TestDatabases } from '@bourse/testing';
import { EvmChain } from '../../../src/wallet/chains/networks/evm/evm-chain.js';
import { SeedSigner } from '../../../src/wallet/chains/keys/seed-signer.js';
import { PostgresDepositAddressStore } from '../../../src/wallet/deposits/persistence/deposit-address-store.js';
import { PostgresDepositStore } from '../../../src/wallet/deposits/persistence/deposit-store.js';
import { PostgresHouseMovements, PostgresOwnAddresses } from '../../../src/wallet/chains/persistence/own-addresses.js';
import { PostgresPayoutStore } from '../../../src/wallet/withdrawals/persistence/payout-store.js';
import { PostgresTreasuryStore } from '../../../src/wallet/treasury/persistence/treasury-store.js';
import { BookFees } from '../../../src/wallet/treasury/application/book-fees.js';
import { ChainUnavailable, type SignedPayment } from '../../../src/wallet/chains/application/chain.js';
import { Treasury } from '../../../src/wallet/treasury/application/treasury.js';
import { ConfirmDeposit } from '../../../src/wallet/deposits/application/confirm-deposit.js';
import { WatchChain } from '../../../src/wallet/deposits/application/watch-chain.js';
import { Sender } from '../../../src/wallet/withdrawals/application/sender.js';
import { EvmNode } from './evm-node.js';
import { ETH, LedgerProcess, scaleOf, testDatabases, USDT } from '../ledger/writer-harness.js';

// A node and a database in processes of their own, on a machine that may be busy with other suites.
jest.setTimeout(testTimeoutMs(36_000));

const COLD = '0x000000000000000000000000000000000000c01d';
const STRANGER = '0x00000000000000000000000000000000C0FFeE02'.toLowerCase();
const signer = await SeedSigner.from(new Uint8Array(16));
let later = 0;
const clock = { now: () => Date.now(), real: () => Date.now() + later } as Clock;
const lease: Lease = { name: 'test', epoch: 1, signal: new AbortController().signal, fence: () => Promise.resolve() };

/** A node's adapter that loses transactions to send, like a process that crashes at that point, or has them refused. */
class LosingChain extends EvmChain {
  loses = 0;
  refuses = 0;
  override async send(signed: SignedPayment): Promise<void> {
    if (this.loses-- > 0) throw new ChainUnavailable('the process died here');
    if (this.refuses-- > 0) throw new Error('transaction underpriced');
    await super.send(signed);
  }
}

let db: TestDatabases;
let ledger: LedgerProcess;
let node: EvmNode;
let chain: LosingChain;
let networks: readonly NetworkRow[];
let watch: WatchChain;
let sender: Sender;
let payouts: PostgresPayoutStore;
let store: PostgresTreasuryStore;
const ended = new Map<string, string>();

beforeAll(async () => {
  node = await EvmNode.start();
  db = await testDatabases();
  ledger = await LedgerProcess.start(db);
  const { database } = ledger;
  networks = SEED_NETWORKS.filter((network) => network.chain === 'ethereum').map((network) =>
    network.contractAddress === '' ? network : { ...network, contractAddress: node.token },
  );
  chain = new LosingChain(
    { chain: 'ethereum', url: node.url, chainId: node.chainId, contracts: [node.token] },
    signer,
    new PostgresOwnAddresses(database),
    new PostgresHouseMovements(database),
  );
  const deposits = new PostgresDepositStore(database);
  const confirm = new ConfirmDeposit(deposits, 1, clock, scaleOf, {
    credited: async () => undefined,
    held: () => undefined,
    seen: () => undefined,
  });
  watch = new WatchChain({
    chain,
    database,
    store: deposits,
    addresses: new PostgresDepositAddressStore(database),
    confirm,
    networks: () => networks,
    scaleOf,
    alarms: new Alarms(),
    clock,
  });
  payouts = new PostgresPayoutStore(database);
  store = new PostgresTreasuryStore(database);
  sender = new Sender({
    chain,
    store: payouts,
    clock,
    alarms: new Alarms(),
    settlerOf:
      () =>
      async (_, reference, { state }) => {
        ended.set(reference, state);
      },
  });
  await read();
});
afterAll(async () => {
  await ledger?.stop();
  await db?.end();
  await node?.stop();
});
beforeEach(() => {
  Object.assign(chain, { loses: 0, refuses: 0 });
});

const give = async (user: number): Promise<string> =>
  (
    await new PostgresDepositAddressStore(ledger.database).give(user, 'ethereum', (index) => ({
      address: signer.addressOf('ethereum', { kind: 'deposit', index }),
      memo: '',
    }))
  ).address;
async function read(): Promise<void> {
  while (await watch.step(lease));
}
const treasury = (
  more: {
    readonly chain?: EvmChain;
    readonly coldAddress?: string;
    readonly ceilings?: ReadonlyMap<number, bigint>;
  } = {},
): Treasury =>
  new Treasury({
    chain,
    networks: () => networks,
    addresses: new PostgresOwnAddresses(ledger.database),
    database: ledger.database,
    payouts,
    payoutStore: payouts,
    store,
    clock,
    coldAddress: null,
    ceilings: new Map(),
    ...more,
  });
/** Lets everything go on until nothing is under way any more. */
async function settle(one = treasury()): Promise<void> {
  for (let round = 0; round < 8; round++) {
    await one.round(lease);
    await sender.round(lease);
    await one.round(lease); // an ended movement may allow another one to begin
    if ((await payouts.open('ethereum', 1)).length === 0 && (await store.open('ethereum')).length === 0) return;
    await node.mine(7);
    await read();
  }
  throw new Error('something is still under way');
}
const balance = async (user: number, currency: number): Promise<string> =>
  trimZeros(await ledger.balance(user, 'change', currency));

test('coins and tokens come in, are gathered in the hot wallet, and the ledger is unchanged [EVM-021]', async () => {
  const [first, second] = [await give(100_001), await give(100_002)];
  const hot = chain.sweeps.hotAddress;
  await node.pay(hot, parseEther('5'));
  await node.pay(first, 2_000_000_000_000_000_001n);
  await node.mint(second, 150_000_000n);
  await node.mine(2);
  await read();
  expect([await balance(100_001, ETH), await balance(100_002, USDT)]).toEqual(['0', '0']);
  await treasury().round(lease);
  expect(await store.open('ethereum')).toEqual([]); // not before it is final
  await node.mine(4);
  await read();
  await eventually(async () => (await balance(100_001, ETH)) === '2' && (await balance(100_002, USDT)) === '150');
  await settle();
  expect(await node.balance(first)).toBeLessThan(parseEther('0.01'));
  expect(await node.tokenBalance(second)).toBe(0n);
  expect(await node.tokenBalance(hot)).toBe(150_000_000n);
  expect(await node.balance(hot)).toBeGreaterThan(parseEther('6.98'));
  // The gas sent to the address without coins is no deposit.
  expect([await balance(100_001, ETH), await balance(100_002, USDT), await balance(100_002, ETH)]).toEqual([
    '2',
    '150',
    '0',
  ]);
  const rows = await db.query<{ state: string; contract: string }>(
    'select state, contract from ledger.sweep order by id',
  );
  expect(rows.map(({ state }) => state)).toEqual(['done', 'done']);
  expect((await ledger.audit.run()).every(({ ok }) => ok)).toBe(true);
});

test('dust is not swept: nobody can make the house pay fees for it [EVM-022]', async () => {
  const address = await give(100_003);
  await node.mint(address, 19_999_999n);
  await node.pay(address, parseEther('0.009'));
  await node.mine(7);
  await read();
  await settle();
  expect([await node.tokenBalance(address), await node.balance(address)]).toEqual([19_999_999n, parseEther('0.009')]);
});

test('a movement refused by the chain is not retried for hours: each try costs its fee [EVM-029]', async () => {
  const address = await give(100_008);
  await node.mint(address, 50_000_000n);
  await node.pay(address, parseEther('0.005'));
  await node.mine(7);
  await read();
  const [own] = (await new PostgresOwnAddresses(ledger.database).used('ethereum')).filter(
    (one) => one.address === address,
  );
  await db.query(
    `insert into ledger.sweep (chain, address, key_index, contract, amount, state, ended_at)
      values ('ethereum', $1, $2, $3, 50000000, 'failed', now() - interval '5 hours')`,
    [address, own!.index, node.token],
  );
  await settle();
  expect(await node.tokenBalance(address)).toBe(50_000_000n);
  await db.query(`update ledger.sweep set ended_at = now() - interval '7 hours' where address = $1`, [address]);
  await settle();
  expect(await node.tokenBalance(address)).toBe(0n);
  await db.query(`delete from ledger.sweep where address = $1 and state = 'failed'`, [address]);
});

test('a stored and unsent sweep is sent by the next instance, with the same bytes [EVM-023]', async () => {
  const address = await give(100_004);
  await node.pay(address, parseEther('1'));
  await node.mine(7);
  await read();
  chain.loses = 1;
  await expect(treasury().round(lease)).rejects.toThrow(ChainUnavailable);
  const [stored] = await store.open('ethereum');
  expect((await chain.status(stored!.signatures[0]!.txId)).state).toBe('unknown');
  await treasury().round(lease);
  expect((await chain.status(stored!.signatures[0]!.txId)).state).toBe('mined');
  await settle();
  expect(await db.query('select tx_id from ledger.sweep_signature where sweep_id = $1', [stored!.id])).toEqual([
    { tx_id: stored!.signatures[0]!.txId },
  ]);
  expect(await store.open('ethereum')).toEqual([]);
});

test('a sweep that is stuck is replaced at a higher fee by the same nonce [EVM-027]', async () => {
  const address = await give(100_005);
  await node.pay(address, parseEther('1'));
  await node.mine(7);
  await read();
  await node.automine(false);
  await treasury().round(lease);
  const [first] = (await store.open('ethereum'))[0]!.signatures;
  await treasury().round(lease); // it is there, and not for long
  expect((await store.open('ethereum'))[0]!.signatures).toHaveLength(1);
  later = 11 * 60_000;
  // A sweep that empties an address leaves nothing for a higher fee: the amount of the replacement is reduced.
  await treasury().round(lease);
  const signatures = (await store.open('ethereum'))[0]!.signatures;
  later = 0;
  expect(signatures.map(({ txId, spends }) => [txId === first!.txId, spends])).toEqual([
    [true, first!.spends],
    [false, first!.spends],
  ]);
  await node.automine(true);
  await node.mine(7);
  expect(await chain.status(first!.txId)).toEqual({ state: 'unknown' });
  await treasury().round(lease);
  expect(
    (
      await db.query<{ state: string }>(
        'select state from ledger.sweep s join ledger.sweep_signature g on g.sweep_id = s.id where g.tx_id = $1',
        [first!.txId],
      )
    )[0],
  ).toEqual({ state: 'done' });
  await settle();
});

test('a sweep that the node refuses as too cheap gets a higher fee [EVM-033]', async () => {
  const address = await give(100_007);
  await node.pay(address, parseEther('1'));
  await node.mine(7);
  await read();
  chain.refuses = 2;
  await treasury().round(lease);
  await treasury().round(lease);
  expect((await store.open('ethereum'))[0]!.signatures).toHaveLength(1);
  chain.refuses = 1;
  later = 11 * 60_000;
  await treasury().round(lease);
  later = 0;
  const signatures = (await store.open('ethereum'))[0]!.signatures;
  expect(signatures).toHaveLength(2);
  expect(await chain.status(signatures[1]!.txId)).toMatchObject({ state: 'mined', success: true });
  await settle();
});

test('a token that does not let an address send is left alone, and costs nothing [EVM-028]', async () => {
  const address = await give(100_006);
  await node.mint(address, 200_000_000n);
  await node.pay(address, parseEther('0.005'));
  await node.mine(7);
  await read();
  await node.refuse(chain.sweeps.hotAddress, 'revert');
  const before = await node.balance(address);
  await settle();
  await node.refuse(chain.sweeps.hotAddress, 'not');
  expect([await node.balance(address), await node.tokenBalance(address)]).toEqual([before, 200_000_000n]);
  await settle();
  expect(await node.tokenBalance(address)).toBe(0n);
});

test('a withdrawal is sent while the treasury works, each with its own nonce [EVM-024]', async () => {
  await ledger.database.transaction(async (tx) => {
    await payouts.enqueue(tx, {
      userId: null,
      reference: 'withdrawal:1',
      chain: 'ethereum',
      to: STRANGER,
      memo: '',
      contract: '',
      amount: parseEther('0.5'),
      confirmations: 6,
    });
    await payouts.enqueue(tx, {
      userId: null,
      reference: 'withdrawal:2',
      chain: 'ethereum',
      to: STRANGER,
      memo: '',
      contract: node.token,
      amount: 40_000_000n,
      confirmations: 6,
    });
  });
  await settle();
  expect([ended.get('withdrawal:1'), ended.get('withdrawal:2')]).toEqual(['done', 'done']);
  expect([await node.balance(STRANGER), await node.tokenBalance(STRANGER)]).toEqual([parseEther('0.5'), 40_000_000n]);
});

test("the hot wallet's excess over its ceiling goes to the cold one, once; owed money stays [EVM-025]", async () => {
  const hot = chain.sweeps.hotAddress;
  const ceilings = new Map(
    networks.map(({ id, contractAddress }) => [id, contractAddress === '' ? parseEther('3') : 100_000_000n]),
  );
  await ledger.database.transaction((tx) =>
    payouts.enqueue(tx, {
      userId: null,
      reference: 'withdrawal:3',
      chain: 'ethereum',
      to: STRANGER,
      memo: '',
      contract: '',
      amount: parseEther('1'),
      confirmations: 6,
    }),
  );
  const before = await node.balance(hot);
  await settle(treasury({ coldAddress: COLD, ceilings }));
  expect(await node.balance(COLD)).toBe(before - parseEther('4'));
  expect(await node.balance(hot)).toBeLessThanOrEqual(parseEther('3'));
  expect(await node.balance(hot)).toBeGreaterThan(parseEther('2.99'));
  // 360 of the token are there, and 100 may stay.
  expect([await node.tokenBalance(hot), await node.tokenBalance(COLD)]).toEqual([100_000_000n, 260_000_000n]);
  const moved = [...ended].filter(([reference]) => reference.startsWith('cold:'));
  expect(moved.map(([, state]) => state)).toEqual(['done', 'done']);
  await settle(treasury({ coldAddress: COLD, ceilings }));
  expect([...ended].filter(([reference]) => reference.startsWith('cold:'))).toHaveLength(2);
});

test('a payout that ends while the hot balance is read stays out of the excess [EVM-025]', async () => {
  const { id } = networks.find(({ contractAddress }) => contractAddress === '')!;
  const hot = await node.balance(chain.sweeps.hotAddress);
  await ledger.database.transaction((tx) =>
    payouts.enqueue(tx, {
      userId: null,
      reference: 'withdrawal:4',
      chain: 'ethereum',
      to: STRANGER,
      memo: '',
      contract: '',
      amount: parseEther('1'),
      confirmations: 6,
    }),
  );
  const { sweeps } = chain;
  const balancesOf = sweeps.balancesOf.bind(sweeps);
  const read = jest.spyOn(sweeps, 'balancesOf').mockImplementation(async (...of) => {
    const balances = await balancesOf(...of);
    // The balance that was read still contains the payout, which ends before anything else is read.
    if (of[0].includes(sweeps.hotAddress))
      await db.query(`update ledger.payout set state = 'done' where reference = 'withdrawal:4'`);
    return balances;
  });
  try {
    await treasury({ coldAddress: COLD, ceilings: new Map([[id, hot - parseEther('0.5')]]) }).round(lease);
  } finally {
    read.mockRestore();
    await db.query(`delete from ledger.payout where reference = 'withdrawal:4'`);
  }
  expect(await payouts.ofHouse('ethereum')).toEqual([]);
});

test('network fees are recorded for every transaction, and booked when the house has them [EVM-026]', async () => {
  const books = new BookFees({
    store,
    reader: ledger.reader,
    ledger: ledger.client,
    clock,
    partitions: 1,
  });
  const coin = networks.find(({ contractAddress }) => contractAddress === '')!;
  const [{ transactions, fees }] = (await db.query<{ transactions: string; fees: string }>(
    `select (select count(*) from ledger.sweep) + (select count(*) from ledger.payout) as transactions,
      (select count(*) from ledger.network_fee where amount > 0) as fees`,
  )) as [{ transactions: string; fees: string }];
  expect(fees).toBe(transactions);
  const due = (await store.feesOf('ethereum')) / 10n ** 10n;
  expect(await books.round(lease, coin, 8)).toBe(due); // the house has none of the coin
  expect(await db.query('select * from ledger.network_fee_booking')).toEqual([]);
  const legs = [{ from: 'h.outside' as const, to: 'h.capital' as const, currency: ETH, amount: '1' }];
  await ledger.command({
    commandId: 'seed:h.capital',
    issuer: 'seed',
    userId: 100_001,
    answer: { type: 'ok' },
    journals: [{ id: 'seed:h.capital', causeType: 'seed', causeId: '1', legs }],
  });
  const outside = async (): Promise<bigint> =>
    BigInt(
      (
        await db.query<{ units: string }>(
          `select (available * 1e8)::numeric(40)::text as units
            from ledger.balance
            where owner = -1 and product = 'h.outside' and currency = $1`,
          [ETH],
        )
      )[0]!.units,
    );
  const before = await outside();
  expect(await books.round(lease, coin, 8)).toBe(0n);
  expect((await outside()) - before).toBe(due);
  expect(await books.round(lease, coin, 8)).toBe(0n);
  expect(
    (await db.query<{ state: string }>('select state from ledger.network_fee_booking')).map(({ state }) => state),
  ).toEqual(['booked']);
  expect((await ledger.audit.run()).every(({ ok }) => ok)).toBe(true);
});

test('a fee that the node does not tell yet is recorded later, of payouts and sweeps alike [EVM-034]', async () => {
  const address = await give(100_012);
  await node.pay(address, parseEther('1'));
  await node.mine(7);
  await read();
  await ledger.database.transaction(async (tx) => {
    const payout = { userId: null, chain: 'ethereum' as const, to: STRANGER, memo: '', amount: 1n, confirmations: 6 };
    await payouts.enqueue(tx, { ...payout, reference: 'withdrawal:7', contract: '' });
    await payouts.enqueue(tx, { ...payout, reference: 'withdrawal:8', contract: node.token, mayFail: true });
  });
  await node.refuse(STRANGER, 'revert');
  await treasury().round(lease);
  await sender.round(lease);
  await node.mine(7);
  const feePaid = jest.spyOn(chain.sweeps, 'feePaid').mockResolvedValue(null);
  await sender.round(lease);
  await treasury().round(lease);
  await node.refuse(STRANGER, 'not');
  expect([ended.get('withdrawal:7'), ended.get('withdrawal:8')]).toEqual(['done', 'failed']);
  const recorded = (): Promise<unknown[]> =>
    db.query(`select from ledger.network_fee where reference in ('withdrawal:7', 'withdrawal:8') and amount > 0`);
  expect([await recorded(), await store.open('ethereum')]).toMatchObject([[], [{ address }]]);
  feePaid.mockRestore();
  await treasury().round(lease);
  expect([await recorded(), await store.open('ethereum')]).toMatchObject([[{}, {}], []]);
  expect(
    await db.query(`select from ledger.network_fee where reference like 'withdrawal:%' and amount = 0`),
  ).toHaveLength(0);
});

test('a sweep that was mined under an id that a restore has lost is done, with its fee [EVM-035]', async () => {
  const address = await give(100_013);
  await node.pay(address, parseEther('1'));
  await node.mine(7);
  await read();
  await node.automine(false);
  await treasury().round(lease);
  later = 11 * 60_000;
  await treasury().round(lease);
  later = 0;
  const [sweep] = await store.open('ethereum');
  expect(sweep!.signatures).toHaveLength(2);
  await db.query('delete from ledger.sweep_signature where sweep_id = $1 and attempt = 1', [sweep!.id]);
  await node.automine(true);
  await node.mine(7);
  await treasury().round(lease);
  expect(
    await db.query(
      `select s.state, f.tx_id, f.amount > 0 as paid
        from ledger.sweep s join ledger.network_fee f on f.reference = 'sweep:' || s.id
        where s.id = $1`,
      [sweep!.id],
    ),
  ).toEqual([{ state: 'done', tx_id: sweep!.signatures[1]!.txId, paid: true }]);
});

test('the fee of the transaction that displaced a payment is recorded, once [EVM-036]', async () => {
  await ledger.database.transaction((tx) =>
    payouts.enqueue(tx, {
      ...{ reference: 'withdrawal:9', userId: null, chain: 'ethereum', to: STRANGER, memo: '', contract: '' },
      ...{ amount: 1n, confirmations: 6 },
    }),
  );
  chain.loses = 1;
  await sender.round(lease);
  const rival = await chain.sign(
    { reference: 'rival', to: STRANGER, memo: '', contract: '', amount: 2n },
    new Set<string>(),
  );
  await chain.send(rival);
  await node.mine(7);
  await sender.round(lease);
  expect(ended.get('withdrawal:9')).toBe('failed');
  await treasury().round(lease);
  const fees = (): Promise<unknown[]> =>
    db.query('select reference, amount > 0 as paid from ledger.network_fee where tx_id = $1', [rival.txId]);
  expect(await fees()).toEqual([{ reference: 'withdrawal:9', paid: true }]);
  await db.query(`update ledger.network_fee set reference = 'withdrawal:8' where tx_id = $1`, [rival.txId]);
  expect(await store.unpaid('ethereum')).toEqual([]);
});

test('a sweep whose fee would be above the limit waits alone; the other movements go on [EVM-030]', async () => {
  const address = await give(100_009);
  await node.pay(chain.sweeps.hotAddress, parseEther('3'));
  await node.pay(address, parseEther('1'));
  await node.mine(7);
  await read();
  await node.automine(false);
  await treasury().round(lease);
  const [sweep] = await store.open('ethereum');
  const careful = new EvmChain(
    {
      ...{ chain: 'ethereum', url: node.url, chainId: node.chainId, contracts: [node.token] },
      gasPriceMax: Transaction.from(sweep!.signatures[0]!.bytes).maxFeePerGas!,
    },
    signer,
    new PostgresOwnAddresses(ledger.database),
    new PostgresHouseMovements(ledger.database),
  );
  const { id } = networks.find(({ contractAddress }) => contractAddress === '')!;
  later = 11 * 60_000;
  await treasury({ chain: careful, coldAddress: STRANGER, ceilings: new Map([[id, parseEther('1')]]) }).round(lease);
  later = 0;
  expect((await store.open('ethereum'))[0]!.signatures).toHaveLength(1);
  expect((await payouts.open('ethereum', 1)).map(({ to }) => to)).toEqual([STRANGER]);
  await node.automine(true);
  await node.mine(7);
  await settle();
});

test('gas for an address is ordered once and sent, also while many payments wait [EVM-032]', async () => {
  const address = await give(100_010);
  await node.mint(address, 70_000_000n);
  await node.mine(7);
  await read();
  await db.query(
    `insert into ledger.payout (reference, chain, address, memo, contract, amount, confirmations_needed, created_at)
      select 'waits:' || n, 'ethereum', $1, '', $2, 1e30, 6, now() - interval '1 hour'
      from generate_series(1, 501) n`,
    [STRANGER, node.token],
  );
  for (let round = 0; round < 3; round++) await treasury().round(lease);
  expect(await payouts.ofHouse('ethereum')).toEqual([{ reference: expect.stringMatching(/^gas:/), to: address }]);
  expect((await payouts.open('ethereum', 500))[0]?.to).toBe(address);
  await db.query(`delete from ledger.payout where reference like 'waits:%'`);
  await settle();
  expect(await node.tokenBalance(address)).toBe(0n);
});

test('an instance that was overtaken orders no gas [EVM-032]', async () => {
  const address = await give(100_011);
  await node.mint(address, 70_000_000n);
  await node.mine(7);
  await read();
  const lost = { ...lease, fence: () => Promise.reject(new Fenced('another instance has taken the lease')) };
  await expect(treasury().round(lost)).rejects.toBeInstanceOf(Fenced);
  expect(await payouts.ofHouse('ethereum')).toEqual([]);
  await settle();
  expect(await node.tokenBalance(address)).toBe(0n);
});

test('a movement to the cold wallet is no larger than one payment can carry [BTC-021]', async () => {
  const { id } = networks.find(({ contractAddress }) => contractAddress === '')!;
  const most = jest.spyOn(chain, 'payableAtOnce').mockResolvedValue(7n);
  const cold = treasury({ coldAddress: COLD, ceilings: new Map([[id, 10n]]) });
  await cold.round(lease);
  const [move] = await payouts.open('ethereum', 1);
  expect([move!.to, move!.amount]).toEqual([COLD, 7n]);
  most.mockResolvedValue(0n);
  const warn = jest.spyOn(Logger.prototype, 'warn');
  await settle(cold);
  await cold.round(lease);
  const said = warn.mock.calls.filter(([text]) => String(text).includes('over the ceiling'));
  warn.mockRestore();
  most.mockRestore();
  expect(said).toHaveLength(1);
  expect(ended.get(move!.reference)).toBe('done');
});
