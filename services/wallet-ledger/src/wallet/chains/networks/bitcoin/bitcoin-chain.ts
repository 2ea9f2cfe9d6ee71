import { Psbt, Transaction } from 'bitcoinjs-lib';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { divide, pow10, maxOf } from '@bourse/money';
import { FAMILY } from '../../../shared/domain/address/bitcoin.js';
import {
  ChainUnavailable,
  ChainUnreadable,
  FeeAboveLimit,
  HotWalletShort,
  PaymentRefused,
  PaymentTooSmall,
  type ChainBlock,
  type IncomingTransfer,
  type Payment,
  type PaymentStatus,
  type SignedPayment,
} from '../../application/chain.js';
import type { OwnAddresses } from '../../application/own-addresses.js';
import { outputSpend, type OutputName, type OwnOutput, type OwnOutputs } from '../../application/own-outputs.js';
import type { KeyName, Signer } from '../../application/signer.js';
import { BLOCK, JsonRpc, RpcRefusal } from '../json-rpc.js';
import { NodeChain } from '../node-chain.js';
import { nodeAmount } from '../node-amount.js';
import {
  INPUTS_MAX,
  inputSize,
  isScattered,
  outputSize,
  OVERHEAD,
  payable,
  select,
  type Sizes,
} from './coin-selection.js';
import { networkOf, RULES, type BitcoinLike, type FamilyRules } from './family.js';
import { addressOfScript, scriptOfAddress } from './script.js';

export interface BitcoinSettings {
  readonly chain: BitcoinLike;
  /** URL of the node, with name and password. The node must index transactions (`txindex=1`) and needs no wallet. */
  readonly url: string;
  /** Depth from which an output of ours may be spent, by the current settings. */
  readonly confirmations?: () => number;
}

interface RpcOutput {
  readonly value: string;
  readonly n: number;
  readonly scriptPubKey: { readonly hex: string };
}
interface RpcInput {
  readonly txid?: string;
  readonly vout?: number;
  readonly coinbase?: string;
}
interface RpcTransaction {
  readonly txid: string;
  readonly vin: readonly RpcInput[];
  readonly vout: readonly RpcOutput[];
}
interface RpcBlock {
  readonly hash: string;
  readonly height: number;
  readonly confirmations: number;
  readonly previousblockhash?: string;
  readonly tx: readonly RpcTransaction[];
}
interface RpcHeader {
  readonly hash: string;
  readonly height: number;
  /** Seconds. */ readonly time: number;
  readonly previousblockhash?: string;
}
interface RpcUnspent {
  readonly confirmations: number;
  readonly value: string;
  readonly coinbase: boolean;
  readonly scriptPubKey: { readonly hex: string };
}
interface RpcMined {
  readonly confirmations?: number;
  readonly blockhash?: string;
}

const SCALE = 8;
/** Fee rates are estimates, and some nodes write them finer than a satoshi. */
const FEE_RATE_SCALE = 30;
const BEFORE_GENESIS = '0'.repeat(64);
/** Replaceable (BIP-125), without a lock time of its own. */
const REPLACEABLE = 0xfffffffd;
/** Coinbase outputs can be spent from the hundredth block after their own. */
const COINBASE_DEPTH = 100;
const ESTIMATED_BLOCKS = 6;
/** Error texts of nodes that already have the transaction. */
const KNOWN = /already in (block chain|utxo set|mempool)|txn-already-(known|in-mempool)|outputs already in utxo set/i;
const NOT_FOUND = -5;

/**
 * Bitcoin and its relatives (Litecoin, Dogecoin), over the RPC that their nodes share. All our addresses form one
 * wallet: payments spend outputs of deposit addresses and of the hot wallet alike, and change goes to the hot wallet,
 * so that no sweeps are needed [BTC-010].
 */
