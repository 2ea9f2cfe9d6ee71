import { createHash } from 'node:crypto';
import { afterEach, expect, jest, test } from '@jest/globals';
import { script as scripts, Transaction } from 'bitcoinjs-lib';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import type { ChainName } from '@bourse/contract';
import { formatUnits } from '@bourse/money';
import { testTimeoutMs } from '@bourse/testing/eventually';
import { BitcoinChain } from '../../../src/wallet/chains/networks/bitcoin/bitcoin-chain.js';
import { INPUTS_MAX } from '../../../src/wallet/chains/networks/bitcoin/coin-selection.js';
import { RULES, type BitcoinLike } from '../../../src/wallet/chains/networks/bitcoin/family.js';
import { addressOfScript, scriptOfAddress } from '../../../src/wallet/chains/networks/bitcoin/script.js';
import { SeedSigner } from '../../../src/wallet/chains/keys/seed-signer.js';
import {
  ChainUnavailable,
  FeeAboveLimit,
  ChainUnreadable,
  HotWalletShort,
  PaymentRefused,
  PaymentTooSmall,
  type ChainBlock,
  type Payment,
} from '../../../src/wallet/chains/application/chain.js';
import { OwnAddresses, type OwnAddress } from '../../../src/wallet/chains/application/own-addresses.js';
import {
  OwnOutputs,
  outputSpend,
  type OutputName,
  type OwnOutput,
} from '../../../src/wallet/chains/application/own-outputs.js';
import { isSigned, storedBlock, storedNode, SyntheticNode, type StoredBlock } from './bitcoin-node.js';

jest.setTimeout(testTimeoutMs(24_000));

// The words of BIP-84's published vectors ("abandon … about"): entropy of zeros.
const signer = await SeedSigner.from(new Uint8Array(16));
const FAMILY: readonly BitcoinLike[] = ['bitcoin', 'litecoin', 'dogecoin'];
const addressesOf = (chain: BitcoinLike): OwnAddress[] =>
  [1, 2, 3].map((index) => ({ index, address: signer.addressOf(chain, { kind: 'deposit', index }) }));

class ListedAddresses extends OwnAddresses {
  override async find(chain: ChainName, addresses: readonly string[]): Promise<readonly OwnAddress[]> {
    return addressesOf(chain as BitcoinLike).filter(({ address }) => addresses.includes(address));
  }
  override async used(chain: ChainName): Promise<readonly OwnAddress[]> {
    return addressesOf(chain as BitcoinLike);
  }
}

class OutputsInMemory extends OwnOutputs {
  private readonly known = new Map<string, OwnOutput & { by: string | null }>();
  override async record(_: ChainName, { received, spent }: Parameters<OwnOutputs['record']>[1]): Promise<void> {
    for (const output of received)
      this.known.set(outputSpend(output), { by: null, ...this.known.get(outputSpend(output)), ...output });
    for (const { by, ...name } of spent) {
      const mine = this.known.get(outputSpend(name));
      if (mine) mine.by = by;
    }
  }
  override async unspent(): Promise<readonly OwnOutput[]> {
    return [...this.known.values()].sort((a, b) => (a.amount < b.amount ? 1 : -1));
  }
  override async find(_: ChainName, names: readonly OutputName[]): Promise<readonly OwnOutput[]> {
    return names.flatMap((name) => this.known.get(outputSpend(name)) ?? []);
  }
  override async spender(_: ChainName, name: OutputName): Promise<string | null> {
    return this.known.get(outputSpend(name))?.by ?? null;
  }
}

const opened: { stop(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of opened.splice(0)) await one.stop();
});

const adapter = (chain: BitcoinLike, url: string): BitcoinChain =>
  new BitcoinChain({ chain, url }, signer, new ListedAddresses(), new OutputsInMemory());
const oursOf =
  (own: readonly string[]) =>
  async (addresses: readonly string[]): Promise<ReadonlySet<string>> =>
    new Set(own.filter((address) => addresses.includes(address)));
async function published(chain: BitcoinLike, names: readonly string[]): Promise<BitcoinChain> {
  const node = await storedNode(names.map(storedBlock));
  opened.push(node);
  return adapter(chain, node.url);
}

