import { Injectable } from '@nestjs/common';
import type { LeverPreview } from '@bourse/contract';
import { Sagas, type Saga } from '@bourse/ledger-client';
import { formatUnits } from '@bourse/money';
import { Timers, type Tx } from '@bourse/persistence';
import { Clock, Notice, Refused, type CallContext } from '@bourse/platform';
import { Settings } from '@bourse/settings';
import { entrustOrder, openOrder } from '../domain/journals.js';
import { opened, pending, STATUS, type Position } from '../domain/position.js';
import { coverOf, judgeDraft, RATE_SCALE, readDraft, riskMarks, type Draft, type Judged } from './draft.js';
import type { SubmitBody } from './fields.js';
import { entering, Judge, type Seat } from './judge.js';
import { LeverMarkets } from './lever-markets.js';
import { HOUSE_COVER } from './lever-settings.js';
import { setNight } from './nights.js';
import { PositionStore } from './ports.js';
import { positionView } from './position-view.js';
import { randomId } from './random-id.js';
import { Tidings } from './tidings.js';

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
    private readonly tidings: Tidings,
    private readonly clock: Clock,
  ) {
    this.opening = sagas.define<Note>({
      name: 'lever.open',
      onPosted: (tx, { object, note, acceptedAt }) => this.stand(tx, object, note, acceptedAt),
      onRefused: async (tx, { object }, refusal) => {
        const position = await this.waiting(tx, object);
        await this.store.drop(tx, object);
        if (position.openedAt !== null) await this.store.expose(tx, position.quote, -position.notional, null);
        await this.judge.land(tx, position, object);
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
      const draft = readDraft(fields, this.markets, this.settings);
      const seat = await this.judge.claim({ userId, quote: draft.market.quote });
      try {
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

  private async stand(tx: Tx, id: string, note: Note, acceptedAt: number): Promise<Notice> {
    const waiting = await this.waiting(tx, id);
    const isMarket = waiting.openedAt !== null;
    const position = isMarket ? opened(waiting, acceptedAt, waiting) : pending(waiting, acceptedAt);
    if (!(await this.store.change(tx, waiting, position)))
      throw new Error(`invariant: position ${id} has changed while it waited`);
    if (isMarket) await setNight(this.timers, tx, id, acceptedAt);
    await this.judge.land(tx, position, id);
    this.tidings.changed(tx, position);
    const market = this.markets.byPair(position.pairId);
    const marks = new Map([[position.pairId, BigInt(note.mark)]]);
    const order = positionView(position, market, marks, isMarket ? BigInt(note.liquidation) : 0n);
    return new Notice('lever.success', { id, order });
  }

  private async waiting(tx: Tx, id: string): Promise<Position> {
    const [position] = await this.store.lock(tx, [id]);
    if (position?.status !== STATUS.waiting) throw new Error(`invariant: position ${id} does not wait for the ledger`);
    return position;
  }
}

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
    clientId: draft.clientId,
    createdAt: now,
    changedAt: now,
    openedAt: draft.kind === 'market' ? now : null,
    handledAt: null,
  };
}
