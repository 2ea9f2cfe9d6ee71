import { Injectable } from '@nestjs/common';
import { DepositCreditedV1, TOPICS, type DepositCredited } from '@bourse/events';
import { formatUnits, rescale, toUnits } from '@bourse/money';
import { Timers, type Tx } from '@bourse/persistence';
import { Clock } from '@bourse/platform';
import { Currencies } from '../../../ledger/application/currencies.js';
import { PRICE_TEXT_SCALE, Prices } from '../../shared/application/prices.js';
import { noticeCredited, noticeHeld, noticeSeen, type ShownCoin } from './deposit-notices.js';
import type { DepositRow, NewDeposit } from './ports.js';

/** Decimals of the value. */
const VALUE_SCALE = 8;
/** Retry interval for a deposit without a fresh price, business ms. */
const RETRY_INTERVAL_MS = 10_000;
const TIMER = 'deposit.value';

type Credited = Omit<DepositCredited, 'value'>;

/**
 * Publishes credited deposits with their value to other services: at once if there is a fresh price (api §6.18),
 * otherwise at the first fresh price, by a timer. A deposit does not wait for a price [TEAM-004].
 */
@Injectable()
export class DepositFacts {
  constructor(
    private readonly prices: Prices,
    private readonly timers: Timers,
    private readonly currencies: Currencies,
    private readonly clock: Clock,
  ) {
    timers.handle(TIMER, ({ payload }, tx) => this.publish(tx, payload as Credited));
  }

  /** Runs in the transaction that credits the deposit. A deposit without an owner is not published. */
  async credited(tx: Tx, row: DepositRow): Promise<void> {
    const { id, userId, currencyId, amount } = row;
    if (userId === null) return;
    noticeCredited(tx, row, this.coinOf(currencyId), this.clock.now());
    await this.publish(tx, { id, userId, currency: currencyId, amount, at: this.clock.now() });
  }

  /** Sends the personal notices of the deposits in a block. */
  seen(tx: Tx, deposits: readonly NewDeposit[]): void {
    noticeSeen(tx, deposits, (currency) => this.coinOf(currency));
  }
  /** Sends the personal notice of a deposit that is held in suspense. */
  held(tx: Tx, row: DepositRow): void {
    noticeHeld(tx, row, this.coinOf(row.currencyId), this.clock.now());
  }

  private coinOf(currency: number): ShownCoin {
    const scale = this.currencies.scaleOf(currency);
    if (scale === undefined) throw new Error(`invariant: a deposit is of coin ${currency}, which is not there`);
    return { name: this.currencies.nameOf(currency), scale };
  }

  private async publish(tx: Tx, deposit: Credited): Promise<void> {
    const usd = this.prices.fresh(deposit.currency);
    const scale = this.currencies.scaleOf(deposit.currency);
    if (usd === null || scale === undefined)
      return this.timers.set(tx, TIMER, deposit.id, this.clock.now() + RETRY_INTERVAL_MS, deposit);
    const value = rescale(toUnits(deposit.amount, scale) * usd, scale + PRICE_TEXT_SCALE, VALUE_SCALE, 'down');
    tx.emit(TOPICS.ledgerFacts, 0, DepositCreditedV1.encode({ ...deposit, value: formatUnits(value, VALUE_SCALE) }));
  }
}
