import { Injectable } from '@nestjs/common';
import type { LeverPreview } from '@bourse/contract';
import { Commands, Sagas, type Outcome, type Saga } from '@bourse/ledger-client';
import { formatUnits } from '@bourse/money';
import { Timers, type Tx } from '@bourse/persistence';
import { Clock, Notice, Refused, type CallContext, randomId } from '@bourse/platform';
import { Settings } from '@bourse/settings';
import { triggerOrder, openOrder } from '../domain/journals.js';
import { opened, pending, STATUS, type Position } from '../domain/position.js';
import { houseLimit, checkDraft, RATE_SCALE, readDraft, riskMarks, type Draft, type CheckedDraft } from './draft.js';
import type { SubmitBody } from './fields.js';
import { AccountClaims, type ClaimedAccount } from './account-claims.js';
import { LeverMarkets } from './lever-markets.js';
import { HOUSE_COVER } from './lever-settings.js';
import { scheduleOvernightFees } from './overnight-fees.js';
import { PositionStore, type Change } from './ports.js';
import { positionView } from './position-view.js';
import { PositionEvents } from './position-events.js';

/** Figures of the answer at the moment of the decision. */
interface Note {
  readonly mark: string;
  readonly liquidation: string;
}

/** Opens positions at the market and accepts trigger orders (rules §3). */
@Injectable()
export class SubmitPosition {
  private readonly opening: Saga<Note>;

  constructor(
    sagas: Sagas,
    private readonly commands: Commands,
    private readonly claims: AccountClaims,
    private readonly markets: LeverMarkets,
    private readonly store: PositionStore,
    private readonly settings: Settings,
    private readonly timers: Timers,
    private readonly positionEvents: PositionEvents,
    private readonly clock: Clock,
  ) {
    this.opening = sagas.define<Note>({
      name: 'lever.open',
      onAllPosted: (tx, outcomes) => this.confirm(tx, outcomes),
      onRefused: async (tx, { object }, refusal) => {
        const [position] = await this.waiting(tx, [object]);
        if (!position) throw new Error(`invariant: position ${object} is not there`);
        await this.store.drop(tx, object);
        if (position.openedAt !== null) await this.store.addOpenNotional(tx, position.quote, -position.notional, null);
        await this.claims.settleInFlight(tx, [{ ...position, inFlight: object }]);
        return refusal;
      },
    });
  }

  /** Figures of a position without opening it, and of the account with it. @throws Refused as `execute` */
  async preview(userId: number, fields: SubmitBody): Promise<LeverPreview> {
    const draft = readDraft(fields, this.markets, this.settings);
    const claimed = await this.claims.read({ userId, quote: draft.market.quote });
    const checked = this.check(draft, claimed, await this.store.openNotional(draft.market.quote));
    const { priceScale, numberScale, quoteScale } = draft.market.scales;
    return {
      price: formatUnits(draft.price, priceScale),
      number: formatUnits(draft.lots, numberScale),
      contract_value: formatUnits(draft.cost.contractValue, quoteScale),
      caution_money: formatUnits(draft.cost.margin, quoteScale),
      trade_fee: formatUnits(draft.cost.fee, quoteScale),
      hazard_rate: formatUnits(checked.marginRatio, RATE_SCALE),
      liquidation_price: formatUnits(checked.liquidationPrice, priceScale),
      max_share: Number(checked.maxContracts),
    };
  }

  /** @throws Refused in the order of rules §12.6; `pending` if the outcome is not known in time */
  execute(userId: number, fields: SubmitBody, context: CallContext): Promise<Notice> {
    return this.commands.run(context, {
      prepare: async () => {
        const { quote } = readDraft(fields, this.markets, this.settings).market;
        const claimed = await this.claims.claim({ userId, quote });
        try {
          const openNotional = await this.store.openNotional(quote);
          // A refusal by the account needs no transaction.
          this.check(readDraft(fields, this.markets, this.settings), claimed, openNotional);
          return { claimed, openNotional };
        } catch (error) {
          await claimed.release();
          throw error;
        }
      },
      decide: (tx, { claimed, openNotional }) => {
        // Read again: the price may have changed while the call waited for its account and its transaction.
        const draft = readDraft(fields, this.markets, this.settings);
        return this.begin(tx, userId, draft, claimed, this.check(draft, claimed, openNotional));
      },
      abandon: ({ claimed }) => claimed.release(),
    });
  }

