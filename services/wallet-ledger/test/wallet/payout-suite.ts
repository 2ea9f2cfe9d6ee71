import { Fenced, type Lease } from '@bourse/messaging';
import type { Tx } from '@bourse/persistence';
import {
  Chain,
  ChainUnavailable,
  FeeAboveLimit,
  HotWalletShort,
  PaymentRefused,
  PaymentTooSmall,
  type ChainBlock,
  type IncomingTransfer,
  type Payment,
  type PaymentStatus,
  type Signature,
  type SignedPayment,
} from '../../src/wallet/chains/application/chain.js';
import type {
  NewPayout,
  PayoutEnd,
  PayoutRecall,
  PayoutSettler,
} from '../../src/wallet/withdrawals/application/payouts.js';
import { PayoutStore, type OpenPayout } from '../../src/wallet/withdrawals/application/ports.js';

/*
 * Environment of the sender's tests: a network that outlives every crash and keeps the whole truth, payouts in memory,
 * and processes that die between any two steps.
 */

/** A transaction as the network knows it. */
interface Known {
  readonly txId: string;
  readonly nonce: number;
  readonly fee: bigint;
  readonly reference: string;
  readonly success: boolean;
}

/** Blocks, its own included, after which a payment is final. */
export const CONFIRMATIONS = 3;

/**
 * A network of one account with nonces: remembers every send, mines, forgets, forks. No two signatures are ever the
 * same transaction. Forks never drop a block that had `CONFIRMATIONS` blocks.
 */
export class FakeNetwork {
  readonly sends: string[] = [];
  readonly blocks: Known[][] = [];
  private finalBlocks = 0;
  private readonly pool = new Map<string, Known>();
  /** How many signatures were ever made, stored or not. */
  signatures = 0;
  /** The node does not answer. */
  away = false;
  /** The hot wallet holds too little for anything. */
  short = false;
  /** Nodes take no payment with a lower fee. */
  minimum = 0n;
  /** Payments, by their reference, whose fee would be above the limit. */
  dear: ReadonlySet<string> = new Set();
  /** Nodes pass on no smaller payment. */
  least = 1n;
  /** Payments, by their reference, that would be mined and move nothing: the node says so when it is asked. */
  refused: ReadonlySet<string> = new Set();
  /** Whether payments mined from now on are refused by the chain and move nothing. */
  refusing = false;

  mined(): readonly Known[] {
    return this.blocks.flat();
  }
  waiting(): Known[] {
    return [...this.pool.values()];
  }
  /** Whether pending payments cannot be mined, because an earlier nonce is missing. */
  gap(): boolean {
    return this.pool.size > 0 && !this.waiting().some(({ nonce }) => nonce === this.mined().length);
  }
  /** Successful payments in blocks, by their reference. */
  paid(reference: string): number {
    return this.mined().filter((one) => one.reference === reference && one.success).length;
  }
  nextSignature(): number {
    return ++this.signatures;
  }

  receive(one: Omit<Known, 'success'>): void {
    this.sends.push(one.txId);
    if (this.mined().some(({ txId }) => txId === one.txId)) return;
    if (this.mined().some(({ nonce }) => nonce === one.nonce)) throw new Error('nonce too low');
    if (one.fee < this.minimum) throw new Error('mempool min fee not met');
    const rival = this.waiting().find(({ nonce }) => nonce === one.nonce);
    if (rival && rival.txId !== one.txId) {
      if (rival.fee >= one.fee) throw new Error('replacement underpriced');
      this.pool.delete(rival.txId);
    }
    this.pool.set(one.txId, { ...one, success: true });
  }

  /** A block with everything that waits, lowest nonces first and without gaps; empty when nothing may go in. */
  mine(): void {
    const block: Known[] = [];
    let next = this.mined().length;
    for (const one of this.waiting().sort((a, b) => a.nonce - b.nonce)) {
      if (one.nonce !== next) continue;
      block.push({ ...one, success: !this.refusing });
      this.pool.delete(one.txId);
      next += 1;
    }
    this.append(block);
  }

  /** Every node forgets its pending payments. */
  forget(): void {
    this.pool.clear();
  }

  /** Drops the last `depth` blocks, but no final one; their payments are pending again, or lost. */
  fork(depth: number, lost: boolean): void {
    for (const one of this.blocks.splice(Math.max(this.finalBlocks, this.blocks.length - depth)).flat())
      if (!lost) this.pool.set(one.txId, { ...one, success: true });
  }

