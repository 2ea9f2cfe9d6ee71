import { Injectable } from '@nestjs/common';
import { stopFault } from '@bourse/formulas';
import { AnswerStore } from '@bourse/persistence';
import { Clock, Notice, Refused, type CallContext } from '@bourse/platform';
import { accountOf, pairsOf } from '../domain/account.js';
import { STATUS, withStops, type Position } from '../domain/position.js';
import { checkStops, readStops } from './draft.js';
import type { StopsBody } from './fields.js';
import { AccountClaims, type ClaimedAccount } from './account-claims.js';
import { LeverMarkets } from './lever-markets.js';
import { LeverDatabase, PositionStore } from './ports.js';
import { liquidationOf, positionView } from './position-view.js';
import { PositionEvents } from './position-events.js';

/** Sets target and stop of an open position (rules §3). */
@Injectable()
export class SetStops {
  private readonly answers: AnswerStore;

  constructor(
    private readonly database: LeverDatabase,
    private readonly claims: AccountClaims,
    private readonly markets: LeverMarkets,
    private readonly store: PositionStore,
    private readonly positionEvents: PositionEvents,
    private readonly clock: Clock,
  ) {
    this.answers = new AnswerStore(database);
  }

  /** @throws Refused `common.notFound`, `lever.state`, `lever.stopNegative`, `lever.stopSide`,
   * `lever.stopBeyondLiquidation` */
  async execute(userId: number, fields: StopsBody, context: CallContext): Promise<Notice> {
    const answer = await this.answers.once(context, async (markStored) => {
      const position = await this.store.find(fields.id, userId);
      if (!position) throw new Refused('common.notFound');
      if (position.status !== STATUS.open) throw new Refused('lever.state');
      const stops = readStops(fields, position.scales.priceScale);
      this.checkSide(position, stops);
      const claimed = await this.claims.claim(position);
      try {
        const found = claimed.positions.find(({ id }) => id === position.id);
        if (found?.status !== STATUS.open) throw new Refused('lever.state');
        const notice = await this.write(claimed, found, stops, context);
        markStored();
        return notice;
      } catch (error) {
        await claimed.release();
        throw error;
      }
    });
    if (answer instanceof Notice) return answer;
    throw new Error('invariant: stops are answered with a notice');
  }

  /** Refuses the wrong side before the account is claimed. @throws Refused `lever.stopSide` */
  private checkSide(position: Position, stops: { readonly target: bigint; readonly stop: bigint }): void {
    const { price, direction, scales, pairId } = position;
    const mark = this.markets.marks([pairId]).get(pairId) ?? price;
    const fault = stopFault(direction, { price, mark, liquidation: 0n }, stops);
    if (fault === 'side') checkStops(direction, { price, mark, liquidation: 0n }, stops, scales.priceScale);
  }

  private write(
    claimed: ClaimedAccount,
    position: Position,
    { target, stop }: { readonly target: bigint; readonly stop: bigint },
    context: CallContext,
  ): Promise<Notice> {
    const marks = this.markets.marks(pairsOf(claimed.positions));
    const account = accountOf(claimed.balance, claimed.positions, marks);
    const liquidation = liquidationOf(position, account, claimed.positions, marks);
    const mark = marks.get(position.pairId) ?? position.price;
    const { price, direction, scales, pairId } = position;
    checkStops(direction, { price, mark, liquidation }, { target, stop }, scales.priceScale);
    return this.database.transaction(async (tx) => {
      await claimed.commit(tx, null);
      const after = withStops(position, this.clock.now(), target, stop);
      if (!(await this.store.change(tx, position, after)))
        throw new Error(`invariant: position ${position.id} has changed under a claim`);
      this.positionEvents.publishAfterCommit(tx, position);
      const notice = new Notice('lever.stopsSet', {
        order: positionView(after, this.markets.byPair(pairId), marks, liquidation),
      });
      if (context.hasKey && context.commandId !== null) await this.answers.record(tx, context.commandId, notice);
      return notice;
    });
  }
}
