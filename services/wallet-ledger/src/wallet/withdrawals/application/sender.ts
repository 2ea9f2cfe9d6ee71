import { Logger } from '@nestjs/common';
import { Fenced, type Lease } from '@bourse/messaging';
import type { Alarms, Clock } from '@bourse/platform';
import {
  ChainUnavailable,
  FeeAboveLimit,
  HotWalletShort,
  PaymentRefused,
  PaymentTooSmall,
  type Chain,
  type Payment,
  type PaymentStatus,
  type Signature,
  type SignedPayment,
} from '../../chains/application/chain.js';
import { needsHigherFee, RAISES } from '../../chains/application/raises.js';
import { sweepsOf } from '../../chains/application/sweeps.js';
import { PAYOUT_PACE } from './payout-pace.js';
import type { OpenPayout, PayoutStore } from './ports.js';
import type { PayoutEnd, PayoutRecall, PayoutSettler } from './payouts.js';

export interface SenderParts {
  readonly chain: Chain;
  readonly store: PayoutStore;
  readonly clock: Pick<Clock, 'real'>;
  readonly alarms: Pick<Alarms, 'raise' | 'clear'>;
  /** Returns the settler that books the end of a payout, by its reference. */
  readonly settlerOf: (reference: string) => PayoutSettler;
  /**
   * Whether no new payment may go out now: booked deposits are in no block of the chain any more, or withdrawals are
   * stopped; absent: never. Signed payments are still followed.
   */
  readonly isClosed?: () => Promise<boolean>;
  /** Those of these people who are frozen and may get no new payment; null: unknown. Absent: nobody is frozen. */
  readonly frozen?: (userIds: readonly number[]) => Promise<ReadonlySet<number> | null>;
}

/**
 * Pays out on one chain, one instance at a time. A payment is signed once: its spends and bytes are stored together
 * before the first send, and every resend sends the same bytes. It may be replaced by one with the same spends and a
 * higher fee, and it has failed only when none of its signatures can be mined any more (invariants §2.7). Nothing is
 * kept in memory between rounds, so a crash at any point changes nothing.
 */
export class Sender {
  private readonly logger: Logger;

  constructor(private readonly parts: SenderParts) {
    this.logger = new Logger(`Sender of ${parts.chain.name}`);
  }

  /**
   * Processes each open payout once. @throws Fenced when the lease is lost; any other failure of one payout does not
   * affect the others.
   */
  async round(lease: Lease): Promise<void> {
    const { chain, store } = this.parts;
    const open = await store.open(chain.name, PAYOUT_PACE.openMax);
    const stuck: string[] = [];
    if (open.length === 0) return this.reportStuck(stuck);
    const reserved = new Set(await store.reserved(chain.name));
    const unsigned = open.filter(({ signatures }) => signatures.length === 0);
    const frozen = await this.frozenOf(unsigned);
    let isClosed = unsigned.length > 0 && (frozen === null || ((await this.parts.isClosed?.()) ?? false));
    for (const payout of open) {
      if (lease.signal.aborted) return;
      try {
        if (payout.signatures.length === 0 && payout.userId !== null && frozen?.has(payout.userId)) {
          await this.recall(lease, payout, { state: 'held', reason: 'frozen' });
          continue;
        }
        if (isClosed && payout.signatures.length === 0) continue;
        await (payout.signatures.length === 0
          ? this.first(lease, payout, reserved)
          : this.follow(lease, payout, reserved, stuck));
      } catch (error) {
        if (error instanceof Fenced) throw error;
        if (error instanceof ChainUnavailable) {
          this.logger.warn(`the chain is unavailable, all payouts wait: ${error.message}`);
          return;
        }
        // The price of a first signature is the network's, the same for every payment that is not signed yet.
        if (error instanceof FeeAboveLimit && payout.signatures.length === 0) isClosed = true;
        const isExpected = error instanceof HotWalletShort || error instanceof FeeAboveLimit;
        const why = isExpected ? error.message : ((error as Error).stack ?? String(error));
        this.logger.warn(`${payout.reference} waits: ${why}`);
      }
    }
    this.reportStuck(stuck);
  }