  private check(
    draft: Draft,
    claimed: Pick<ClaimedAccount, 'balance' | 'positions' | 'house'>,
    openNotional: bigint,
  ): CheckedDraft {
    const marks = riskMarks(claimed, draft, this.markets);
    return checkDraft(draft, claimed, marks, openNotional, this.settings.get(HOUSE_COVER));
  }

  private async begin(tx: Tx, userId: number, draft: Draft, claimed: ClaimedAccount, checked: CheckedDraft) {
    const position = positionFrom(draft, randomId(), userId, this.clock.now());
    const { id, quote, notional } = position;
    await claimed.commit(tx, id);
    if (
      draft.kind === 'market' &&
      !(await this.store.addOpenNotional(tx, quote, notional, houseLimit(claimed, this.settings)))
    )
      throw new Refused('lever.houseLimit');
    await this.store.insert(tx, position);
    const note: Note = { mark: String(draft.mark), liquidation: String(checked.liquidationPrice) };
    const command = draft.kind === 'market' ? openOrder(position) : triggerOrder(position);
    return this.opening.ask({ object: id, note, command });
  }

  /** The ledger has accepted positions. Each statement covers all whose results came together. */
  private async confirm(tx: Tx, outcomes: readonly Outcome<Note>[]): Promise<Notice[]> {
    const waiting = await this.waiting(
      tx,
      outcomes.map(({ object }) => object),
    );
    const changes = outcomes.map(({ object, acceptedAt }, at): Change => {
      const before = waiting[at];
      if (!before) throw new Error(`invariant: position ${object} is not there`);
      return { before, after: isMarket(before) ? opened(before, acceptedAt, before) : pending(before, acceptedAt) };
    });
    await this.claims.settleInFlight(
      tx,
      changes.map(({ before }) => ({ ...before, inFlight: before.id })),
    );
    if (!(await this.store.changeAll(tx, changes)))
      throw new Error('invariant: a position has changed while it waited');
    await scheduleOvernightFees(this.timers, tx, changes.map(({ after }) => after).filter(isMarket));
    return outcomes.map(({ object, note }, at) => {
      const position = changes[at]?.after;
      if (!position) throw new Error(`invariant: position ${object} is not there`);
      this.positionEvents.publishAfterCommit(tx, position, isMarket(position) ? [] : [position.id]);
      const marks = new Map([[position.pairId, BigInt(note.mark)]]);
      const liquidation = isMarket(position) ? BigInt(note.liquidation) : 0n;
      const order = positionView(position, this.markets.byPair(position.pairId), marks, liquidation);
      return new Notice('lever.success', { id: object, order });
    });
  }

  /** Positions that wait for the ledger, in the order of `ids`. */
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

/** Opened at the market, not a trigger order. */
const isMarket = ({ openedAt }: Position): boolean => openedAt !== null;

/** A new position in status waiting; `openedAt` of a market position is already set. */
function positionFrom(draft: Draft, id: string, userId: number, now: number): Position {
  const { market, cost } = draft;
  return {
    id,
    userId,
    partOf: null,
    pairId: market.pairId,
    quote: market.quote,
    scales: market.scales,
    direction: draft.direction,
    status: STATUS.waiting,
    revision: 0,
    contracts: draft.contracts,
    leverage: draft.leverage,
    lots: draft.lots,
    originPrice: draft.base,
    price: draft.price,
    notional: cost.contractValue,
    margin: cost.margin,
    initialMargin: cost.margin,
    fee: cost.fee,
    overnight: draft.overnight,
    liquidationRate: draft.liquidationRate,
    paidOvernightFees: 0n,
    unpaidOvernightFee: 0n,
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