export class BitcoinChain extends NodeChain {
  readonly name: BitcoinLike;
  readonly simulated = false;
  readonly blockMs: number;
  readonly hotAddress: string;
  private readonly rpc: JsonRpc;
  private readonly rules: FamilyRules;
  private readonly isWitness: boolean;
  private readonly depth: () => number;

  constructor(
    settings: BitcoinSettings,
    private readonly signer: Signer,
    private readonly addresses: OwnAddresses,
    private readonly outputs: OwnOutputs,
  ) {
    super();
    this.name = settings.chain;
    this.rules = RULES[settings.chain];
    this.blockMs = this.rules.blockMs;
    this.isWitness = FAMILY[settings.chain].segwit !== null;
    this.depth = settings.confirmations ?? (() => 6);
    this.hotAddress = signer.addressOf(settings.chain, { kind: 'hot' });
    this.rpc = new JsonRpc(settings.url, settings.chain, true);
  }

  override get leastPayment(): bigint {
    return this.rules.dust;
  }

  override async tip(): Promise<ChainBlock> {
    return this.readNode(async () => {
      const { blocks, bestblockhash } = await this.rpc.call<{ blocks: number; bestblockhash: string }>(
        'getblockchaininfo',
      );
      const header = await this.rpc.call<RpcHeader>('getblockheader', [bestblockhash]);
      return blockOf({ ...header, height: header.height ?? blocks });
    });
  }

  override async blockAt(height: number): Promise<ChainBlock | null> {
    return this.readNode(async () => {
      const { blocks } = await this.rpc.call<{ blocks: number }>('getblockchaininfo');
      if (height > blocks) return null;
      const hash = await this.rpc.call<string>('getblockhash', [height]);
      return blockOf(await this.rpc.call<RpcHeader>('getblockheader', [hash]));
    });
  }

  override async incoming(
    { hash, height }: ChainBlock,
    ours: (addresses: readonly string[]) => Promise<ReadonlySet<string>>,
  ): Promise<readonly IncomingTransfer[]> {
    return this.readNode(async () => {
      const block = await this.rpc.call<RpcBlock>('getblock', [hash, 2], BLOCK);
      if (block.confirmations < 1) throw new ChainUnavailable(`${this.name}: block ${hash} is gone`);
      const outputs = block.tx.flatMap(({ txid, vout }) =>
        vout.flatMap(({ n, value, scriptPubKey }) => {
          const address = addressOfScript(this.name, Buffer.from(scriptPubKey.hex, 'hex'));
          return address === null ? [] : [{ txId: txid, output: n, address, value }];
        }),
      );
      const mine = await ours([...new Set(outputs.map(({ address }) => address))]);
      // Only amounts to our own addresses are parsed: an unreadable amount of another person must not stop the chain.
      const paid = outputs
        .filter(({ address }) => mine.has(address) || address === this.hotAddress)
        .map(({ value, ...output }): IncomingTransfer => ({
          ...output,
          memo: '',
          contract: '',
          amount: this.units(value),
        }))
        .filter(({ amount }) => amount > 0n);
      const received = paid.map(({ txId, output, address, amount }) => ({ txId, output, address, amount, height }));
      const spent = block.tx.flatMap(({ txid, vin }) => inputsOf(vin).map((name) => ({ ...name, by: txid })));
      await this.outputs.record(this.name, { height, received, spent });
      return paid.filter(({ address }) => mine.has(address));
    });
  }

