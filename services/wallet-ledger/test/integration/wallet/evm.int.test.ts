import { afterAll, afterEach, beforeAll, beforeEach, expect, jest, test } from '@jest/globals';
import { getAddress, parseEther, Transaction } from 'ethers';
import type { ChainName } from '@bourse/contract';
import { testTimeoutMs } from '@bourse/testing/eventually';
import { SeedSigner } from '../../../src/wallet/chains/keys/seed-signer.js';
import { EvmChain } from '../../../src/wallet/chains/networks/evm/evm-chain.js';
import {
  ChainUnavailable,
  FeeAboveLimit,
  HotWalletShort,
  PaymentRefused,
  type ChainBlock,
  type IncomingTransfer,
  type Payment,
} from '../../../src/wallet/chains/application/chain.js';
import { HouseMovements, OwnAddresses, type OwnAddress } from '../../../src/wallet/chains/application/own-addresses.js';
import { EvmNode } from './evm-node.js';

// A node in a process of its own, on a machine that may be busy with other suites.
jest.setTimeout(testTimeoutMs(36_000));

const signer = await SeedSigner.from(new Uint8Array(16));
const deposits = [1, 2, 3].map((index): OwnAddress => ({
  index,
  address: signer.addressOf('ethereum', { kind: 'deposit', index }),
}));
const [first, second] = deposits.map(({ address }) => address) as [string, string];
const stranger = getAddress('0x00000000000000000000000000000000c0ffee01');

class ListedAddresses extends OwnAddresses {
  override async find(_: ChainName, addresses: readonly string[]): Promise<readonly OwnAddress[]> {
    return deposits.filter(({ address }) => addresses.includes(address));
  }
  override async used(): Promise<readonly OwnAddress[]> {
    return deposits;
  }
}
class ListedMovements extends HouseMovements {
  readonly ids = new Set<string>();
  override async find(_: ChainName, txIds: readonly string[]): Promise<ReadonlySet<string>> {
    return new Set(txIds.filter((id) => this.ids.has(id)));
  }
}

let node: EvmNode;
let chain: EvmChain;
let hot: string;
let clean: string;
const movements = new ListedMovements();
const ours = async (addresses: readonly string[]): Promise<ReadonlySet<string>> =>
  new Set(deposits.map(({ address }) => address).filter((address) => addresses.includes(address)));
const open = (
  more: { readonly url?: string; readonly chainId?: number; readonly gasPriceMax?: bigint } = {},
): EvmChain =>
  new EvmChain(
    { chain: 'ethereum', url: node.url, chainId: node.chainId, contracts: [node.token], ...more },
    signer,
    new ListedAddresses(),
    movements,
  );
const block = async (height?: number): Promise<ChainBlock> =>
  height === undefined ? chain.tip() : (await chain.blockAt(height))!;
const incoming = async (at?: ChainBlock): Promise<readonly IncomingTransfer[]> =>
  chain.incoming(at ?? (await chain.tip()), ours);
const payment = (amount: bigint, more: Partial<Payment> = {}): Payment => ({
  reference: 'withdrawal:1',
  to: stranger,
  memo: '',
  contract: '',
  amount,
  ...more,
});

beforeAll(async () => {
  node = await EvmNode.start();
  chain = open();
  hot = chain.sweeps.hotAddress;
  await node.pay(hot, parseEther('10'));
  await node.mint(hot, 5_000_000_000n);
});
afterAll(() => node?.stop());
beforeEach(async () => {
  clean = await node.rpc<string>('evm_snapshot');
});
afterEach(async () => {
  await node.automine(true);
  await node.rpc('evm_revert', clean);
});

test('a coin transfer to one of our addresses is seen in its block by amount, no other [EVM-001]', async () => {
  const txId = await node.pay(first, 1_234_567_890_123_456_789n);
  expect(await incoming()).toEqual([
    { txId, output: -1, address: first, memo: '', contract: '', amount: 1_234_567_890_123_456_789n },
  ]);
  await node.pay(stranger, 5n);
  expect(await incoming()).toEqual([]);
});

