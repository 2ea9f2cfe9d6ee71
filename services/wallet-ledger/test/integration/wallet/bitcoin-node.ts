import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { resolve } from 'node:path';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { crypto as hashes, script as scripts, Transaction } from 'bitcoinjs-lib';
import { formatUnits } from '@bourse/money';
import { RULES, type BitcoinLike } from '../../../src/wallet/chains/networks/bitcoin/family.js';
import { scriptOfAddress } from '../../../src/wallet/chains/networks/bitcoin/script.js';

class Refusal extends Error {
  constructor(
    readonly code: number,
    message: string,
  ) {
    super(message);
  }
}
type Answers = (method: string, params: readonly unknown[]) => unknown;

/**
 * JSON-RPC as the nodes of the family speak it: errors with status 500, several calls at once, amounts as numbers with
 * eight decimals.
 */
class RpcServer {
  private constructor(
    private readonly server: Server,
    readonly url: string,
  ) {}
  static async start(answers: Answers): Promise<RpcServer> {
    const one = ({
      id,
      method,
      params,
    }: {
      id: number;
      method: string;
      params: unknown[];
    }): { id: number; result: unknown; error: unknown } => {
      try {
        return { id, result: answers(method, params), error: null };
      } catch (error) {
        if (error instanceof Refusal) return { id, result: null, error: { code: error.code, message: error.message } };
        throw error;
      }
    };
    const server = createServer((request, response) => {
      let body = '';
      request.on('data', (part) => {
        body += String(part);
      });
      request.on('end', () => {
        const asked = JSON.parse(body) as Parameters<typeof one>[0] | Parameters<typeof one>[0][];
        const answer = Array.isArray(asked) ? asked.map(one) : one(asked);
        response.writeHead(!Array.isArray(answer) && answer.error ? 500 : 200, { 'content-type': 'application/json' });
        response.end(JSON.stringify(answer).replace(/"@([-+\d.eE]+)@"/g, '$1'));
      });
    });
    await new Promise<void>((done) => {
      server.listen(0, '127.0.0.1', done);
    });
    return new RpcServer(server, `http://name:word@127.0.0.1:${(server.address() as AddressInfo).port}`);
  }
  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((done) => this.server.close(done));
  }
}

export interface StoredBlock {
  readonly hash: string;
  readonly height: number;
  readonly version: number;
  readonly merkleroot: string;
  readonly time: number;
  readonly nonce: number;
  readonly bits: string;
  readonly previousblockhash?: string;
  readonly tx: readonly {
    readonly txid: string;
    readonly hex: string;
    readonly vout: readonly {
      readonly value: string;
      readonly n: number;
      readonly scriptPubKey: { readonly hex: string };
    }[];
  }[];
}
/**
 * A published block as a node answers `getblock <hash> 2`; the README beside it says where it comes from. Amounts stay
 * text.
 */
export function storedBlock(name: string): StoredBlock {
  const text = readFileSync(resolve(import.meta.dirname, `../../fixtures/bitcoin-family/${name}.json`), 'utf8');
  return JSON.parse(text.replace(/"value": ([\d.]+)/g, '"value": "$1"')) as StoredBlock;
}

/** A node with published blocks only, which answers from the stored data. */
export async function storedNode(blocks: readonly StoredBlock[]): Promise<RpcServer> {
  const found = (hash: unknown): StoredBlock => {
    const block = blocks.find((one) => one.hash === hash);
    if (!block) throw new Refusal(-5, 'Block not found');
    return block;
  };
  const numbers = (block: StoredBlock): unknown => ({
    ...block,
    confirmations: 1,
    tx: block.tx.map((tx) => ({ ...tx, vout: tx.vout.map((output) => ({ ...output, value: `@${output.value}@` })) })),
  });
  const top = blocks.reduce((best, block) => (block.height > best.height ? block : best));
  return RpcServer.start((method, [first]) => {
    if (method === 'getblockchaininfo') return { chain: 'main', blocks: top.height, bestblockhash: top.hash };
    if (method === 'getblockhash') return (blocks.find(({ height }) => height === first) ?? found(null)).hash;
    if (method === 'getblockheader') return { ...found(first), tx: undefined };
    if (method === 'getblock') return numbers(found(first));
    if (method === 'gettxout') return null;
    throw new Refusal(-32601, 'Method not found');
  });
}

interface Block {
  readonly hash: string;
  readonly txs: readonly Transaction[];
}
interface Out {
  readonly script: Uint8Array;
  readonly value: bigint;
  readonly height: number;
  readonly coinbase: boolean;
}

/**
 * A SYNTHETIC chain: its blocks were never published, only its first one has the published hash, by which adapters
 * identify the chain. It checks transactions as nodes do: inputs present and unspent, signatures right, fees of
 * replacements high enough.
 */
