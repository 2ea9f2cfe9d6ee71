import { createHash } from 'node:crypto';
import type { ChainName } from '@bourse/contract';
import {
  Chain,
  ChainUnavailable,
  HotWalletShort,
  type ChainBlock,
  type IncomingTransfer,
  type Payment,
  type PaymentStatus,
  type SignedPayment,
} from '../../application/chain.js';
import { hashOf, type SimulatedBlocks } from './simulated-blocks.js';

/** Fee of a payment, in smallest units of the coin. */
const FEE = 1_000n;
/** First balance of the house in each coin, in whole coins. */
const GENESIS = 100_000_000n;

export interface SimulatedSettings {
  readonly chain: ChainName;
  /** The address that pays. */
  readonly hotAddress: string;
  /** Decimals of the chain's assets: the coin under the empty name, tokens under their contract. */
  readonly scales: ReadonlyMap<string, number>;
}
interface TransferRow {
  readonly tx_id: string;
  readonly output: number;
  readonly address: string;
  readonly memo: string;
  readonly contract: string;
  readonly amount: string;
}
interface Signed extends Omit<Payment, 'amount'> {
  readonly amount: string;
  readonly nonce: number;
  readonly fee: string;
}

/**
 * A chain of a demo install: blocks, payments in and out, nonces, replaced fees and forks, all in tables of this
 * service; its coins are worthless.
 */
export class SimulatedChain extends Chain {
  readonly name: ChainName;
  readonly simulated = true;
  readonly blockMs = 2_000;

  constructor(
    private readonly settings: SimulatedSettings,
    private readonly blocks: SimulatedBlocks,
  ) {
    super();
    this.name = settings.chain;
  }

  override async tip(): Promise<ChainBlock> {
    const { height, forks } = await this.blocks.tip(this.name);
    return this.block(height, forks);
  }

  override async blockAt(height: number): Promise<ChainBlock | null> {
    const tip = await this.blocks.tip(this.name);
    return height < 0 || height > tip.height ? null : this.block(height, tip.forks);
  }

  override async quietUntil(from: number): Promise<number> {
    // The tip is read first: later payments go into a block above it.
    const { height, last } = await this.blocks.tip(this.name);
    if (last <= from) return Math.max(from, height);
    const [row] = await this.blocks.database.query<{ next: string | null }>(
      'select min(height) as next from sim_transfer where chain = $1 and height > $2',
      [this.name, from],
    );
    return Math.max(from, Math.min(height, row?.next ? Number(row.next) - 1 : height));
  }

  override async incoming(
    block: ChainBlock,
    ours: (addresses: readonly string[]) => Promise<ReadonlySet<string>>,
  ): Promise<readonly IncomingTransfer[]> {
    const rows = await this.blocks.database.query<TransferRow>(
      `select tx_id, output, address, memo, contract, amount::text
        from sim_transfer
        where chain = $1 and height = $2 and success
        order by number`,
      [this.name, block.height],
    );
    const now = await this.blockAt(block.height);
    if (now?.hash !== block.hash) throw new ChainUnavailable(`${this.name}: block ${block.hash} is gone`);
    const mine = await ours([...new Set(rows.map(({ address }) => address))]);
    return rows
      .filter(({ address }) => mine.has(address))
      .map(({ tx_id, output, address, memo, contract, amount }) => ({
        txId: tx_id,
        output,
        address,
        memo,
        contract,
        amount: BigInt(amount),
      }));
  }

  override async sign(payment: Payment, reserved: ReadonlySet<string>): Promise<SignedPayment> {
    if (
      (await this.holdings(payment.contract)) < payment.amount + (payment.contract === '' ? FEE : 0n) ||
      (await this.holdings('')) < FEE
    )
      throw new HotWalletShort(`${this.name}: the hot wallet does not hold ${payment.amount}`);
    const [row] = await this.blocks.database.query<{ next: string }>(
      'select coalesce(max(nonce) + 1, 0) as next from sim_transfer where chain = $1',
      [this.name],
    );
    let nonce = Number(row?.next ?? 0);
    while (reserved.has(this.spend(nonce))) nonce += 1;
    return this.signed(payment, nonce, FEE);
  }

  override async raiseFee(payment: Payment, signed: SignedPayment): Promise<SignedPayment> {
    return this.signed(payment, read(signed).nonce, signed.networkFee * 2n);
  }