test('a token transfer is named by its log, for exactly the contracts of our networks [EVM-002]', async () => {
  const txId = await node.mint(second, 250_000_000n);
  expect(await incoming()).toEqual([
    { txId, output: 0, address: second, memo: '', contract: node.token, amount: 250_000_000n },
  ]);
  // The same code at another address: a token that anybody can make and call USDT.
  const forged = '0x00000000000000000000000000000000000f04ed';
  await node.rpc('hardhat_setCode', forged, await node.rpc('eth_getCode', node.token, 'latest'));
  await node.rpc('eth_sendTransaction', {
    from: node.rich,
    to: forged,
    data: (await node.rpc<{ input: string }>('eth_getTransactionByHash', txId)).input,
  });
  expect((await block()).height).toBeGreaterThan(0);
  expect(await incoming()).toEqual([]);
});

test('two transfers of one block are two deposits, and a call that reverts is none [EVM-003]', async () => {
  await node.automine(false);
  const sent = [await node.mint(first, 9n), await node.mint(second, 11n)];
  // A coin sent along with a call that fails: the node of the sender takes it, the chain undoes it.
  await node.rpc('hardhat_setCode', first, '0x60006000fd');
  const reverted = await node.rpc<string>('eth_sendTransaction', {
    from: node.rich,
    to: first,
    value: '0x64',
    gas: '0xfffff',
  });
  await node.rpc('evm_mine');
  expect((await node.rpc<{ status: string }>('eth_getTransactionReceipt', reverted)).status).toBe('0x0');
  expect((await incoming()).map(({ txId, amount }) => [sent.indexOf(txId), amount])).toEqual([
    [0, 9n],
    [1, 11n],
  ]);
});

test('coins that a contract passes on inside a transaction are not seen [EVM-004]', async () => {
  const relay = '0x00000000000000000000000000000000000bE1A7';
  // Calls the address it was made for with all that it was sent.
  await node.rpc('hardhat_setCode', relay, `0x60006000600060003473${first.slice(2)}5af1`);
  await node.rpc('eth_sendTransaction', { from: node.rich, to: relay, value: '0x64', gas: '0xfffff' });
  expect(await node.balance(first)).toBe(100n);
  expect(await incoming()).toEqual([]);
});

test('blocks follow one another by hash; a reorganisation shows, its lost deposit is gone [EVM-005]', async () => {
  const before = await block();
  const fork = await node.rpc<string>('evm_snapshot');
  await node.pay(first, 42n);
  const lost = await block();
  expect(lost.parentHash).toBe(before.hash);
  expect(await incoming(lost)).toHaveLength(1);
  await node.rpc('evm_revert', fork);
  await node.rpc('evm_increaseTime', 60);
  await node.mine(3);
  const other = await block(lost.height);
  expect(other.hash).not.toBe(lost.hash);
  expect(other.parentHash).toBe(before.hash);
  expect(await incoming(other)).toEqual([]);
  await expect(incoming(lost)).rejects.toThrow(ChainUnavailable);
  expect(await chain.blockAt(lost.height + 100)).toBeNull();
});

test('moves between our own wallets bring no deposit; a payment to one of our addresses does [EVM-006]', async () => {
  const moved = await chain.sign(payment(1000n, { to: first }), new Set());
  await chain.send(moved);
  expect(await incoming()).toHaveLength(1);
  movements.ids.add(moved.txId);
  expect(await incoming()).toEqual([]);
});