export class SyntheticNode {
  private readonly blocks: Block[];
  private readonly waiting = new Map<string, Transaction>();
  private readonly foreign = new Set<string>();
  private server!: RpcServer;
  private read: { readonly state: string; readonly unspent: ReadonlyMap<string, Out> } | undefined;
  private made = 0;
  /** Estimate for a thousand bytes, smallest units. */
  rate = 10_000n;

  private constructor(private readonly chain: BitcoinLike) {
    this.blocks = [{ hash: RULES[chain].genesis, txs: [] }];
  }
  static async start(chain: BitcoinLike): Promise<SyntheticNode> {
    const node = new SyntheticNode(chain);
    node.server = await RpcServer.start((method, params) => node.answer(method, params));
    return node;
  }
  get url(): string {
    return this.server.url;
  }
  get height(): number {
    return this.blocks.length - 1;
  }
  stop(): Promise<void> {
    return this.server.stop();
  }

  /** A stranger's pending payment; `coinbase`: newly made coins, in a block at once. Returns its id. */
  pay(address: string, amount: bigint, { coinbase = false } = {}): string {
    const tx = new Transaction();
    tx.version = 2;
    tx.addInput(
      coinbase ? Buffer.alloc(32) : digest(`foreign ${++this.made}`),
      coinbase ? 0xffffffff : 0,
      undefined,
      scripts.compile([digest(String(++this.made))]),
    );
    tx.addOutput(scriptOfAddress(this.chain, address), amount);
    this.foreign.add(tx.getId());
    if (coinbase) this.add([tx]);
    else this.waiting.set(tx.getId(), tx);
    return tx.getId();
  }
  mine(blocks = 1): void {
    for (let n = 0; n < blocks; n++) {
      this.add([...this.waiting.values()]);
      this.waiting.clear();
    }
  }
  /** Takes the last blocks away; their transactions wait again, or are gone for good. */
  undo(blocks: number, { forget = false } = {}): void {
    for (const { txs } of this.blocks.splice(this.blocks.length - blocks))
      if (!forget) for (const tx of txs) this.waiting.set(tx.getId(), tx);
  }
  /** A block with exactly these transactions, whatever waits. */
  mineOnly(bytes: string): void {
    const tx = Transaction.fromHex(bytes);
    for (const [id, other] of this.waiting)
      if (other.ins.some((input) => tx.ins.some((mine) => nameOf(mine) === nameOf(input)))) this.waiting.delete(id);
    this.add([tx]);
  }
  isWaiting(txId: string): boolean {
    return this.waiting.has(txId);
  }

  private add(txs: readonly Transaction[]): void {
    this.blocks.push({
      hash: digest(`${this.blocks.at(-1)?.hash} ${++this.made} ${txs.map((tx) => tx.getId()).join()}`).toString('hex'),
      txs,
    });
  }

  /** Read once for each state: a wallet asks for each of its outputs. */
  private outputs(withWaiting: boolean): ReadonlyMap<string, Out> {
    const state = [this.blocks.at(-1)!.hash, ...(withWaiting ? this.waiting.keys() : [])].join();
    if (this.read?.state !== state) this.read = { state, unspent: this.unspent(withWaiting) };
    return this.read.unspent;
  }

  private unspent(withWaiting: boolean): Map<string, Out> {
    const unspent = new Map<string, Out>();
    const read = (tx: Transaction, height: number): void => {
      for (const input of tx.ins) unspent.delete(nameOf(input));
      tx.outs.forEach(({ script, value }, n) =>
        unspent.set(`${tx.getId()}:${n}`, { script, value, height, coinbase: tx.isCoinbase() }),
      );
    };
    this.blocks.forEach(({ txs }, height) => txs.forEach((tx) => read(tx, height)));
    if (withWaiting) for (const tx of this.waiting.values()) read(tx, this.height + 1);
    return unspent;
  }

  private answer(method: string, params: readonly unknown[]): unknown {
    const [first, second] = params;
    switch (method) {
      case 'getblockchaininfo':
        return { chain: 'main', blocks: this.height, bestblockhash: this.blocks.at(-1)!.hash };
      case 'getblockhash':
        return this.blocks[first as number]?.hash ?? refuse(-8, 'Block height out of range');
      case 'getblockheader':
        return this.header(first as string);
      case 'getblock': {
        const header = this.header(first as string);
        return {
          ...header,
          tx: this.blocks[header.height]!.txs.map((tx) => this.written(tx)),
        };
      }
      case 'gettxout': {
        const out = this.outputs(params[2] !== false).get(`${String(first)}:${second as number}`);
        return out === undefined
          ? null
          : {
              confirmations: Math.max(0, this.height - out.height + 1),
              value: `@${formatUnits(out.value, 8)}@`,
              coinbase: out.coinbase,
              scriptPubKey: { hex: Buffer.from(out.script).toString('hex') },
            };
      }
      case 'getrawtransaction':
        return this.transaction(first as string, second === 1);
      case 'estimatesmartfee':
        return { feerate: `@${formatUnits(this.rate, 8)}@`, blocks: 6 };
      case 'sendrawtransaction':
        return this.accept(Transaction.fromHex(first as string));
      default:
        return refuse(-32601, 'Method not found');
    }
  }