  override async sign({ to, contract, amount }: Payment, reserved: ReadonlySet<string>): Promise<SignedPayment> {
    if (contract !== '') throw new Error(`invariant: ${this.name} has no tokens, and ${contract} was to be paid`);
    return this.readNode(async () => {
      const script = scriptOfAddress(this.name, to);
      if (amount < this.leastPayment) throw new PaymentTooSmall(`${this.name}: ${amount} is less than nodes pass on`);
      const free = await this.free(reserved);
      const [rate, sizes] = [await this.rate(), this.sizes(script)];
      const selection = select(free, amount, rate, this.rules.dust, sizes);
      // With the change that payments under way return it may suffice; else it would wait for ever. An approval changes
      // nothing (`mayFail`): there is no transaction to sign, and in review it can still be rejected.
      if (selection === null && isScattered(await this.spendable(1, 'mined'), amount, rate, this.rules.dust, sizes))
        throw new PaymentRefused(`the payment would need more than ${INPUTS_MAX} inputs now`);
      if (selection === null)
        throw new HotWalletShort(
          `${this.name}: ${sumOf(free)} are free and confirmed, in ${free.length} outputs of which one payment can ` +
            `spend ${INPUTS_MAX}; asked are ${amount} and the fee`,
        );
      return this.signed(selection.inputs, [{ script, value: amount }], selection.change);
    });
  }

  override async payableAtOnce(to: string, wanted: bigint, reserved: ReadonlySet<string>): Promise<bigint> {
    return this.readNode(async () => {
      const sizes = this.sizes(scriptOfAddress(this.name, to));
      return payable(await this.free(reserved), wanted, await this.rate(), this.rules.dust, sizes);
    });
  }

  override async raiseFee({ to, amount }: Payment, before: SignedPayment): Promise<SignedPayment> {
    return this.readNode(async () => {
      const old = Transaction.fromHex(before.bytes);
      const script = scriptOfAddress(this.name, to);
      const names = old.ins.map(({ hash, index }): OutputName => ({
        txId: Buffer.from(hash).reverse().toString('hex'),
        output: index,
      }));
      const inputs = await this.outputs.find(this.name, names);
      if (inputs.length !== names.length)
        throw new Error(`invariant: ${before.txId} spends outputs that were not recorded`);
      const sizes = this.sizes(script);
      const sum = sumOf(inputs);
      const bare = BigInt(sizes.overhead + inputs.length * sizes.input + sizes.outputs);
      const rate = await this.rate();
      // The whole fee of the replaced transaction plus one step per virtual byte, as BIP-125 demands; and at least a
      // quarter more, or the replacement would be stuck again.
      const least = (size: bigint): bigint =>
        maxOf(before.networkFee + size * this.rules.rateStep, (before.networkFee * 5n) / 4n);
      const withChange = maxOf(least(bare + BigInt(sizes.change)), (bare + BigInt(sizes.change)) * rate);
      const rest = sum - amount - withChange;
      const [size, fee, change] =
        rest >= this.rules.dust ? [bare + BigInt(sizes.change), withChange, rest] : [bare, sum - amount, 0n];
      if (fee < least(size))
        throw new HotWalletShort(`${this.name}: the change of ${before.txId} is too little for a higher fee`);
      if (fee > size * this.rules.rateMax)
        throw new FeeAboveLimit(`${this.name}: a replacement would pay more than ${this.rules.rateMax} for a byte`);
      return this.signed(inputs, [{ script, value: amount }], change);
    });
  }

  override async send({ bytes, txId }: SignedPayment): Promise<void> {
    await this.callNode(async () => {
      try {
        await this.rpc.call('sendrawtransaction', [bytes]);
      } catch (error) {
        if (!(error instanceof RpcRefusal) || !(KNOWN.test(error.reason) || (await this.known(txId)) !== null))
          throw error;
      }
    });
  }

  override async status(txId: string): Promise<PaymentStatus> {
    return this.readNode(async () => {
      const found = await this.known(txId);
      if (found === null) return { state: 'unknown' };
      if (found.blockhash === undefined) return { state: 'pending' };
      // The block has left the best chain: only sending again shows whether the transaction is pending.
      if ((found.confirmations ?? 0) < 1) return { state: 'unknown' };
      const { height } = await this.rpc.call<RpcHeader>('getblockheader', [found.blockhash]);
      return { state: 'mined', height, confirmations: found.confirmations ?? 0, success: true };
    });
  }

