import { Injectable } from '@nestjs/common';
import { pointsCoins, pointsPrice, POINTS_PAID_SCALE } from '@bourse/formulas';
import { Commands, isHouseShort, Sagas, type Saga } from '@bourse/ledger-client';
import { FundGate } from '@bourse/messaging';
import { formatTrimmed, rescale } from '@bourse/money';
import { Clock, Notice, Refused, type CallContext, type Caller, type WrittenAmount, Ids } from '@bourse/platform';
import { dayOf, freePoints, givenBack, taken, POINTS_SCALE } from '../domain/points-account.js';
import { leastPoints, type PointsExchange } from '../domain/points-exchange.js';
import { exchangeOrder } from './points-journals.js';
import { PointsStore } from './points-ports.js';
import { PointsViews } from './points-views.js';

/** Fields of an exchange, in the order in which they are refused. */
export interface ExchangeRequest {
  readonly useNumber: WrittenAmount;
  readonly password?: string | undefined;
}

/** Exchanges points for coins (rules §10). It cannot be undone. */
@Injectable()
export class PointsExchanges {
  private readonly exchanging: Saga<null>;

  constructor(
    sagas: Sagas,
    private readonly commands: Commands,
    private readonly store: PointsStore,
    private readonly views: PointsViews,
    private readonly fund: FundGate,
    private readonly clock: Clock,
    private readonly ids: Ids,
  ) {
    this.exchanging = sagas.define<null>({
      name: 'points.exchange',
      onPosted: async (tx, { object, acceptedAt }) => {
        const exchange = await this.store.finishExchange(tx, object, acceptedAt);
        return new Notice('jc.exchanged', { id: object, exchange: this.views.exchange(exchange) });
      },
      onRefused: async (tx, { object }, refusal) => {
        const { userId, points } = await this.store.waitingExchange(tx, object);
        await this.store.dropExchange(tx, object);
        await this.store.saveAccount(tx, givenBack(await this.store.lockAccount(tx, userId), points));
        return isHouseShort(refusal) ? new Refused('jc.houseLimit') : refusal;
      },
    });
  }

  /**
   * @throws Refused `jc.numberRequired`, what `FundGate` throws (a points session has no fund password), `jc.notBound`,
   * `jc.notEnough`, `market.stale`, `quantity.rule` {min, max} for points that are worth less than a cent,
   * `jc.houseLimit`.
   */
  exchange({ userId, kind }: Caller, fields: ExchangeRequest, context: CallContext): Promise<Notice> {
    return this.commands.run(context, {
      prepare: async () => {
        const points = fields.useNumber.units(POINTS_SCALE);
        if (kind !== 'points') await this.fund.demand(userId, fields.password);
        await this.views.demandBound(userId);
        return points;
      },
      decide: async (tx, points) => {
        const account = await this.store.lockAccount(tx, userId);
        const day = dayOf(this.clock.now());
        const rest = taken(account, points, day);
        if (!rest) throw notEnough();
        const exchange = this.agreed(userId, points, freePoints(account, day));
        await this.store.saveAccount(tx, rest);
        await this.store.insertExchange(tx, exchange);
        return this.exchanging.ask({ object: exchange.id, note: null, command: exchangeOrder(exchange) });
      },
    });
  }

  private agreed(userId: number, points: bigint, free: bigint): PointsExchange {
    const quote = this.views.quote();
    if (!quote.isFresh) throw new Refused('market.stale');
    const { id: currencyId, name: currencyName, scale } = quote.coin;
    const coins = rescale(pointsCoins(points, POINTS_SCALE, quote), POINTS_PAID_SCALE, scale, 'down');
    if (coins === 0n) {
      const [min, max] = [leastPoints(quote), free].map((units) => formatTrimmed(units, POINTS_SCALE));
      throw new Refused('quantity.rule', { min: min!, max: max! }, { field: 'use_number' });
    }
    return {
      ...{ id: this.ids.next(), userId, points, currencyId, currencyName, scale, coins },
      factPrice: pointsPrice(quote),
      state: 'waiting',
      createdAt: this.clock.now(),
    };
  }
}

const notEnough = (): Refused => new Refused('jc.notEnough', {}, { field: 'use_number' });