/** A synthetic chain with an adapter that has read every block so far; `read` reads the blocks since. */
async function synthetic(chain: BitcoinLike): Promise<{
  node: SyntheticNode;
  wallet: BitcoinChain;
  first: string;
  stranger: string;
  read: () => Promise<void>;
  own: string[];
}> {
  const node = await SyntheticNode.start(chain);
  opened.push(node);
  const wallet = adapter(chain, node.url);
  const own = addressesOf(chain).map(({ address }) => address);
  const stranger = signer.addressOf(chain, { kind: 'deposit', index: 900 });
  return {
    node,
    wallet,
    own,
    first: own[0]!,
    stranger,
    read: async () => {
      for (let height = 0; height <= node.height; height++)
        await wallet.incoming((await wallet.blockAt(height))!, oursOf(own));
    },
  };
}
/** More than any wallet here has. */
const ALL = 1n << 62n;
const COIN = 100_000_000n;
/** Enough of each chain's coin for its own smallest outputs and fees. */
const worth = (chain: BitcoinLike, coins: bigint): bigint => (chain === 'dogecoin' ? coins * 1000n : coins) * COIN;
const payment = (to: string, amount: bigint): Payment => ({
  reference: 'withdrawal:1',
  to,
  memo: '',
  contract: '',
  amount,
});

const twice = (bytes: Uint8Array): Buffer =>
  createHash('sha256').update(createHash('sha256').update(bytes).digest()).digest();
const reversed = (hex: string): Buffer => Buffer.from(hex, 'hex').reverse();
function headerOf(block: StoredBlock): Buffer {
  const header = Buffer.alloc(80);
  header.writeInt32LE(block.version, 0);
  reversed(block.previousblockhash ?? '00'.repeat(32)).copy(header, 4);
  reversed(block.merkleroot).copy(header, 36);
  header.writeUInt32LE(block.time, 68);
  header.writeUInt32LE(Number(`0x${block.bits}`), 72);
  header.writeUInt32LE(block.nonce, 76);
  return header;
}
function merkleRoot(ids: readonly string[]): string {
  let row = ids.map(reversed);
  while (row.length > 1)
    row = Array.from({ length: Math.ceil(row.length / 2) }, (_, n) =>
      twice(Buffer.concat([row[2 * n]!, row[2 * n + 1] ?? row[2 * n]!])),
    );
  return Buffer.from(row[0]!).reverse().toString('hex');
}

test.each(['bitcoin-0', 'bitcoin-170', 'bitcoin-100000', 'litecoin-0', 'dogecoin-0'])(
  'the stored block %s is the published one, byte for byte [BTC-001]',
  (name) => {
    const block = storedBlock(name);
    expect(twice(headerOf(block)).reverse().toString('hex')).toBe(block.hash);
    expect(merkleRoot(block.tx.map(({ txid }) => txid))).toBe(block.merkleroot);
    for (const { txid, hex, vout } of block.tx) {
      expect(twice(Buffer.from(hex, 'hex')).reverse().toString('hex')).toBe(txid);
      expect(vout.map(({ value, scriptPubKey }) => [value, scriptPubKey.hex])).toEqual(
        Transaction.fromHex(hex).outs.map(({ value, script }) => [
          formatUnits(value, 8),
          Buffer.from(script).toString('hex'),
        ]),
      );
    }
  },
);

test('payments of a published block are found with their exact amounts, for our addresses only [BTC-002]', async () => {
  const chain = await published('bitcoin', ['bitcoin-0', 'bitcoin-170', 'bitcoin-100000']);
  const block = (await chain.blockAt(100_000))!;
  expect(block).toEqual({
    height: 100_000,
    hash: '000000000003ba27aa200b1cecaad478d2b00432346c3f1f3986da1afd33e506',
    parentHash: '000000000002d01c1fccc21636b607dfd930d31d01c3a62104612a1719011250',
    at: Date.parse('2010-12-29T11:57:43Z'),
  });
  const own = [
    '1JqDybm2nWTENrHvMyafbSXXtTk5Uv5QAn',
    '1EYTGtG4LnFfiMvjJdsU7GMGCQvsRSjYhx',
    '1Am9UTGfdnxabvcywYG2hvzr6qK8T3oUZT',
  ];
  expect(
    (await chain.incoming(block, oursOf(own))).map(({ txId, output, address, amount }) => [
      txId.slice(0, 8),
      output,
      address,
      amount,
    ]),
  ).toEqual([
    ['fff2525b', 0, own[0], 556_000_000n],
    ['fff2525b', 1, own[1], 4_444_000_000n],
    ['6359f086', 1, own[2], 299_000_000n],
  ]);
  expect(await chain.tip()).toEqual(block);
  expect(await chain.blockAt(100_001)).toBeNull();
});