  /** Somebody with the same key pays something else out of the next nonce. */
  foreign(): void {
    const nonce = this.mined().length;
    const rival = this.waiting().find((one) => one.nonce === nonce);
    if (rival) this.pool.delete(rival.txId);
    this.append([{ txId: `foreign-${this.nextSignature()}`, nonce, fee: 1_000n, reference: 'foreign', success: true }]);
  }

  /** The next payment is mined under another id: its signature has another form, and pays the same. */
  twin(): void {
    const one = this.waiting().find(({ nonce }) => nonce === this.mined().length);
    if (!one) return;
    this.pool.delete(one.txId);
    this.append([{ ...one, txId: `twin-${this.nextSignature()}` }]);
  }

  private append(block: Known[]): void {
    this.blocks.push(block);
    this.finalBlocks = Math.max(this.finalBlocks, this.blocks.length - CONFIRMATIONS + 1);
  }
}

/** The chain as an adapter shows it; keeps nothing. */
export class FakeChain extends Chain {
  readonly name = 'ethereum' as const;
  readonly simulated = true;
  readonly blockMs = 12_000;
  constructor(readonly network: FakeNetwork) {
    super();
  }
  override get leastPayment(): bigint {
    return this.network.least;
  }

  override tip(): Promise<ChainBlock> {
    return Promise.reject(new Error('the sender reads no blocks'));
  }
  override blockAt(): Promise<ChainBlock | null> {
    return this.tip();
  }
  override incoming(): Promise<readonly IncomingTransfer[]> {
    return Promise.resolve([]);
  }
  override holdings(): Promise<bigint> {
    return Promise.resolve(0n);
  }

  override async sign(payment: Payment, reserved: ReadonlySet<string>): Promise<SignedPayment> {
    this.reach();
    if (payment.amount < this.leastPayment) throw new PaymentTooSmall(`${payment.amount} is less than nodes pass on`);
    if (this.network.refused.has(payment.reference) && payment.mayFail !== true)
      throw new PaymentRefused('the payment would fail now: execution reverted');
    this.afford(payment);
    if (this.network.short) throw new HotWalletShort('too little is there');
    let nonce = this.network.mined().length;
    while (reserved.has(`nonce:hot:${nonce}`)) nonce += 1;
    return this.signed(payment, nonce, 1n);
  }
  override async raiseFee(payment: Payment, signed: SignedPayment): Promise<SignedPayment> {
    this.reach();
    this.afford(payment);
    return this.signed(payment, nonceOf(signed), signed.networkFee * 2n);
  }
  override async send(signed: SignedPayment): Promise<void> {
    this.reach();
    this.network.receive({
      txId: signed.txId,
      nonce: nonceOf(signed),
      fee: signed.networkFee,
      reference: signed.bytes,
    });
  }
  override async status(txId: string): Promise<PaymentStatus> {
    this.reach();
    const at = this.network.blocks.findIndex((block) => block.some((one) => one.txId === txId));
    if (at >= 0)
      return {
        state: 'mined',
        height: at,
        confirmations: this.network.blocks.length - at,
        success: this.network.blocks[at]?.find((one) => one.txId === txId)?.success ?? false,
      };
    return { state: this.network.waiting().some((one) => one.txId === txId) ? 'pending' : 'unknown' };
  }
  override async conflictingSpend(
    spends: readonly string[],
    ownTxIds: readonly string[],
    confirmations: number,
  ): Promise<string | null> {
    this.reach();
    const deep = this.network.blocks.slice(0, Math.max(0, this.network.blocks.length - confirmations + 1)).flat();
    return (
      deep.find(({ nonce, txId }) => spends.includes(`nonce:hot:${nonce}`) && !ownTxIds.includes(txId))?.txId ?? null
    );
  }

  override async feeIfPaid({ reference }: Payment, txId: string): Promise<bigint | null> {
    this.reach();
    const same = this.network.mined().find((one) => one.txId === txId && one.reference === reference && one.success);
    return same?.fee ?? null;
  }

  private reach(): void {
    if (this.network.away) throw new ChainUnavailable('the node is away');
  }
  private afford({ reference }: Payment): void {
    if (this.network.dear.has(reference)) throw new FeeAboveLimit('the network asks too much');
  }
  private signed({ reference }: Payment, nonce: number, fee: bigint): SignedPayment {
    return {
      txId: `tx-${this.network.nextSignature()}`,
      bytes: reference,
      spends: [`nonce:hot:${nonce}`],
      networkFee: fee,
    };
  }
}
const nonceOf = ({ spends }: SignedPayment): number => Number((spends[0] ?? '').split(':')[2]);