test('a payment of the coin is signed once, sent, and counted by confirmations [EVM-010]', async () => {
  const signed = await chain.sign(payment(parseEther('1.5')), new Set());
  expect(signed.spends).toEqual([`nonce:${hot}:0`]);
  expect(await chain.status(signed.txId)).toEqual({ state: 'unknown' });
  await chain.send(signed);
  await chain.send(signed); // the node has it already
  expect(await node.balance(stranger)).toBe(parseEther('1.5'));
  expect(await chain.status(signed.txId)).toEqual({
    state: 'mined',
    height: (await block()).height,
    confirmations: 1,
    success: true,
  });
  await node.mine(5);
  expect(await chain.status(signed.txId)).toMatchObject({ confirmations: 6 });
  expect(await chain.sweeps.feePaid(signed.txId)).toBeLessThanOrEqual(signed.networkFee);
});

test('a payment whose block is lost is sent again with the same bytes [EVM-010]', async () => {
  const fork = await node.rpc<string>('evm_snapshot');
  const signed = await chain.sign(payment(parseEther('1')), new Set());
  await chain.send(signed);
  expect((await chain.status(signed.txId)).state).toBe('mined');
  await node.rpc('evm_revert', fork);
  await node.mine(2);
  expect(await chain.status(signed.txId)).toEqual({ state: 'unknown' });
  expect(await chain.conflictingSpend(signed.spends, [signed.txId], 1)).toBeNull();
  await chain.send(signed);
  expect(await chain.status(signed.txId)).toMatchObject({ state: 'mined', success: true });
  expect(await node.balance(stranger)).toBe(parseEther('1'));
});

test('a token payment moves only the token [EVM-011]', async () => {
  const signed = await chain.sign(payment(1_000_000n, { contract: node.token }), new Set());
  const tx = Transaction.from(signed.bytes);
  expect([tx.to, tx.value, tx.from, tx.chainId]).toEqual([getAddress(node.token), 0n, hot, BigInt(node.chainId)]);
  await chain.send(signed);
  expect(await node.tokenBalance(stranger)).toBe(1_000_000n);
  expect(await chain.status(signed.txId)).toMatchObject({ state: 'mined', success: true });
});

test('nonces that signed payments have reserved are not given again, and gaps are filled first [EVM-012]', async () => {
  const one = await chain.sign(payment(1n), new Set());
  const two = await chain.sign(payment(2n), new Set(one.spends));
  expect(two.spends).toEqual([`nonce:${hot}:1`]);
  expect((await chain.sign(payment(3n), new Set(two.spends))).spends).toEqual(one.spends);
  await node.automine(false);
  await chain.send(two); // waits for the one before it
  await chain.send(one);
  await node.rpc('evm_mine');
  for (const { txId } of [one, two]) expect(await chain.status(txId)).toMatchObject({ state: 'mined', success: true });
  expect((await chain.sign(payment(3n), new Set())).spends).toEqual([`nonce:${hot}:2`]);
});

test.each([
  ['reverts', 'revert'],
  ['answers false', 'false'],
] as const)('a token call that %s is mined without success [EVM-013]', async (_, how) => {
  const signed = await chain.sign(payment(1_000_000n, { contract: node.token }), new Set());
  await node.refuse(stranger, how);
  await chain.send(signed);
  expect(await chain.status(signed.txId)).toMatchObject({ state: 'mined', success: false });
  expect(await node.tokenBalance(stranger)).toBe(0n);
});

test.each([
  ['of the coin', ''],
  ['of a token', 'token'],
])('a payment %s that would fail now is signed only if it may [EVM-037]', async (_, kind) => {
  if (kind === '') await node.rpc('hardhat_setCode', stranger, '0x60006000fd');
  else await node.refuse(stranger, 'revert');
  const asked = payment(1_000n, { contract: kind === '' ? '' : node.token });
  await expect(chain.sign(asked, new Set())).rejects.toThrow(PaymentRefused);
  await expect(chain.sign(asked, new Set())).rejects.toThrow(/would fail now: .*revert/i);
  const signed = await chain.sign({ ...asked, mayFail: true }, new Set());
  await chain.send(signed);
  expect(await chain.status(signed.txId)).toMatchObject({ state: 'mined', success: false });
});