  override async conflictingSpend(
    spends: readonly string[],
    ownTxIds: readonly string[],
    confirmations: number,
  ): Promise<string | null> {
    return this.readNode(async () => {
      for (const spend of spends) {
        const name = nameOf(spend);
        if (name === null || (await this.unspent([name], 'mined'))[0] !== null) continue;
        const by = await this.outputs.spender(this.name, name);
        if (by === null || ownTxIds.includes(by)) continue;
        const found = await this.known(by);
        if (found !== null && (found.confirmations ?? 0) >= confirmations) return by;
      }
      return null;
    });
  }

  override async feeIfPaid({ to, amount }: Payment, txId: string): Promise<bigint | null> {
    return this.readNode(async () => {
      const { vin, vout } = await this.rpc.call<RpcTransaction>('getrawtransaction', [txId, 1]);
      const script = Buffer.from(scriptOfAddress(this.name, to)).toString('hex');
      if (!vout.some(({ value, scriptPubKey }) => scriptPubKey.hex === script && this.units(value) === amount))
        return null;
      const names = inputsOf(vin);
      const inputs = await this.outputs.find(this.name, names);
      // Somebody else's inputs have paid a part of a fee that we cannot know.
      if (inputs.length !== vin.length) return 0n;
      return sumOf(inputs) - vout.reduce((sum, { value }) => sum + this.units(value), 0n);
    });
  }

  override async holdings(contract: string): Promise<bigint> {
    if (contract !== '') return 0n;
    return this.readNode(async () => sumOf(await this.spendable(1, 'mined')));
  }

  /** Our outputs that a new payment may spend, largest first. */
  private async free(reserved: ReadonlySet<string>): Promise<OwnOutput[]> {
    const outputs = await this.spendable(this.depth(), 'with what waits');
    return outputs.filter((output) => !reserved.has(outputSpend(output)));
  }

  /** Our recorded outputs that the node confirms as unspent, at this depth at least. */
  private async spendable(depth: number, view: 'mined' | 'with what waits'): Promise<OwnOutput[]> {
    const { blocks } = await this.rpc.call<{ blocks: number }>('getblockchaininfo');
    const candidates = await this.outputs.unspent(this.name, blocks);
    const found = await this.unspent(candidates, view);
    return candidates.filter((output, place) => {
      const there = found[place] ?? null;
      if (there === null || there.confirmations < (there.coinbase ? Math.max(depth, COINBASE_DEPTH) : depth))
        return false;
      if (
        this.units(there.value) !== output.amount ||
        addressOfScript(this.name, Buffer.from(there.scriptPubKey.hex, 'hex')) !== output.address
      )
        throw new Error(`invariant: ${outputSpend(output)} is not what was recorded`);
      return true;
    });
  }

  private unspent(names: readonly OutputName[], view: 'mined' | 'with what waits'): Promise<(RpcUnspent | null)[]> {
    return this.rpc.all<RpcUnspent | null>(
      names.map(({ txId, output }) => ({ method: 'gettxout', params: [txId, output, view !== 'mined'] })),
    );
  }

  private async known(txId: string): Promise<RpcMined | null> {
    try {
      return await this.rpc.call<RpcMined>('getrawtransaction', [txId, 1]);
    } catch (error) {
      if (error instanceof RpcRefusal && error.code === NOT_FOUND) return null;
      throw error;
    }
  }

  /** Fee per virtual byte, between the limits of the chain. */
  private async rate(): Promise<bigint> {
    const { feerate } = await this.rpc.call<{ feerate?: string }>('estimatesmartfee', [ESTIMATED_BLOCKS]);
    const estimated =
      feerate === undefined || feerate.startsWith('-')
        ? 0n
        : divide(nodeAmount(feerate, FEE_RATE_SCALE) ?? 0n, 1000n * pow10(FEE_RATE_SCALE - SCALE), 'up');
    return estimated < this.rules.rateMin
      ? this.rules.rateMin
      : estimated > this.rules.rateMax
        ? this.rules.rateMax
        : estimated;
  }