test('an amount with an exponent is read exactly, and payments to others are never parsed [CLIENT-255]', async () => {
  const block = storedBlock('bitcoin-100000');
  const own = '1JqDybm2nWTENrHvMyafbSXXtTk5Uv5QAn';
  const written = (values: readonly string[]): StoredBlock => {
    let at = 0;
    const next = (value: string): string => values[at++] ?? value;
    return {
      ...block,
      tx: block.tx.map((tx) => ({ ...tx, vout: tx.vout.map((output) => ({ ...output, value: next(output.value) })) })),
    };
  };
  // The first and the third output of the block are strangers', the second one is ours.
  const node = async (values: readonly string[]): Promise<BitcoinChain> => {
    const server = await storedNode([storedBlock('bitcoin-0'), written(values)]);
    opened.push(server);
    return adapter('bitcoin', server.url);
  };
  const chain = await node(['1e-9', '5.56e+0', '1e-9']);
  const found = await chain.incoming((await chain.blockAt(100_000))!, oursOf([own]));
  expect(found.map(({ address, amount }) => [address, amount])).toEqual([[own, 556_000_000n]]);
  const wrong = await node(['1', '1e-9']);
  await expect(wrong.incoming((await wrong.blockAt(100_000))!, oursOf([own]))).rejects.toThrow(ChainUnreadable);
});

test('bare keys have no address, so payments to them are no deposits [BTC-003]', async () => {
  const chain = await published('bitcoin', ['bitcoin-0', 'bitcoin-170']);
  const asked: string[][] = [];
  expect(
    await chain.incoming((await chain.blockAt(170))!, async (addresses) => {
      asked.push([...addresses]);
      return new Set(addresses);
    }),
  ).toEqual([]);
  expect(asked).toEqual([[]]);
});

test.each(FAMILY)('a node is known by its first block: %s takes no other [BTC-004]', async (chain) => {
  expect((await (await published(chain, [`${chain}-0`])).tip()).hash).toBe(RULES[chain].genesis);
  const other = FAMILY.find((one) => one !== chain)!;
  const wrong = await published(chain, [`${other}-0`]);
  await expect(wrong.tip()).rejects.toThrow(ChainUnavailable);
});

test('a node that is away or refuses decides nothing; its password is in no message [BTC-005]', async () => {
  const away = adapter('bitcoin', 'http://name:secret@127.0.0.1:9');
  for (const call of [
    () => away.tip(),
    () => away.blockAt(1),
    () => away.status('00'),
    () => away.holdings(''),
    () => away.sign(payment(addressesOf('bitcoin')[0]!.address, COIN), new Set()),
  ]) {
    const error = await call().then(
      () => null,
      (thrown: unknown) => thrown,
    );
    expect(error).toBeInstanceOf(ChainUnavailable);
    expect(String(error)).not.toContain('secret');
  }
  const chain = await published('bitcoin', ['bitcoin-0']);
  await expect(chain.incoming({ height: 5, hash: '11'.repeat(32), parentHash: '', at: 0 }, oursOf([]))).rejects.toThrow(
    ChainUnavailable,
  );
});

test('scripts and addresses map to one another: published pairs of each kind [BTC-006]', () => {
  // Of BIP-173, BIP-350 and block 100000; of BIP-84's first key.
  for (const [address, script] of [
    ['1JqDybm2nWTENrHvMyafbSXXtTk5Uv5QAn', '76a914c398efa9c392ba6013c5e04ee729755ef7f58b3288ac'],
    ['3P14159f73E4gFr7JterCCQh9QjiTjiZrG', 'a914e9c3dd0c07aac76179ebc76a6c78d4d67c6c160a87'],
    ['bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4', '0014751e76e8199196d454941c45d1b3a323f1433bd6'],
    [
      'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0',
      '512079be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798',
    ],
    ['bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu', '0014c0cebcd6c3d3ca8c75dc5ec62ebe55330ef910e2'],
  ] as const) {
    expect(Buffer.from(scriptOfAddress('bitcoin', address)).toString('hex')).toBe(script);
    expect(addressOfScript('bitcoin', Buffer.from(script, 'hex'))).toBe(address);
  }
  expect(signer.addressOf('bitcoin', { kind: 'deposit', index: 0 })).toBe('bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu');
  for (const chain of FAMILY)
    for (const { address } of addressesOf(chain))
      expect(addressOfScript(chain, scriptOfAddress(chain, address))).toBe(address);
  expect(addressOfScript('bitcoin', Buffer.from('6a0568656c6c6f', 'hex'))).toBeNull();
});