test('a stuck payment is replaced at a higher fee by the same nonce, which is mined [EVM-014]', async () => {
  const asked = payment(parseEther('1'));
  await node.automine(false);
  const stuck = await chain.sign(asked, new Set());
  await chain.send(stuck);
  expect(await chain.status(stuck.txId)).toEqual({ state: 'pending' });
  const tooDear = Transaction.from(stuck.bytes).maxFeePerGas! + 1n;
  await node.baseFee(tooDear);
  await node.rpc('evm_mine');
  expect(await chain.status(stuck.txId)).toEqual({ state: 'pending' });
  const raised = await chain.raiseFee(asked, stuck);
  expect(raised.txId).not.toBe(stuck.txId);
  expect(raised.spends).toEqual(stuck.spends);
  const [was, is] = [stuck, raised].map(({ bytes }) => Transaction.from(bytes)) as [Transaction, Transaction];
  expect(is.maxPriorityFeePerGas! * 8n).toBeGreaterThanOrEqual(was.maxPriorityFeePerGas! * 9n);
  expect(is.maxFeePerGas! * 8n).toBeGreaterThanOrEqual(was.maxFeePerGas! * 9n);
  expect([is.to, is.value, is.nonce]).toEqual([was.to, was.value, was.nonce]);
  await chain.send(raised);
  await node.rpc('evm_mine');
  await node.mine(6);
  expect(await chain.status(raised.txId)).toMatchObject({ state: 'mined', success: true });
  expect(await chain.status(stuck.txId)).toEqual({ state: 'unknown' });
  expect(await node.balance(stranger)).toBe(parseEther('1'));
  expect(await chain.conflictingSpend(stuck.spends, [stuck.txId, raised.txId], 6)).toBeNull();
});

test('a payment is used up when another has its nonce, only after the confirmations [EVM-015]', async () => {
  const asked = payment(parseEther('1'));
  const mine = await chain.sign(asked, new Set());
  // The same nonce, as a second program with the same key would take it.
  const other = await chain.sign(payment(1n), new Set());
  expect(await chain.conflictingSpend(mine.spends, [mine.txId], 1)).toBeNull();
  await chain.send(other);
  expect(await chain.conflictingSpend(mine.spends, [mine.txId], 3)).toBeNull();
  await node.mine(2);
  expect(await chain.conflictingSpend(mine.spends, [mine.txId], 3)).toBe(other.txId);
  expect(await chain.conflictingSpend(other.spends, [other.txId], 3)).toBeNull();
  await expect(chain.send(mine)).rejects.toThrow(/nonce too low/i);
  expect(await chain.status(mine.txId)).toEqual({ state: 'unknown' });
});

test.each([
  ['of the coin', ''],
  ['of a token', 'token'],
])('a payment %s under an id that we do not hold is known by its facts [EVM-031]', async (_, kind) => {
  const asked = payment(1_000_000n, { contract: kind === '' ? '' : node.token });
  const mined = await chain.sign(asked, new Set());
  await expect(chain.feeIfPaid(asked, mined.txId)).rejects.toThrow(ChainUnavailable);
  await chain.send(mined);
  expect(await chain.feeIfPaid(asked, mined.txId)).toBe(await chain.sweeps.feePaid(mined.txId));
  for (const other of [{ amount: 999_999n }, { to: first }, { contract: kind === '' ? node.token : '' }])
    expect(await chain.feeIfPaid({ ...asked, ...other }, mined.txId)).toBeNull();
});

test('a token payment that moved nothing is no payment under any id [EVM-031]', async () => {
  const asked = payment(1_000_000n, { contract: node.token });
  await node.refuse(stranger, 'false');
  const mined = await chain.sign(asked, new Set());
  await chain.send(mined);
  expect(await chain.feeIfPaid(asked, mined.txId)).toBeNull();
});