  private reportStuck(stuck: readonly string[]): void {
    const { chain, alarms } = this.parts;
    if (stuck.length === 0) return alarms.clear(stuckAlarm(chain.name));
    alarms.raise(
      stuckAlarm(chain.name),
      `${stuck.length} signed payments of ${chain.name} are refused by the node or have had their last raise of the ` +
        `fee: ${stuck.slice(0, 5).join(', ')}`,
    );
  }

  private async first(lease: Lease, payout: OpenPayout, reserved: Set<string>): Promise<void> {
    const signed = await this.signed(payout, reserved);
    if ('reason' in signed) return this.recall(lease, payout, signed);
    if (signed.spends.length === 0) throw new Error('invariant: a signature that spends nothing could be mined twice');
    // Checked once more, as late as possible: a round of many payments takes long, and a node may be slow. The bytes
    // have not left the process yet.
    if (!(await this.mayGo(payout))) return;
    await this.storeAndSend(lease, payout, signed, reserved);
  }

  /** A first signature, or why there will be none. */
  private async signed(payout: OpenPayout, reserved: Set<string>): Promise<SignedPayment | PayoutRecall> {
    try {
      return await this.parts.chain.sign(paymentOf(payout), reserved);
    } catch (error) {
      if (error instanceof PaymentTooSmall) return { state: 'unpayable', reason: error.message };
      if (error instanceof PaymentRefused) return { state: 'refused', reason: error.message };
      throw error;
    }
  }

  /** People among these payments who are frozen; null when it is unknown. */
  private async frozenOf(payouts: readonly OpenPayout[]): Promise<ReadonlySet<number> | null> {
    const people = payouts.flatMap(({ userId }) => (userId === null ? [] : [userId]));
    if (people.length === 0 || !this.parts.frozen) return new Set();
    return this.parts.frozen(people);
  }

  private async mayGo(payout: OpenPayout): Promise<boolean> {
    const frozen = await this.frozenOf([payout]);
    if (frozen === null || (payout.userId !== null && frozen.has(payout.userId))) return false;
    return !((await this.parts.isClosed?.()) ?? false);
  }

  private async recall(lease: Lease, payout: OpenPayout, outcome: PayoutRecall): Promise<void> {
    const { reference } = payout;
    if (await this.parts.store.recall(lease, payout, outcome, this.parts.settlerOf(reference)))
      this.logger.log(`${reference} is ${outcome.state}: ${outcome.reason}`);
  }

  private async follow(lease: Lease, payout: OpenPayout, reserved: Set<string>, stuck: string[]): Promise<void> {
    const { chain, store } = this.parts;
    const { signatures, reference, confirmations: needed } = payout;
    const statuses: PaymentStatus[] = [];
    for (const { txId } of signatures) statuses.push(await chain.status(txId));
    for (const [index, status] of statuses.entries()) {
      if (status.state !== 'mined') continue;
      const { txId } = signatures[index] as Signature;
      if (status.confirmations < needed)
        return store.progress(lease, reference, { txId, confirmations: status.confirmations });
      return this.end(
        lease,
        payout,
        status.success
          ? { state: 'done', txId, confirmations: status.confirmations }
          : { state: 'failed', reason: `the transaction ${txId} was refused by the chain`, txId },
      );
    }
    const winners = await this.displaced(payout, needed);
    for (const txId of winners) if (await this.adopt(lease, payout, txId)) return;
    if (winners.length > 0)
      return this.end(lease, payout, {
        state: 'failed',
        reason: `another transaction has used up its funds: ${winners.join(', ')}`,
        // Only our key can spend a nonce: the house has paid the fee of the transaction that did.
        ...(sweepsOf(chain) && { txId: winners[0] as string }),
      });
    await this.push(lease, payout, statuses.at(-1) as PaymentStatus, reserved, stuck);
  }