test("the synthetic node's check of signatures takes the vector of BIP-143, nothing a bit off [BTC-007]", () => {
  const vector = Transaction.fromHex(
    '01000000000102fff7f7881a8099afa6940d42d1e7f6362bec38171ea3edf433541db4e4ad969f00000000494830450221008b9d1dc2' +
      '6ba6a9cb62127b02742fa9d754cd3bebf337f7a55d114c8e5cdd30be022040529b194ba3f9281a99f2b1c0a19c0489bc22ede944ccf4' +
      'ecbab4cc618ef3ed01eeffffffef51e1b804cc89d182d279655c3aa89e815b1b309fe287d9b2b55d57b90ec68a0100000000ffffffff' +
      '02202cb206000000001976a9148280b37df378db99f66f85c95a783a76ac7a6d5988ac9093510d000000001976a9143bde42dbee7e4d' +
      'be6a21b2d50ce2f0167faa815988ac000247304402203609e17b84f6a7d30c80bfa610b5b4542f32a8a0d5447a12fb1366d7f01cc44a' +
      '0220573a954c4518331561406f90300e8f3358f51928d43c212a8caed02de67eebee0121025476c2e83188368da1ff3e292e7acafcdb' +
      '3566bb0ad253f62fc70f07aeee635711000000',
  );
  const spent = { script: Buffer.from('00141d0f172a0ecb48aee1be1f2687d2963ae33f71a1', 'hex'), value: 6n * COIN };
  expect(isSigned(vector, 1, spent)).toBe(true);
  expect(isSigned(vector, 1, { ...spent, value: spent.value + 1n })).toBe(false);
  // The digest of the vector, signed by its key as our signer does it: the published signature.
  const digest = Buffer.from('c37af31116d1b27caf68aae9e3ac82f1477929014d5b917657d0eb49478cb670', 'hex');
  const signature = secp256k1.sign(
    digest,
    Buffer.from('619c335025c7f4012e556c2a58b2506e30b8511b53ade95ea316fd8c3286feb9', 'hex'),
    { prehash: false },
  );
  expect(Buffer.from(signature).toString('hex')).toBe(
    '3609e17b84f6a7d30c80bfa610b5b4542f32a8a0d5447a12fb1366d7f01cc44a573a954c45183' +
      '31561406f90300e8f3358f51928d43c212a8caed02de67eebee',
  );
});

test.each(FAMILY)(
  'a payment on %s spends deposits at six confirmations, and its change returns [BTC-010]',
  async (chain) => {
    const { node, wallet, first, stranger, read, own } = await synthetic(chain);
    node.pay(first, worth(chain, 2n));
    node.pay(own[1]!, worth(chain, 3n));
    node.mine(5);
    await read();
    await expect(wallet.sign(payment(stranger, worth(chain, 4n)), new Set())).rejects.toThrow(HotWalletShort);
    node.mine();
    const signed = await wallet.sign(payment(stranger, worth(chain, 4n)), new Set());
    const tx = Transaction.fromHex(signed.bytes);
    expect(signed.spends).toHaveLength(2);
    expect(tx.outs.map(({ script, value }) => [addressOfScript(chain, script), value])).toEqual([
      [stranger, worth(chain, 4n)],
      [wallet.hotAddress, worth(chain, 1n) - signed.networkFee],
    ]);
    expect(tx.ins.every(({ sequence }) => sequence === 0xfffffffd)).toBe(true);
    const perByte = signed.networkFee / BigInt(tx.virtualSize());
    expect(perByte).toBeGreaterThanOrEqual(RULES[chain].rateMin);
    expect(perByte).toBeLessThanOrEqual(RULES[chain].rateMin + 15n + RULES[chain].rateMin / 10n);
    expect(await wallet.status(signed.txId)).toEqual({ state: 'unknown' });
    await wallet.send(signed);
    await wallet.send(signed);
    expect(await wallet.status(signed.txId)).toEqual({ state: 'pending' });
    node.mine(6);
    expect(await wallet.status(signed.txId)).toEqual({
      state: 'mined',
      height: node.height - 5,
      confirmations: 6,
      success: true,
    });
    await wallet.send(signed); // it is in the chain: nothing to do
    await read();
    expect(await wallet.holdings('')).toBe(worth(chain, 1n) - signed.networkFee);
    expect((await wallet.sign(payment(stranger, worth(chain, 1n) / 2n), new Set())).spends).toEqual([
      `output:${signed.txId}:1`,
    ]);
  },
);