/** Payouts in memory, with the same refusals as the tables. */
export class MemoryPayouts extends PayoutStore {
  readonly rows = new Map<
    string,
    { readonly payout: NewPayout; state: 'waiting' | 'signed' | 'done' | 'failed'; readonly signatures: Signature[] }
  >();
  private readonly spends = new Map<string, string>();
  epoch = 1;

  async enqueue(_: Tx, payout: NewPayout): Promise<void> {
    if (!this.rows.has(payout.reference)) this.rows.set(payout.reference, { payout, state: 'waiting', signatures: [] });
  }
  async open(): Promise<readonly OpenPayout[]> {
    return [...this.rows.values()]
      .filter(({ state }) => state === 'waiting' || state === 'signed')
      .map(({ payout, signatures }) => ({ ...payout, signatures: [...signatures] }));
  }
  ofHouse(): Promise<never> {
    return Promise.reject(new Error('the sender asks for all payouts'));
  }
  owed(): Promise<never> {
    return this.ofHouse();
  }
  async reserved(): Promise<ReadonlySet<string>> {
    return new Set(
      [...this.spends].filter(([, reference]) => this.rows.get(reference)?.state === 'signed').map(([spend]) => spend),
    );
  }
  async sign(lease: Lease, { reference }: { readonly reference: string }, signature: Signature): Promise<void> {
    const row = this.behind(lease, reference, signature.attempt === 0 ? 'waiting' : 'signed');
    if (row.signatures.length !== signature.attempt)
      throw new Error(`${reference} has ${row.signatures.length} signatures`);
    if (signature.spends.some((spend) => (this.spends.get(spend) ?? reference) !== reference))
      throw new Error(`${reference} would spend what another payout has signed for`);
    for (const spend of signature.spends) this.spends.set(spend, reference);
    row.signatures.push(signature);
    row.state = 'signed';
  }
  async progress(lease: Lease, reference: string): Promise<void> {
    this.behind(lease, reference, 'signed');
  }
  async end(
    lease: Lease,
    { reference }: { readonly reference: string },
    outcome: PayoutEnd,
    settler: PayoutSettler,
  ): Promise<void> {
    const row = this.behind(lease, reference, 'signed');
    await settler(undefined as unknown as Tx, reference, outcome);
    row.state = outcome.state;
    if (outcome.state === 'failed')
      for (const [spend, of] of this.spends) if (of === reference) this.spends.delete(spend);
  }

  async recall(
    lease: Lease,
    { reference }: { readonly reference: string },
    outcome: PayoutRecall,
    settler: PayoutSettler,
  ): Promise<boolean> {
    if (lease.epoch !== this.epoch) throw new Fenced('another instance has taken the lease');
    if (this.rows.get(reference)?.state !== 'waiting') return false;
    await settler(undefined as unknown as Tx, reference, outcome);
    this.rows.delete(reference);
    return true;
  }

  private behind(lease: Lease, reference: string, state: string): NonNullable<ReturnType<typeof this.rows.get>> {
    if (lease.epoch !== this.epoch) throw new Fenced('another instance has taken the lease');
    const row = this.rows.get(reference);
    if (row?.state !== state) throw new Error(`${reference} is ${row?.state}`);
    return row;
  }
}

/** The process is gone: nothing it awaits comes back. */
export class Killed extends Error {}

/** Counts the steps of one process over all that it touches, and ends it before or after one of them. */
export class FaultInjector {
  steps = 0;
  private dead = false;
  constructor(
    private readonly at: number = Number.POSITIVE_INFINITY,
    private readonly afterwards: boolean = false,
  ) {}

  get blown(): boolean {
    return this.dead;
  }

  /** The same object, as this process sees it. */
  through<T extends object>(target: T): T {
    return new Proxy(target, {
      get: (object, name, receiver) => {
        const value: unknown = Reflect.get(object, name, receiver);
        if (typeof value !== 'function') return value;
        return async (...args: unknown[]) => {
          this.check();
          this.steps += 1;
          if (this.steps === this.at && !this.afterwards) this.dead = true;
          this.check();
          const result: unknown = await Reflect.apply(value, object, args);
          if (this.steps === this.at && this.afterwards) this.dead = true;
          this.check();
          return result;
        };
      },
    });
  }

  private check(): void {
    if (this.dead) throw new Killed('the process was killed');
  }
}
