import { Injectable } from '@nestjs/common';
import { toUnits, formatUnits, type Units } from '@bourse/money';
import { AnswerStore, type Tx } from '@bourse/persistence';
import { Clock, Config, Notice, readId, readText, Refused, type CallContext, type FieldRecord } from '@bourse/platform';
import { destinationOf } from '../../domain/address/index.js';
import { chargeOf, payableOf } from '../../domain/withdrawal.js';
import { Currencies } from '../currencies.js';
import { FundGate } from '../fund-gate.js';
import { Networks } from '../networks.js';
import { WalletDatabase } from '../wallet-database.js';
import { Payouts, type PayoutOutcome } from '../withdrawals/payouts.js';
import { WITHDRAWAL_SETTINGS } from '../withdrawals/settings.js';
import { emitDeposit } from './confirm-deposit.js';
import { DepositStore } from './ports.js';

const ADDRESS_MAX = 200;
const KIND = 'deposit';

/** Name of a payment back: each try has its own, so that one that failed is never taken for the next. */
const returnReference = (id: string, attempt: number): string =>
  attempt === 1 ? `${KIND}:${id}` : `${KIND}:${id}:${attempt}`;

/** Sends a deposit that is too small for credit back to a person, less the network's fee (rules §8.3). */
@Injectable()
export class ReturnDeposit {
  constructor(
    private readonly database: WalletDatabase,
    private readonly store: DepositStore,
    private readonly payouts: Payouts,
    private readonly answers: AnswerStore,
    private readonly fund: FundGate,
    private readonly networks: Networks,
    private readonly currencies: Currencies,
    private readonly clock: Clock,
    private readonly config: Config,
  ) {
    this.payouts.settle(KIND, (tx, reference, outcome) => this.settle(tx, reference.split(':')[1] ?? '', outcome));
  }

  /** @throws Refused `common.fieldRequired`, the fund password's, `common.notFound` for what is not a held deposit of the caller, `wallet.addressInvalid`. */
  async execute(userId: number, fields: FieldRecord, context: CallContext): Promise<Notice> {
    return (await this.answers.once(context, async () => {
      const id = readId(fields, 'id');
      const text = readText(fields, 'address', 'common.fieldRequired', { max: ADDRESS_MAX });
      await this.fund.demand(userId, fields);
      const seen = await this.store.one(userId, id);
      if (!seen) throw new Refused('common.notFound', {}, { field: 'id' });
      return this.database.transaction(async (tx) => {
        // A deposit that arrives now may credit this one: one after the other.
        await this.store.alone(tx, userId, seen.currencyId);
        const notice = await this.decide(tx, id, text);
        if (context.hasKey && context.commandId !== null) await this.answers.record(tx, context.commandId, notice);
        return notice;
      });
    })) as Notice;
  }

  private async decide(tx: Tx, id: string, text: string): Promise<Notice> {
    const row = await this.store.lock(tx, id);
    if (row?.state !== 'held' || row.height === null) throw new Refused('common.notFound', {}, { field: 'id' });
    const network = this.networks.byId(row.networkId);
    const scale = this.currencies.scaleOf(row.currencyId);
    if (!network || scale === undefined)
      throw new Error(`invariant: deposit ${id} is of a coin or network that is not there`);
    const judged = destinationOf(network, text, '');
    if (!judged.ok) throw new Refused('wallet.addressInvalid', {}, { field: 'address' });
    const { address, memo } = judged.destination;
    const amount = toUnits(row.amount, scale);
    const { received } = chargeOf(
      amount,
      toUnits(network.feeRate, WITHDRAWAL_SETTINGS.rateScale),
      WITHDRAWAL_SETTINGS.rateScale,
    );
    const { onChain, gone } = payableOf(received, scale, network.chainScale);
    if (onChain <= 0n) throw new Refused('common.notFound', {}, { field: 'id' });
    const fee = (amount - gone) as Units;
    if (
      !(await this.store.move(tx, id, 'held', 'returning', {
        at: this.clock.now(),
        return: { address, memo, fee: formatUnits(fee, scale) },
      }))
    )
      throw new Error(`invariant: deposit ${id} was locked and is no longer held`);
    await this.payouts.enqueue(tx, {
      reference: returnReference(id, row.returnAttempts + 1),
      chain: network.chain,
      to: address,
      memo,
      contract: network.contractAddress,
      amount: onChain,
      confirmations: network.confirmations,
    });
    return new Notice(
      'wallet.depositReturned',
      {},
      { amount: formatUnits(gone, scale), coin: this.currencies.nameOf(row.currencyId) },
    );
  }

  /** The end of its payment, in the transaction that ends the payout. One that cannot be carried out leaves the money in suspense, and the person may ask again. */
  private async settle(tx: Tx, id: string, outcome: PayoutOutcome): Promise<void> {
    const row = await this.store.lock(tx, id);
    if (row?.state !== 'returning')
      throw new Error(`invariant: deposit ${id} was paid back and is ${row?.state ?? 'not there'}`);
    const at = this.clock.now();
    if (outcome.state === 'failed') {
      await this.store.move(tx, id, 'returning', 'held', { at });
      return;
    }
    const scale = this.currencies.scaleOf(row.currencyId);
    if (scale === undefined) throw new Error(`invariant: deposit ${id} is of a coin that is not there`);
    const fee = toUnits(row.returnFee, scale);
    const gone = formatUnits(toUnits(row.amount, scale) - fee, scale);
    await this.store.move(tx, id, 'returning', 'returned', { at, returnTxId: outcome.txId });
    emitDeposit(tx, this.config.ledgerPartitions, row, {
      transition: 'return',
      legs: [
        { from: 'h.suspense', to: 'h.outside', currency: row.currencyId, amount: gone },
        ...(fee > 0n
          ? [{ from: 'h.suspense', to: 'h.fees', currency: row.currencyId, amount: row.returnFee, fee: true }]
          : []),
      ],
    });
  }
}
