import { Injectable } from '@nestjs/common';
import type { LeverPreview } from '@bourse/contract';
import { Sagas, type Outcome, type Saga } from '@bourse/ledger-client';
import { formatUnits } from '@bourse/money';
import { Timers, type Tx } from '@bourse/persistence';
import { Clock, Notice, Refused, type CallContext, randomId } from '@bourse/platform';
import { Settings } from '@bourse/settings';
import { entrustOrder, openOrder } from '../domain/journals.js';
import { opened, pending, STATUS, type Position } from '../domain/position.js';
import { coverOf, judgeDraft, RATE_SCALE, readDraft, riskMarks, type Draft, type Judged } from './draft.js';
import type { SubmitBody } from './fields.js';
import { entering, Judge, type Seat } from './judge.js';
import { LeverMarkets } from './lever-markets.js';
import { HOUSE_COVER } from './lever-settings.js';
import { setNights } from './nights.js';
import { PositionStore, type Change } from './ports.js';
import { positionView } from './position-view.js';
import { PositionEvents } from './position-events.js';

/** What the answer shows of the moment in which it was judged. */
interface Note {
  readonly mark: string;
  readonly liquidation: string;
}

/** Opens positions at the market, and takes touch orders (rules §3). */
@Injectable()
export class SubmitPosition {
  private readonly opening: Saga<Note>;

  constructor(
    sagas: Sagas,
    private readonly judge: Judge,
    private readonly markets: LeverMarkets,
    private readonly store: PositionStore,
    private readonly settings: Settings,
    private readonly timers: Timers,
    private readonly positionEvents: PositionEvents,
    private readonly clock: Clock,
  ) {
    this.opening = sagas.define<Note>({
      name: 'lever.open',
      onAllPosted: (tx, outcomes) => this.stand(tx, outcomes),
      onRefused: async (tx, { object }, refusal) => {
        const [position] = await this.waiting(tx, [object]);
        if (!position) throw new Error(`invariant: position ${object} is not there`);
        await this.store.drop(tx, object);
        if (position.openedAt !== null) await this.store.expose(tx, position.quote, -position.notional, null);
        await this.judge.land(tx, [{ ...position, inFlight: object }]);
        return refusal;
      },
    });
  }

  /** What a position would be, and what the account would be with it. @throws Refused as `execute` */
  async preview(userId: number, fields: SubmitBody): Promise<LeverPreview> {
    const draft = readDraft(fields, this.markets, this.settings);
    const seat = await this.judge.look({ userId, quote: draft.market.quote });
    const judged = await this.judged(draft, seat);
    const { priceScale, numberScale, quoteScale } = draft.market.scales;
    return {
      price: formatUnits(draft.price, priceScale),
      number: formatUnits(draft.lots, numberScale),
      contract_value: formatUnits(draft.cost.contractValue, quoteScale),
      caution_money: formatUnits(draft.cost.caution, quoteScale),
      trade_fee: formatUnits(draft.cost.fee, quoteScale),
      hazard_rate: formatUnits(judged.hazardRate, RATE_SCALE),
      liquidation_price: formatUnits(judged.liquidationPrice, priceScale),
      max_share: Number(judged.maxShare),
    };
  }

  /** @throws Refused in the order of rules §12.6; `pending` when the outcome is not known in time */
  async execute(userId: number, fields: SubmitBody, context: CallContext): Promise<Notice> {
    const answer = await this.opening.call(context, async () => {
      const { quote } = readDraft(fields, this.markets, this.settings).market;
      const seat = await this.judge.claim({ userId, quote });
      try {
        // Once more: while the call waited for the account the price has gone on.
        const draft = readDraft(fields, this.markets, this.settings);
        const judged = await this.judged(draft, seat);
        return entering(seat, (tx) => this.begin(tx, userId, draft, seat, judged));
      } catch (error) {
        await seat.leave();
        throw error;
      }
    });
    if (answer instanceof Notice) return answer;
    throw new Error('invariant: a position is answered with a notice');
  }