  private sizes(script: Uint8Array): Sizes {
    return {
      input: inputSize(this.isWitness),
      overhead: OVERHEAD,
      outputs: outputSize(script),
      change: outputSize(scriptOfAddress(this.name, this.hotAddress)),
    };
  }

  private async signed(
    inputs: readonly OwnOutput[],
    paid: readonly { readonly script: Uint8Array; readonly value: bigint }[],
    change: bigint,
  ): Promise<SignedPayment> {
    const psbt = new Psbt({ network: networkOf(this.name) });
    for (const input of inputs) {
      const script = scriptOfAddress(this.name, input.address);
      // A witness signature covers the amount; any other needs the whole previous transaction to prove it.
      const proof = this.isWitness
        ? { witnessUtxo: { script, value: input.amount } }
        : { nonWitnessUtxo: Buffer.from(await this.rpc.call<string>('getrawtransaction', [input.txId, 0]), 'hex') };
      psbt.addInput({ hash: input.txId, index: input.output, sequence: REPLACEABLE, ...proof });
    }
    for (const output of paid) psbt.addOutput(output);
    if (change > 0n) psbt.addOutput({ script: scriptOfAddress(this.name, this.hotAddress), value: change });
    const keys = await this.keysOf(inputs);
    for (const [place, { address }] of inputs.entries()) {
      const key = keys.get(address);
      if (key === undefined) throw new Error(`invariant: the key of ${address} is unknown`);
      await psbt.signInputAsync(place, {
        publicKey: this.signer.publicKey(this.name, key),
        sign: async (digest) => (await this.signer.sign(this.name, key, digest)).signature,
      });
    }
    if (
      !psbt.validateSignaturesOfAllInputs((publicKey, digest, signature) =>
        secp256k1.verify(signature, digest, publicKey, { prehash: false }),
      )
    )
      throw new Error(`invariant: a signature of ${this.name} is wrong`);
    const tx = psbt.finalizeAllInputs().extractTransaction(true);
    const fee = sumOf(inputs) - tx.outs.reduce((sum, { value }) => sum + value, 0n);
    return { txId: tx.getId(), bytes: tx.toHex(), spends: inputs.map(outputSpend), networkFee: fee };
  }

  private async keysOf(outputs: readonly OwnOutput[]): Promise<ReadonlyMap<string, KeyName>> {
    const found = await this.addresses.find(this.name, [...new Set(outputs.map(({ address }) => address))]);
    return new Map<string, KeyName>([
      [this.hotAddress, { kind: 'hot' }],
      ...found.map(({ address, index }): [string, KeyName] => [address, { kind: 'deposit', index }]),
    ]);
  }

  private units(value: string): bigint {
    const units = nodeAmount(value, SCALE);
    if (units === null) throw new ChainUnreadable(`${this.name}: the node wrote an amount that is none: ${value}`);
    return units;
  }

  protected override async checkNode(): Promise<void> {
    const genesis = await this.rpc.call<string>('getblockhash', [0]);
    if (genesis !== this.rules.genesis)
      throw new ChainUnavailable(`${this.name}: the node is of another chain; its first block is ${genesis}`);
  }
}
const blockOf = ({ height, hash, previousblockhash, time }: RpcHeader): ChainBlock => ({
  height,
  hash,
  parentHash: previousblockhash ?? BEFORE_GENESIS,
  at: time * 1_000,
});

/** The outputs that these inputs spend. */
const inputsOf = (vin: readonly RpcInput[]): OutputName[] =>
  vin.flatMap(({ txid, vout }) => (txid === undefined || vout === undefined ? [] : [{ txId: txid, output: vout }]));
const sumOf = (outputs: readonly OwnOutput[]): bigint => outputs.reduce((sum, { amount }) => sum + amount, 0n);

function nameOf(spend: string): OutputName | null {
  const match = /^output:([0-9a-f]{64}):(\d+)$/.exec(spend);
  return match === null ? null : { txId: match[1]!, output: Number(match[2]) };
}