test('outputs reserved by another payment, or spent by a pending one, are not signed again [BTC-011]', async () => {
  const { node, wallet, first, stranger, read } = await synthetic('bitcoin');
  for (const coins of [1n, 2n, 3n]) node.pay(first, coins * COIN);
  node.mine(6);
  await read();
  const one = await wallet.sign(payment(stranger, COIN), new Set());
  const two = await wallet.sign(payment(stranger, COIN), new Set(one.spends));
  expect(two.spends.filter((spend) => one.spends.includes(spend))).toEqual([]);
  await wallet.send(one);
  const three = await wallet.sign(payment(stranger, COIN / 2n), new Set(two.spends));
  expect(three.spends.filter((spend) => [...one.spends, ...two.spends].includes(spend))).toEqual([]);
  await expect(wallet.sign(payment(stranger, COIN / 2n), new Set([...two.spends, ...three.spends]))).rejects.toThrow(
    HotWalletShort,
  );
});

test('an amount in too many outputs for one payment is refused, unless change may suffice [BTC-023]', async () => {
  const { node, wallet, first, stranger, read } = await synthetic('bitcoin');
  for (let n = 0; n <= INPUTS_MAX; n++) node.pay(first, COIN / 100n);
  node.mine(6);
  await read();
  const asked = payment(stranger, (COIN * 4_002n) / 1_000n);
  await expect(wallet.sign(asked, new Set())).rejects.toThrow(PaymentRefused);
  await expect(wallet.sign(payment(stranger, 5n * COIN), new Set())).rejects.toThrow(HotWalletShort);
  node.pay(first, COIN);
  node.mine(6);
  await read();
  const small = await wallet.sign(payment(stranger, COIN / 2n), new Set());
  await expect(wallet.sign(asked, new Set(small.spends))).rejects.toThrow(HotWalletShort);
  await wallet.send(small);
  await expect(wallet.sign(asked, new Set(small.spends))).rejects.toThrow(HotWalletShort);
  node.mine(6);
  await read();
  expect((await wallet.sign(asked, new Set())).spends.length).toBeLessThanOrEqual(INPUTS_MAX);
});

test('newly made coins are spent after a hundred blocks [BTC-012]', async () => {
  const { node, wallet, first, stranger, read } = await synthetic('bitcoin');
  node.pay(first, COIN, { coinbase: true });
  node.mine(98);
  await read();
  await expect(wallet.sign(payment(stranger, COIN / 2n), new Set())).rejects.toThrow(HotWalletShort);
  node.mine();
  expect((await wallet.sign(payment(stranger, COIN / 2n), new Set())).spends).toHaveLength(1);
});

test.each(FAMILY)(
  'a stuck payment on %s is replaced by one with the same inputs and a higher fee; only that one is mined [BTC-013]',
  async (chain) => {
    const { node, wallet, first, stranger, read } = await synthetic(chain);
    node.pay(first, worth(chain, 2n));
    node.mine(6);
    await read();
    const asked = payment(stranger, worth(chain, 1n));
    const stuck = await wallet.sign(asked, new Set());
    await wallet.send(stuck);
    node.rate *= 30n;
    const raised = await wallet.raiseFee(asked, stuck);
    expect(raised.spends).toEqual(stuck.spends);
    expect(raised.networkFee * 4n).toBeGreaterThanOrEqual(stuck.networkFee * 5n);
    await wallet.send(raised);
    expect(node.isWaiting(stuck.txId)).toBe(false);
    node.mine(6);
    await read();
    expect(await wallet.status(raised.txId)).toMatchObject({ state: 'mined', success: true });
    expect(await wallet.status(stuck.txId)).toEqual({ state: 'unknown' });
    expect(await wallet.conflictingSpend(stuck.spends, [stuck.txId, raised.txId], 6)).toBeNull();
  },
);