test('the hot wallet pays no more than it has, fee included [EVM-016]', async () => {
  await expect(chain.sign(payment(parseEther('10')), new Set())).rejects.toThrow(HotWalletShort);
  await expect(chain.sign(payment(5_000_000_001n, { contract: node.token }), new Set())).rejects.toThrow(
    HotWalletShort,
  );
  await node.automine(false);
  await chain.send(await chain.sign(payment(parseEther('6')), new Set()));
  await expect(chain.sign(payment(parseEther('6')), new Set([`nonce:${hot}:0`]))).rejects.toThrow(HotWalletShort);
  await node.rpc('hardhat_setBalance', hot, '0x1');
  await expect(chain.sign(payment(1n, { contract: node.token }), new Set([`nonce:${hot}:0`]))).rejects.toThrow(
    HotWalletShort,
  );
});

test('nothing is signed at a price beyond the limit [EVM-017]', async () => {
  await expect(open({ gasPriceMax: 1n }).sign(payment(1n), new Set())).rejects.toThrow(FeeAboveLimit);
  const signed = await chain.sign(payment(1n), new Set());
  const careful = open({ gasPriceMax: Transaction.from(signed.bytes).maxFeePerGas! });
  await expect(careful.raiseFee(payment(1n), signed)).rejects.toThrow(FeeAboveLimit);
});

test('a node that is away, of another chain, or no node is no answer; nothing is decided by it [EVM-018]', async () => {
  await expect(open({ url: 'http://127.0.0.1:9' }).tip()).rejects.toThrow(ChainUnavailable);
  await expect(open({ chainId: 1 }).tip()).rejects.toThrow(/of chain 31337, and ours is 1/);
  const away = open({ url: 'http://name:secret@127.0.0.1:9' });
  for (const call of [
    () => away.blockAt(1),
    () => away.status('0x00'),
    () => away.holdings(''),
    () => away.sign(payment(1n), new Set()),
    () => away.conflictingSpend([`nonce:${hot}:0`], [], 1),
  ]) {
    const error = await call().then(
      () => null,
      (thrown: unknown) => thrown,
    );
    expect(error).toBeInstanceOf(ChainUnavailable);
    expect(String(error)).not.toContain('secret');
  }
});

test('holdings are those of the hot wallet and of all addresses that received something [EVM-019]', async () => {
  const [coin, token] = [await chain.holdings(''), await chain.holdings(node.token)];
  await node.pay(first, 5n);
  await node.mint(second, 6n);
  await node.pay(stranger, 7n);
  expect([await chain.holdings(''), await chain.holdings(node.token)]).toEqual([coin + 5n, token + 6n]);
});

test('a deposit address is emptied to the last unit; of a token when it can pay the fee [EVM-020]', async () => {
  const { sweeps } = chain;
  const key = { kind: 'deposit', index: 1 } as const;
  await node.mint(first, 77_000_000n);
  await expect(sweeps.signMove({ from: key, to: hot, contract: node.token, amount: 'all' }, new Set())).rejects.toThrow(
    HotWalletShort,
  );
  const gas = await sweeps.signMove(
    { from: { kind: 'hot' }, to: first, contract: '', amount: await sweeps.costOfMove(node.token) },
    new Set(),
  );
  await chain.send(gas);
  const before = await node.tokenBalance(hot);
  const gathered = await sweeps.signMove({ from: key, to: hot, contract: node.token, amount: 'all' }, new Set());
  expect(gathered).toMatchObject({ amount: 77_000_000n, spends: [`nonce:${first}:0`] });
  await chain.send(gathered);
  expect((await node.tokenBalance(hot)) - before).toBe(77_000_000n);
  await node.pay(first, parseEther('1'));
  const coin = await sweeps.signMove({ from: key, to: hot, contract: '', amount: 'all' }, new Set());
  await chain.send(coin);
  expect(await chain.status(coin.txId)).toMatchObject({ state: 'mined', success: true });
  expect(await node.balance(first)).toBeLessThan(parseEther('0.001'));
});
