import { maxOf } from '@bourse/money';
import { getAddress, getBytes, Signature, Transaction } from 'ethers';
import type { ChainName } from '@bourse/contract';
import {
  ChainUnavailable,
  FeeAboveLimit,
  HotWalletShort,
  PaymentRefused,
  type SignedPayment,
} from '../../application/chain.js';
import type { KeyName, Signer } from '../../application/signer.js';
import { Sweeps, type Move, type SignedMove } from '../../application/sweeps.js';
import { type JsonRpc, RpcRefusal } from '../json-rpc.js';
import {
  feeOf,
  hex,
  highestCost,
  moveCall,
  nonceOf,
  nonceSpend,
  numberOf,
  TOKEN,
  type RpcBlock,
  type RpcReceipt,
} from './evm-codec.js';

/** Gas of a transfer of the coin to an address without a contract. */
const GAS_COIN = 21_000n;
/**
 * Gas for the call of a token. Also the limit of a call that the node cannot estimate because it would fail right now,
 * and that is signed nevertheless: the chain decides then, also of a coin that a contract receives.
 */
const GAS_TOKEN = 100_000n;
/** Upper limit for our own transactions: a recipient's contract must not drain the hot wallet through fees. */
const GAS_MAX = 300_000n;
const GWEI = 1_000_000_000n;
/** Tip for the block's producer when the node suggests none. */
const TIP = GWEI;

/** Fees of EIP-1559, wei per unit of gas. */
interface Price {
  readonly tip: bigint;
  readonly max: bigint;
}

/** The active keys of one EVM chain: their balances and signed transactions. Private keys stay behind the `Signer`. */
export class EvmWallet extends Sweeps {
  readonly hotAddress: string;

  /** `priceMax`: limit in wei per unit of gas; nothing is signed above it. */
  constructor(
    private readonly chain: ChainName,
    private readonly chainId: bigint,
    private readonly rpc: JsonRpc,
    private readonly signer: Signer,
    private readonly priceMax: bigint,
  ) {
    super();
    this.hotAddress = this.addressOf({ kind: 'hot' });
  }

  override addressOf(from: KeyName): string {
    return getAddress(this.signer.addressOf(this.chain, from));
  }

  override async balancesOf(addresses: readonly string[], contract: string, depth = 0): Promise<readonly bigint[]> {
    const now = await this.balances(addresses, contract, 'latest');
    if (depth === 0) return now;
    const height = numberOf(await this.rpc.call<string>('eth_blockNumber'));
    const then = await this.balances(addresses, contract, hex(Math.max(0, height - depth)));
    return now.map((amount, place) => (then[place]! < amount ? then[place]! : amount));
  }

  /**
   * Balances of many addresses in one request, in their order. `at`: a block's number in hex, `latest` or `pending`.
   */
  async balances(addresses: readonly string[], contract: string, at: string): Promise<bigint[]> {
    const calls = addresses.map((address) =>
      contract === ''
        ? { method: 'eth_getBalance', params: [address, at] }
        : {
            method: 'eth_call',
            params: [{ to: contract, data: TOKEN.encodeFunctionData('balanceOf', [address]) }, at],
          },
    );
    return (await this.rpc.all<string>(calls)).map((answer) => {
      if (!/^0x[0-9a-f]{1,64}$/i.test(answer))
        throw new ChainUnavailable(`${this.chain}: ${contract} is no token on this node`);
      return BigInt(answer);
    });
  }

  override async costOfMove(contract: string): Promise<bigint> {
    return (contract === '' ? GAS_COIN : GAS_TOKEN) * (await this.price()).max;
  }

  override async signMove(
    { from, to, contract, amount, mayFail = false }: Move,
    reserved: ReadonlySet<string>,
  ): Promise<SignedMove> {
    const sender = this.addressOf(from);
    const price = await this.price();
    const coin = await this.spendable(sender, '');
    const held = contract === '' ? coin : await this.spendable(sender, contract);
    const nonce = await this.freeNonce(sender, reserved);
    const asked = amount === 'all' ? (contract === '' ? held - GAS_COIN * price.max : held) : amount;
    if (asked <= 0n || asked > held)
      throw new HotWalletShort(
        `${this.chain}: ${sender} holds ${held}${contract === '' ? '' : ` of ${contract}`}, ` +
          `asked are ${asked > 0n ? asked : 'the rest after the fee'}`,
      );
    const call = { from: sender, ...moveCall(to, contract, asked) };
    const gas = amount === 'all' && contract === '' ? GAS_COIN : await this.gasOf(call, mayFail);
    if (coin < call.value + gas * price.max)
      throw new HotWalletShort(
        `${this.chain}: ${sender} holds ${coin}, and ${call.value} with a fee of up to ${gas * price.max} are needed`,
      );
    const signed = await this.signed(
      from,
      Transaction.from({
        type: 2,
        chainId: this.chainId,
        to: call.to,
        data: call.data,
        value: call.value,
        nonce,
        gasLimit: gas,
        maxFeePerGas: price.max,
        maxPriorityFeePerGas: price.tip,
      }),
    );
    return { ...signed, spends: [nonceSpend(sender, nonce)], amount: asked };
  }