test('a fee that the change cannot pay is not raised [BTC-014]', async () => {
  const { node, wallet, first, stranger, read } = await synthetic('bitcoin');
  node.pay(first, COIN);
  node.mine(6);
  await read();
  const asked = payment(stranger, COIN - 1_500n);
  const signed = await wallet.sign(asked, new Set());
  expect(signed.networkFee).toBe(1_500n);
  await expect(wallet.raiseFee(asked, signed)).rejects.toThrow(HotWalletShort);
});

test('a fee that would be above the limit is not raised, and stops no other payment [BTC-018]', async () => {
  const { node, wallet, first, stranger, read } = await synthetic('bitcoin');
  node.pay(first, COIN);
  node.mine(6);
  await read();
  node.rate *= 1_000_000n;
  const asked = payment(stranger, COIN / 2n);
  await expect(wallet.raiseFee(asked, await wallet.sign(asked, new Set()))).rejects.toThrow(FeeAboveLimit);
});

test('a replacement that gives up its change stays below the limit too [BTC-018]', async () => {
  const { node, wallet, first, stranger, read } = await synthetic('bitcoin');
  node.pay(first, COIN);
  node.mine(6);
  await read();
  node.rate *= 1_000_000n;
  // The change is too little for a quarter more of the highest fee, and enough when nothing is left of it.
  const asked = payment(stranger, COIN - 88_500n);
  const signed = await wallet.sign(asked, new Set());
  expect(Transaction.fromHex(signed.bytes).outs).toHaveLength(2);
  await expect(wallet.raiseFee(asked, signed)).rejects.toThrow(FeeAboveLimit);
});

test('a payment is used up when another has spent one of its inputs, after the confirmations [BTC-015]', async () => {
  const { node, wallet, first, stranger, read } = await synthetic('bitcoin');
  node.pay(first, COIN);
  node.mine(6);
  await read();
  const mine = await wallet.sign(payment(stranger, COIN / 2n), new Set());
  // As a second program with the same keys would spend it.
  const other = await wallet.sign(payment(stranger, COIN / 4n), new Set());
  await wallet.send(mine);
  expect(await wallet.conflictingSpend(mine.spends, [mine.txId], 1)).toBeNull();
  node.mineOnly(other.bytes);
  node.mine(1);
  await read();
  expect(await wallet.conflictingSpend(mine.spends, [mine.txId], 3)).toBeNull();
  node.mine(1);
  expect(await wallet.conflictingSpend(mine.spends, [mine.txId], 3)).toBe(other.txId);
  expect(await wallet.conflictingSpend(other.spends, [other.txId], 3)).toBeNull();
  await expect(wallet.send(mine)).rejects.toThrow(/missingorspent/);
});

test('a payment on dogecoin whose signature was turned over is known as the same payment [BTC-019]', async () => {
  const { node, wallet, first, stranger, read } = await synthetic('dogecoin');
  node.pay(first, worth('dogecoin', 2n));
  node.mine(6);
  await read();
  const asked = payment(stranger, worth('dogecoin', 1n));
  const signed = await wallet.sign(asked, new Set());
  const twin = Transaction.fromHex(signed.bytes);
  const [signature, key] = scripts.decompile(twin.ins[0]!.script) as [Uint8Array, Uint8Array];
  const { signature: raw, hashType } = scripts.signature.decode(signature);
  const { r, s } = secp256k1.Signature.fromBytes(raw);
  const high = new secp256k1.Signature(r, secp256k1.Point.Fn.ORDER - s).toBytes();
  twin.ins[0]!.script = scripts.compile([scripts.signature.encode(high, hashType), key]);
  node.mineOnly(twin.toHex());
  node.mine(5);
  await read();
  expect(twin.getId()).not.toBe(signed.txId);
  expect(await wallet.status(signed.txId)).toEqual({ state: 'unknown' });
  expect(await wallet.conflictingSpend(signed.spends, [signed.txId], 6)).toBe(twin.getId());
  expect(await wallet.feeIfPaid(asked, twin.getId())).toBe(signed.networkFee);
  for (const other of [payment(stranger, asked.amount - 1n), payment(first, asked.amount)])
    expect(await wallet.feeIfPaid(other, twin.getId())).toBeNull();
});