  override async send(signed: SignedPayment): Promise<void> {
    const { to, memo, contract, amount, nonce, fee } = read(signed);
    await this.blocks.pay(this.name, {
      txId: signed.txId,
      output: this.plainOutput(contract),
      address: to,
      memo,
      contract,
      amount: BigInt(amount),
      nonce,
      fee: BigInt(fee),
    });
  }

  override async status(txId: string): Promise<PaymentStatus> {
    const [row] = await this.blocks.database.query<{ height: string | null; success: boolean }>(
      'select height, success from sim_transfer where chain = $1 and tx_id = $2',
      [this.name, txId],
    );
    if (!row?.height) return { state: 'unknown' };
    const { height: tip } = await this.blocks.tip(this.name);
    const height = Number(row.height);
    return height > tip
      ? { state: 'pending' }
      : { state: 'mined', height, confirmations: tip - height + 1, success: row.success };
  }

  override async conflictingSpend(
    spends: readonly string[],
    ownTxIds: readonly string[],
    confirmations: number,
  ): Promise<string | null> {
    const { height } = await this.blocks.tip(this.name);
    const nonces = spends.map((spend) => Number(spend.slice(spend.lastIndexOf(':') + 1)));
    const [row] = await this.blocks.database.query<{ tx_id: string }>(
      'select tx_id from sim_transfer where chain = $1 and nonce = any($2) and height <= $3 and not tx_id = any($4)',
      [this.name, nonces, height - confirmations + 1, ownTxIds],
    );
    return row?.tx_id ?? null;
  }

  override async feeIfPaid({ to, memo, contract, amount }: Payment, txId: string): Promise<bigint | null> {
    const [row] = await this.blocks.database.query<{ fee: string }>(
      `select fee::text from sim_transfer
        where chain = $1 and tx_id = $2 and address = $3 and memo = $4 and contract = $5 and amount = $6 and success`,
      [this.name, txId, to, memo, contract, amount.toString()],
    );
    return row ? BigInt(row.fee) : null;
  }

  override async holdings(contract: string): Promise<bigint> {
    const scale = this.settings.scales.get(contract);
    if (scale === undefined) return 0n;
    const { height } = await this.blocks.tip(this.name);
    const [row] = await this.blocks.database.query<{ came: string; went: string; fees: string }>(
      `select
        coalesce(sum(amount) filter (where success and contract = $2
            and (address = $3
              or exists (select from deposit_address a where a.chain = t.chain and a.address = t.address))),
          0)::text as came,
        coalesce(sum(amount) filter (where success and contract = $2 and nonce is not null), 0)::text as went,
          coalesce(sum(fee), 0)::text as fees
      from sim_transfer t where chain = $1 and height <= $4`,
      [this.name, contract, this.settings.hotAddress, height],
    );
    return (
      GENESIS * 10n ** BigInt(scale) +
      BigInt(row?.came ?? 0) -
      BigInt(row?.went ?? 0) -
      (contract === '' ? BigInt(row?.fees ?? 0) : 0n)
    );
  }

  /** Index of the payment in its transaction, as this chain counts (`IncomingTransfer.output`). */
  plainOutput(contract: string): number {
    return contract === '' && isAccountChain(this.name) ? -1 : 0;
  }

  private signed({ reference, to, memo, contract, amount }: Payment, nonce: number, fee: bigint): SignedPayment {
    const content: Signed = { reference, to, memo, contract, amount: amount.toString(), nonce, fee: fee.toString() };
    const bytes = JSON.stringify(content);
    return { txId: txIdOf(this.name, bytes), bytes, spends: [this.spend(nonce)], networkFee: fee };
  }

  private spend(nonce: number): string {
    return `nonce:${this.settings.hotAddress}:${nonce}`;
  }

  private block(height: number, forks: Parameters<typeof hashOf>[2]): ChainBlock {
    const [hash, parentHash] = [hashOf(this.name, height, forks), hashOf(this.name, height - 1, forks)];
    return { height, hash, parentHash, at: null };
  }
}

const read = ({ bytes }: SignedPayment): Signed => JSON.parse(bytes) as Signed;
const isAccountChain = (chain: ChainName): boolean => chain === 'ethereum' || chain === 'tron' || chain === 'ripple';

/** Id of a transaction in the chain's format, derived from its content. */
export function txIdOf(chain: ChainName, content: string): string {
  const hash = createHash('sha256').update(`${chain}|${content}`).digest('hex');
  return chain === 'ethereum' ? `0x${hash}` : chain === 'ripple' ? hash.toUpperCase() : hash;
}