  private async judged(draft: Draft, seat: Pick<Seat, 'balance' | 'positions' | 'house'>): Promise<Judged> {
    const marks = riskMarks(seat, draft, this.markets);
    const exposed = await this.store.exposed(draft.market.quote);
    return judgeDraft(draft, seat, marks, exposed, this.settings.get(HOUSE_COVER));
  }

  private async begin(tx: Tx, userId: number, draft: Draft, seat: Seat, judged: Judged) {
    const position = positionFrom(draft, randomId(), userId, this.clock.now());
    const { id, quote, notional } = position;
    await seat.enter(tx, id);
    if (draft.kind === 'market' && !(await this.store.expose(tx, quote, notional, coverOf(seat, this.settings))))
      throw new Refused('lever.houseLimit');
    await this.store.insert(tx, position);
    const note: Note = { mark: String(draft.mark), liquidation: String(judged.liquidationPrice) };
    const command = draft.kind === 'market' ? openOrder(position) : entrustOrder(position);
    return { object: id, note, command };
  }

  /** Many open in one second: each statement is about all of those whose results came together. */
  private async stand(tx: Tx, outcomes: readonly Outcome<Note>[]): Promise<Notice[]> {
    const waiting = await this.waiting(
      tx,
      outcomes.map(({ object }) => object),
    );
    const changes = outcomes.map(({ object, acceptedAt }, at): Change => {
      const before = waiting[at];
      if (!before) throw new Error(`invariant: position ${object} is not there`);
      return { before, after: isMarket(before) ? opened(before, acceptedAt, before) : pending(before, acceptedAt) };
    });
    await this.judge.land(
      tx,
      changes.map(({ before }) => ({ ...before, inFlight: before.id })),
    );
    if (!(await this.store.changeAll(tx, changes)))
      throw new Error('invariant: a position has changed while it waited');
    await setNights(this.timers, tx, changes.map(({ after }) => after).filter(isMarket));
    return outcomes.map(({ object, note }, at) => {
      const position = changes[at]?.after;
      if (!position) throw new Error(`invariant: position ${object} is not there`);
      this.positionEvents.changed(tx, position, isMarket(position) ? [] : [position.id]);
      const marks = new Map([[position.pairId, BigInt(note.mark)]]);
      const liquidation = isMarket(position) ? BigInt(note.liquidation) : 0n;
      const order = positionView(position, this.markets.byPair(position.pairId), marks, liquidation);
      return new Notice('lever.success', { id: object, order });
    });
  }

  /** Positions that wait for the ledger, in the order of their ids as given. */
  private async waiting(tx: Tx, ids: readonly string[]): Promise<Position[]> {
    const found = new Map((await this.store.lock(tx, ids)).map((position) => [position.id, position]));
    return ids.map((id) => {
      const position = found.get(id);
      if (position?.status !== STATUS.waiting)
        throw new Error(`invariant: position ${id} does not wait for the ledger`);
      return position;
    });
  }
}

/** At the market, not a touch order. */
const isMarket = ({ openedAt }: Position): boolean => openedAt !== null;

/** A new position that nobody sees yet; one at the market counts as open from its beginning. */
function positionFrom(draft: Draft, id: string, userId: number, now: number): Position {
  const { market, cost } = draft;
  return {
    id,
    userId,
    pairId: market.pairId,
    quote: market.quote,
    scales: market.scales,
    direction: draft.direction,
    status: STATUS.waiting,
    revision: 0,
    share: draft.share,
    multiple: draft.multiple,
    lots: draft.lots,
    originPrice: draft.base,
    price: draft.price,
    notional: cost.contractValue,
    caution: cost.caution,
    originCaution: cost.caution,
    fee: cost.fee,
    overnight: draft.overnight,
    burst: draft.burst,
    nightPaid: 0n,
    nightRest: 0n,
    target: draft.target,
    stop: draft.stop,
    closedBy: 0,
    closePrice: 0n,
    closeProfits: 0n,
    closeShortfall: 0n,
    settlement: null,
    settlingHold: 0n,
    clientId: draft.clientId,
    createdAt: now,
    changedAt: now,
    openedAt: draft.kind === 'market' ? now : null,
    handledAt: null,
  };
}