test('the most that one payment can carry can be signed, and its fee be raised [BTC-021]', async () => {
  const { node, wallet, own, first, stranger, read } = await synthetic('bitcoin');
  for (const address of [first, first, own[1]!]) node.pay(address, COIN);
  node.mine(6);
  await read();
  const most = await wallet.payableAtOnce(stranger, ALL, new Set());
  const signed = await wallet.sign(payment(stranger, most), new Set());
  expect(signed.spends).toHaveLength(3);
  expect((await wallet.raiseFee(payment(stranger, most), signed)).networkFee).toBeGreaterThan(signed.networkFee);
  const left = await wallet.payableAtOnce(stranger, ALL, new Set(signed.spends.slice(1)));
  expect(left).toBeLessThan(COIN);
  expect((await wallet.sign(payment(stranger, left), new Set(signed.spends.slice(1)))).spends).toHaveLength(1);
});

test.each(FAMILY)('%s: a payment that nodes would not pass on is never signed [BTC-022]', async (chain) => {
  const { node, wallet, first, stranger, read } = await synthetic(chain);
  node.pay(first, worth(chain, 5n));
  node.mine(7);
  await read();
  expect(wallet.leastPayment).toBe(RULES[chain].dust);
  await expect(wallet.sign(payment(stranger, wallet.leastPayment - 1n), new Set())).rejects.toThrow(PaymentTooSmall);
  expect(
    Transaction.fromHex((await wallet.sign(payment(stranger, wallet.leastPayment), new Set())).bytes).outs,
  ).toEqual(expect.arrayContaining([expect.objectContaining({ value: wallet.leastPayment })]));
});

test('what is left after the fee as dust is nothing that a payment can carry [BTC-021]', async () => {
  const { node, wallet, first, stranger, read } = await synthetic('bitcoin');
  node.pay(first, 6_500n);
  node.mine(6);
  await read();
  expect(await wallet.payableAtOnce(stranger, ALL, new Set())).toBe(0n);
});

test('a reorganisation reverts deposits and spent outputs: the node is queried each time [BTC-016]', async () => {
  const { node, wallet, first, stranger, read, own } = await synthetic('bitcoin');
  node.pay(first, COIN);
  node.mine(6);
  const before = await wallet.tip();
  const txId = node.pay(own[1]!, 5n * COIN);
  node.mine(6);
  const lost = (await wallet.blockAt(before.height + 1))!;
  expect(await wallet.incoming(lost, oursOf(own))).toEqual([
    { txId, output: 0, address: own[1], memo: '', contract: '', amount: 5n * COIN },
  ]);
  await read();
  node.undo(6, { forget: true });
  node.mine(7);
  const other = (await wallet.blockAt(lost.height)) as ChainBlock;
  expect(other.hash).not.toBe(lost.hash);
  expect(other.parentHash).toEqual(before.hash);
  await expect(wallet.incoming(lost, oursOf(own))).rejects.toThrow(ChainUnavailable);
  await read();
  expect(await wallet.holdings('')).toBe(COIN);
  await expect(wallet.sign(payment(stranger, 2n * COIN), new Set())).rejects.toThrow(HotWalletShort);
  const signed = await wallet.sign(payment(stranger, COIN / 2n), new Set());
  await wallet.send(signed);
  node.mine();
  await read();
  node.undo(1, { forget: true });
  node.mine();
  expect(await wallet.status(signed.txId)).toEqual({ state: 'unknown' });
  expect(await wallet.conflictingSpend(signed.spends, [signed.txId], 1)).toBeNull();
  await wallet.send(signed);
  node.mine();
  expect(await wallet.status(signed.txId)).toMatchObject({ state: 'mined' });
});

test('amounts keep every digit: more of the coin than a binary fraction can say [BTC-017]', async () => {
  const { node, wallet, first, read, own } = await synthetic('dogecoin');
  const huge = 9_223_372_036_854_775_807n; // 92,233,720,368.54775807 DOGE, the most that an output can be
  node.pay(first, huge);
  node.mine();
  expect((await wallet.incoming(await wallet.tip(), oursOf(own))).map(({ amount }) => amount)).toEqual([huge]);
  await read();
  expect(await wallet.holdings('')).toBe(huge);
});