  override async raiseMove(from: KeyName, before: SignedPayment): Promise<SignedPayment> {
    const sender = this.addressOf(from);
    const tx = Transaction.from(before.bytes).clone();
    const price = await this.price();
    // Nodes accept a replacement only if both fees are higher by a tenth (geth) or an eighth (others).
    const eighthMore = (value: bigint): bigint => (value * 9n + 7n) / 8n + 1n;
    const tip = maxOf(eighthMore(tx.maxPriorityFeePerGas ?? 0n), price.tip);
    const most = maxOf(eighthMore(tx.maxFeePerGas ?? 0n), price.max);
    if (most > this.priceMax)
      throw new FeeAboveLimit(
        `${this.chain}: a replacement would pay ${most} for a unit of gas, and at most ${this.priceMax} is allowed`,
      );
    const coin = (await this.balances([sender], '', 'latest'))[0]!;
    const short = tx.value + tx.gasLimit * most - coin;
    // A sweep that empties a deposit address has no balance left for a higher fee, so its amount is reduced. A person's
    // payment is never changed.
    const mayBringLess = from.kind === 'deposit' && tx.value > short;
    if (short > 0n && !mayBringLess)
      throw new HotWalletShort(`${this.chain}: ${sender} holds ${coin}, too little for a higher fee`);
    if (short > 0n) tx.value -= short;
    tx.signature = null;
    tx.maxPriorityFeePerGas = tip;
    tx.maxFeePerGas = most;
    return { ...(await this.signed(from, tx)), spends: before.spends };
  }

  override async feePaid(txId: string): Promise<bigint | null> {
    const receipt = await this.rpc.call<RpcReceipt | null>('eth_getTransactionReceipt', [txId]);
    return receipt && feeOf(receipt);
  }

  /**
   * The balance after all transactions known to the node, and never more than the mined balance: a payment from
   * unconfirmed funds could fail.
   */
  private async spendable(address: string, contract: string): Promise<bigint> {
    const [mined] = await this.balances([address], contract, 'latest');
    const [left] = await this.balances([address], contract, 'pending');
    return mined! < left! ? mined! : left!;
  }

  /** The lowest nonce that neither the chain nor a payment of ours has used: a gap would block all later nonces. */
  private async freeNonce(sender: string, reserved: ReadonlySet<string>): Promise<number> {
    const taken = new Set([...reserved].map((spend) => nonceOf(spend, sender)).filter((nonce) => nonce !== null));
    let nonce = numberOf(await this.rpc.call<string>('eth_getTransactionCount', [sender, 'latest']));
    while (taken.has(nonce)) nonce++;
    return nonce;
  }

  /**
   * Throws `PaymentRefused` for a call that would fail now: mined, it would cost the house its fee, and the person whom
   * it pays nothing, again and again. One that an operator has approved (`mayFail`) is signed: the chain decides, and
   * its failure is then known. A node that gives no answer, or whose error is its own (a rate limit, a missing block),
   * has refused nothing.
   */
  private async gasOf(
    call: { readonly from: string; readonly to: string; readonly data: string; readonly value: bigint },
    mayFail: boolean,
  ): Promise<bigint> {
    try {
      const estimate = BigInt(await this.rpc.call<string>('eth_estimateGas', [{ ...call, value: hex(call.value) }]));
      // A fifth more: a token call may cost more after other transfers. The cost of a plain transfer is fixed.
      const gas = estimate === GAS_COIN ? estimate : (estimate * 6n) / 5n;
      return gas > GAS_MAX ? GAS_MAX : gas;
    } catch (error) {
      if (!(error instanceof RpcRefusal) || !isFailure(error)) throw error;
      if (!mayFail)
        throw new PaymentRefused(`${this.chain}: the payment would fail now: ${shown(error.reason)}`, { cause: error });
      return GAS_TOKEN;
    }
  }

  /** Twice the base fee: enough for six full blocks in a row. */
  private async price(): Promise<Price> {
    const block = await this.rpc.call<RpcBlock>('eth_getBlockByNumber', ['latest', false]);
    if (block.baseFeePerGas === undefined)
      throw new ChainUnavailable(
        `${this.chain}: the node has no base fee; it is of before EIP-1559 or still far behind`,
      );
    const tip = await this.tip();
    const price = { tip, max: BigInt(block.baseFeePerGas) * 2n + tip };
    if (price.max > this.priceMax)
      throw new FeeAboveLimit(
        `${this.chain}: the network asks ${price.max} for a unit of gas, and at most ${this.priceMax} is allowed`,
      );
    return price;
  }

  private async tip(): Promise<bigint> {
    try {
      return maxOf(BigInt(await this.rpc.call<string>('eth_maxPriorityFeePerGas')), 1n);
    } catch (error) {
      if (error instanceof RpcRefusal) return TIP;
      throw error;
    }
  }

  private async signed(from: KeyName, tx: Transaction): Promise<Omit<SignedPayment, 'spends'>> {
    const { signature, recovery } = await this.signer.sign(this.chain, from, getBytes(tx.unsignedHash));
    tx.signature = Signature.from({
      r: hexOf(signature.subarray(0, 32)),
      s: hexOf(signature.subarray(32, 64)),
      yParity: recovery,
    });
    if (tx.from !== this.addressOf(from))
      throw new Error(`invariant: the signature is of ${tx.from}, and not of ${this.addressOf(from)}`);
    return { txId: tx.hash!, bytes: tx.serialized, networkFee: highestCost(tx) };
  }
}
const hexOf = (bytes: Uint8Array): string => `0x${Buffer.from(bytes).toString('hex')}`;

/** The code of a reverted call; nodes without it say so in words. */
const REVERTED = 3;
const FAILURE = /revert|out of gas|gas required|opcode|exception|fail/i;
const isFailure = ({ code, reason }: RpcRefusal): boolean => code === REVERTED || FAILURE.test(reason);

/** Longest refusal that is shown. */
const REASON_MAX = 200;
/** The reason of a refusal, without the characters by which its author, the recipient's contract, could deceive. */
const shown = (reason: string): string => reason.slice(0, REASON_MAX).replaceAll(/[^ -~]/g, '?');
