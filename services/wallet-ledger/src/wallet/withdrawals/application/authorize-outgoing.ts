import { Injectable } from '@nestjs/common';
import type { CurrencyRow, NetworkRow } from '@bourse/contract';
import { Asks, authAsks, FundGate } from '@bourse/messaging';
import type { Units } from '@bourse/money';
import type { Tx } from '@bourse/persistence';
import { Clock, Refused, timeText } from '@bourse/platform';
import { Settings } from '@bourse/settings';
import type { Destination } from '../../shared/domain/address/index.js';
import { approvalsFor, valueOf } from '../domain/withdrawal.js';
import { AddressStore } from '../../addresses/application/ports.js';
import { ChainHealth, demandOpen } from '../../chains/application/chain-health.js';
import { Prices } from '../../shared/application/prices.js';
import { PayoutStops } from './payout-stops.js';
import { WithdrawalStore } from './ports.js';
import { addressWaitMs, DAY_LIMIT, reviewLimits } from '../../shared/application/settings.js';
import { dayOf } from './withdrawal-view.js';

/** An amount that a person wants to send out of the exchange. */
export interface Outgoing {
  readonly currency: CurrencyRow;
  readonly network: NetworkRow;
  readonly number: Units;
  readonly destination: Destination;
}

/** The secrets by which the caller of a money-out call is verified. */
export interface GivenSecrets {
  readonly password?: string | undefined;
  readonly totpCode?: string | null | undefined;
}

/**
 * The only authorisation of money that leaves the exchange: withdrawals and returned deposits pass the same checks
 * (api §6.17, rules §8.3 to §8.6), so that neither can bypass the other's.
 */
@Injectable()
export class AuthorizeOutgoing {
  constructor(
    private readonly fund: FundGate,
    private readonly asks: Asks,
    private readonly stops: PayoutStops,
    private readonly addresses: AddressStore,
    private readonly withdrawals: WithdrawalStore,
    private readonly health: ChainHealth,
    private readonly prices: Prices,
    private readonly clock: Clock,
    private readonly settings: Settings,
  ) {}

  /**
   * Checks that the person is not frozen, then the fund password in `field`, then the authenticator if one is set up.
   * The edge has checked the freeze too; this service checks it again because it must be safe by itself.
   * @throws Refused `auth.frozen`, those of `FundGate.demand`, `login.totpRequired`, `login.totpWrong`.
   */
  async demand(
    userId: number,
    { password, totpCode = null }: GivenSecrets,
    field: 'password' | 'pay_password',
  ): Promise<void> {
    if ((await this.stops.frozen([userId])).has(userId)) throw new Refused('auth.frozen');
    await this.fund.demand(userId, password, field);
    const verdict = await this.asks.ask(authAsks.totp, { userId, code: totpCode });
    if (!verdict.ok) throw new Refused(verdict.key, {}, { field: 'totp_code' });
  }

  /**
   * Checks that the address is bound and its waiting time is over, that withdrawals are not blocked, that the chain is
   * open, and the daily limit. Returns the value in US dollars at USD_SCALE. The limit is reserved where the payment is
   * decided: only there without races.
   * @throws Refused `wallet.addressNotBound`, `wallet.addressCooling` {until}, `wallet.blocked` {until},
   * `market.stale`, `wallet.dayLimit`; Unavailable.
   */
  async authorize(userId: number, { currency, network, number, destination }: Outgoing): Promise<bigint> {
    const now = this.clock.now();
    const [{ restricted, usableAt }, { blockedUntil }, used] = await Promise.all([
      this.addresses.state(
        userId,
        { currencyId: currency.id, networkId: network.id, ...destination },
        now - addressWaitMs(this.settings),
      ),
      this.asks.ask(authAsks.withdrawals, { userId }),
      this.withdrawals.usedOn(userId, dayOf(now)),
    ]);
    if (restricted && usableAt === null) throw new Refused('wallet.addressNotBound', {}, { field: 'address' });
    if (usableAt !== null && usableAt > now)
      throw new Refused('wallet.addressCooling', { until: timeText(usableAt) }, { field: 'address' });
    if (blockedUntil !== null && blockedUntil > now)
      throw new Refused('wallet.blocked', { until: timeText(blockedUntil) });
    // An early refusal is better than hours on hold: nothing goes out while booked deposits are in no block any more.
    await demandOpen(this.health, network.chain);
    const value = await this.value(currency, number);
    if (used + value > this.settings.get(DAY_LIMIT)) throw new Refused('wallet.dayLimit', {}, { field: 'number' });
    return value;
  }

  /**
   * Value of an amount for the limits, US dollars at USD_SCALE, rounded up. @throws Refused `market.stale` without a
   * fresh index.
   */
  async value({ id, scale }: Pick<CurrencyRow, 'id' | 'scale'>, number: Units): Promise<bigint> {
    return valueOf(number, scale, await this.prices.valuation(id));
  }

  /**
   * Counts a value against a person's day, in the transaction that decides. False: it would exceed the limit, and
   * nothing is counted.
   */
  takeDay(tx: Tx, userId: number, day: string, value: bigint): Promise<boolean> {
    return this.withdrawals.takeDay(tx, userId, day, value, this.settings.get(DAY_LIMIT));
  }

  /** Number of operators that must approve this value together with that of the last 24 hours, at USD_SCALE. */
  approvals(value: bigint): 0 | 1 | 2 {
    return approvalsFor(value, reviewLimits(this.settings));
  }
}