  /**
   * The transactions, this deep in the chain, that keep every signature of a payout from ever being mined; none while
   * one of them may still be.
   */
  private async displaced({ signatures }: OpenPayout, confirmations: number): Promise<readonly string[]> {
    const own = signatures.map(({ txId }) => txId);
    const winners = new Set<string>();
    for (const { spends } of signatures) {
      const winner = await this.parts.chain.conflictingSpend(spends, own, confirmations);
      if (winner === null) return [];
      winners.add(winner);
    }
    return [...winners];
  }

  /**
   * Stores a mined transaction that we do not hold as a signature of the payout if it makes the same payment: the
   * payout is then followed under its id. A resend of the latest bytes spends the same and pays the same.
   */
  private async adopt(lease: Lease, payout: OpenPayout, txId: string): Promise<boolean> {
    const { store, clock } = this.parts;
    const { reference, signatures } = payout;
    const networkFee = await this.parts.chain.feeIfPaid(paymentOf(payout), txId);
    if (networkFee === null) return false;
    const latest = signatures.at(-1) as Signature;
    await store.sign(lease, payout, { ...latest, txId, networkFee, attempt: signatures.length, at: clock.real() });
    this.logger.warn(`${reference} was paid by ${txId}, which was not stored`);
    return true;
  }

  /** Sends a payment that the network does not have, and raises the fee of one that waits or is refused too long. */
  private async push(
    lease: Lease,
    payout: OpenPayout,
    latestStatus: PaymentStatus,
    reserved: Set<string>,
    stuck: string[],
  ): Promise<void> {
    const { chain, clock } = this.parts;
    const { signatures, reference } = payout;
    const latest = signatures.at(-1) as Signature;
    const isLate = clock.real() - latest.at >= RAISES.afterMs;
    try {
      if (!(await needsHigherFee(chain, signatures, latestStatus, isLate))) return;
      if (signatures.length < RAISES.signaturesMax) return await this.raise(lease, payout, latest, reserved);
    } catch (error) {
      // A first refusal may pass by itself. Named until the node takes the payment, or the alarm would come and go.
      const isRefused = latestStatus.state === 'unknown' && (isLate || signatures.length > 1);
      if (isRefused && !(error instanceof ChainUnavailable)) stuck.push(reference);
      throw error;
    }
    stuck.push(reference);
  }

  private async raise(lease: Lease, payout: OpenPayout, latest: Signature, reserved: Set<string>): Promise<void> {
    const { chain } = this.parts;
    const raised = await chain.raiseFee(paymentOf(payout), latest);
    const common = raised.spends.some((spend) => payout.signatures.every(({ spends }) => spends.includes(spend)));
    if (!common)
      throw new Error(`invariant: a replacement of ${payout.reference} could be mined beside what it replaces`);
    await this.storeAndSend(lease, payout, raised, reserved);
  }

  private async storeAndSend(
    lease: Lease,
    payout: OpenPayout,
    signed: SignedPayment,
    reserved: Set<string>,
  ): Promise<void> {
    const { chain, store, clock } = this.parts;
    await store.sign(lease, payout, { ...signed, attempt: payout.signatures.length, at: clock.real() });
    for (const spend of signed.spends) reserved.add(spend);
    await chain.send(signed);
    this.logger.log(
      `${payout.reference} goes out as ${signed.txId}${payout.signatures.length > 0 ? ', at a higher fee' : ''}`,
    );
  }

  private async end(lease: Lease, payout: OpenPayout, outcome: PayoutEnd): Promise<void> {
    await this.parts.store.end(lease, payout, outcome, this.parts.settlerOf(payout.reference));
    if (outcome.state === 'failed') this.logger.warn(`${payout.reference} has failed: ${outcome.reason}`);
  }
}

/** Signed payments of a chain are refused by the node, or have had their last raise of the fee. */
export const stuckAlarm = (chain: string): string => `chain:${chain}:stuck`;

const paymentOf = ({ reference, to, memo, contract, amount, mayFail = false }: OpenPayout): Payment => ({
  reference,
  to,
  memo,
  contract,
  amount,
  mayFail,
});
