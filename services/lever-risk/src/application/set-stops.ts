import { Injectable } from '@nestjs/common';
import { stopFault } from '@bourse/formulas';
import { Commands } from '@bourse/ledger-client';
import type { Tx } from '@bourse/persistence';
import { Clock, Notice, Refused, type CallContext } from '@bourse/platform';
import { accountOf, pairsOf } from '../domain/account.js';
import { STATUS, withStops, type Position } from '../domain/position.js';
import { checkStops, readStops } from './draft.js';
import type { StopsBody } from './fields.js';
import { AccountClaims, type ClaimedAccount } from './account-claims.js';
import { LeverMarkets } from './lever-markets.js';
import { PositionStore } from './ports.js';
import { liquidationOf, positionView } from './position-view.js';
import { PositionEvents } from './position-events.js';

/** Sets target and stop of an open position (rules §3). */
@Injectable()
export class SetStops {
  constructor(
    private readonly commands: Commands,
    private readonly claims: AccountClaims,
    private readonly markets: LeverMarkets,
    private readonly store: PositionStore,
    private readonly positionEvents: PositionEvents,
    private readonly clock: Clock,
  ) {}

  /** @throws Refused `common.notFound`, `lever.state`, `lever.stopNegative`, `lever.stopSide`,
   * `lever.stopBeyondLiquidation` */
  execute(userId: number, fields: StopsBody, context: CallContext): Promise<Notice> {
    return this.commands.run(context, {
      prepare: async () => {
        const position = await this.store.find(fields.id, userId);
        if (!position) throw new Refused('common.notFound');
        if (position.status !== STATUS.open) throw new Refused('lever.state');
        const stops = readStops(fields, position.scales.priceScale);
        this.checkSide(position, stops);
        return { id: position.id, stops, claimed: await this.claims.claim(position) };
      },
      decide: (tx, { id, stops, claimed }) => {
        const found = claimed.positions.find((one) => one.id === id);
        if (found?.status !== STATUS.open) throw new Refused('lever.state');
        return this.write(tx, claimed, found, stops);
      },
      abandon: ({ claimed }) => claimed.release(),
    });
  }

  /** Refuses the wrong side before the account is claimed. @throws Refused `lever.stopSide` */
  private checkSide(position: Position, stops: { readonly target: bigint; readonly stop: bigint }): void {
    const { price, direction, scales, pairId } = position;
    const mark = this.markets.marks([pairId]).get(pairId) ?? price;
    const fault = stopFault(direction, { price, mark, liquidation: 0n }, stops);
    if (fault === 'side') checkStops(direction, { price, mark, liquidation: 0n }, stops, scales.priceScale);
  }

  private async write(
    tx: Tx,
    claimed: ClaimedAccount,
    position: Position,
    { target, stop }: { readonly target: bigint; readonly stop: bigint },
  ): Promise<Notice> {
    const marks = this.markets.marks(pairsOf(claimed.positions));
    const account = accountOf(claimed.balance, claimed.positions, marks);
    const liquidation = liquidationOf(position, account, claimed.positions, marks);
    const mark = marks.get(position.pairId) ?? position.price;
    const { price, direction, scales, pairId } = position;
    checkStops(direction, { price, mark, liquidation }, { target, stop }, scales.priceScale);
    await claimed.commit(tx, null);
    const after = withStops(position, this.clock.now(), target, stop);
    if (!(await this.store.change(tx, position, after)))
      throw new Error(`invariant: position ${position.id} has changed under a claim`);
    this.positionEvents.publishAfterCommit(tx, position);
    return new Notice('lever.stopsSet', {
      order: positionView(after, this.markets.byPair(pairId), marks, liquidation),
    });
  }
}