  private header(hash: string): {
    hash: string;
    height: number;
    confirmations: number;
    time: number;
    previousblockhash: string | undefined;
  } {
    const height = this.blocks.findIndex((block) => block.hash === hash);
    return height < 0
      ? refuse(-5, 'Block not found')
      : {
          ...{ hash, height, confirmations: this.height - height + 1, time: Math.floor(Date.now() / 1_000) },
          previousblockhash: this.blocks[height - 1]?.hash,
        };
  }

  private written(tx: Transaction): { readonly txid: string; readonly vin: unknown; readonly vout: unknown } {
    return {
      txid: tx.getId(),
      vin: tx.ins.map((input) =>
        tx.isCoinbase() ? { coinbase: '00' } : { txid: nameOf(input).split(':')[0], vout: input.index },
      ),
      vout: tx.outs.map(({ script, value }, n) => ({
        n,
        value: `@${formatUnits(value, 8)}@`,
        scriptPubKey: { hex: Buffer.from(script).toString('hex') },
      })),
    };
  }

  private transaction(txId: string, verbose: boolean): unknown {
    const height = this.blocks.findIndex(({ txs }) => txs.some((tx) => tx.getId() === txId));
    const tx = this.waiting.get(txId) ?? this.blocks[height]?.txs.find((one) => one.getId() === txId);
    if (!tx) return refuse(-5, 'No such mempool or blockchain transaction');
    if (!verbose) return tx.toHex();
    return {
      ...this.written(tx),
      hex: tx.toHex(),
      ...(height >= 0 && { blockhash: this.blocks[height]!.hash, confirmations: this.height - height + 1 }),
    };
  }

  private accept(tx: Transaction): string {
    const id = tx.getId();
    if (this.waiting.has(id)) return refuse(-27, 'txn-already-in-mempool');
    if (this.blocks.some(({ txs }) => txs.some((one) => one.getId() === id)))
      return refuse(-27, 'Transaction already in block chain');
    const mined = this.outputs(false);
    const spent = tx.ins.map((input) => mined.get(nameOf(input)) ?? refuse(-25, 'bad-txns-inputs-missingorspent'));
    tx.ins.forEach((_, place) => {
      if (!isSigned(tx, place, spent[place]!)) refuse(-26, 'mandatory-script-verify-flag-failed');
    });
    const fee = sum(spent) - sum(tx.outs);
    if (fee < BigInt(tx.virtualSize()) * RULES[this.chain].rateStep) refuse(-26, 'min relay fee not met');
    const replaced = [...this.waiting.values()].filter((other) =>
      other.ins.some((input) => tx.ins.some((mine) => nameOf(mine) === nameOf(input))),
    );
    for (const other of replaced) {
      if (other.ins.every(({ sequence }) => sequence > 0xfffffffd)) refuse(-26, 'txn-mempool-conflict');
      const paid = sum(other.ins.map((input) => mined.get(nameOf(input))!)) - sum(other.outs);
      if (fee < paid + BigInt(tx.virtualSize()) * RULES[this.chain].rateStep)
        refuse(-26, 'insufficient fee, rejecting replacement');
    }
    for (const other of replaced) this.waiting.delete(other.getId());
    this.waiting.set(id, tx);
    return id;
  }
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
const refuse = (code: number, message: string): never => {
  throw new Refusal(code, message);
};
const nameOf = ({ hash, index }: { readonly hash: Uint8Array; readonly index: number }): string =>
  `${Buffer.from(hash).reverse().toString('hex')}:${index}`;
const sum = (outputs: readonly { readonly value: bigint }[]): bigint =>
  outputs.reduce((total, { value }) => total + value, 0n);

/**
 * Whether an input carries the signature that its output demands: key hashes with and without a witness (BIP-143, and
 * the older form).
 */
export function isSigned(
  tx: Transaction,
  place: number,
  { script, value }: { readonly script: Uint8Array; readonly value: bigint },
): boolean {
  const input = tx.ins[place]!;
  const isWitness = script[0] === 0;
  const [signature, key] = isWitness ? input.witness : (scripts.decompile(input.script) as Uint8Array[]);
  const hash = isWitness ? script.subarray(2) : script.subarray(3, 23);
  if (!signature || !key || Buffer.compare(hashes.hash160(key), hash) !== 0) return false;
  const { signature: raw, hashType } = scripts.signature.decode(signature);
  const code = Uint8Array.of(0x76, 0xa9, 0x14, ...hash, 0x88, 0xac);
  const signed = isWitness
    ? tx.hashForWitnessV0(place, code, value, hashType)
    : tx.hashForSignature(place, code, hashType);
  return secp256k1.verify(raw, signed, key, { prehash: false });
}
