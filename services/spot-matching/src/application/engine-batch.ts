import { HOUSE_ACCOUNTS } from '@bourse/contract';
import { partitionOf } from '@bourse/money';
import {
  SpotTradesV1,
  TOPICS,
  UserEventV1,
  type LedgerReply,
  type Message,
  type SpotAmend,
  type SpotCancel,
  type TypedNotice,
  type TradesView,
} from '@bourse/events';
import type { Delivery } from '@bourse/messaging';
import type { Emission } from '@bourse/persistence';
import { BatchSpans, tracing } from '@bourse/platform';
import {
  BUY,
  type Market,
  type Listener,
  type Trade,
  type Order,
  fillView,
  numberText,
  orderView,
  priceText,
  SIDE_NAMES,
  hasExits,
} from '@bourse/matching';
import { droppedExit, exitsOf } from './exits.js';
import { filledNotices } from './filled-notices.js';
import type { RunningMarket } from './running-market.js';
import type { AmendRow } from './ports.js';
import { adjustmentOf, amendReleaseOf, holdMoveOf, releaseOf, settlementOf } from './settlement.js';

export interface BatchTargets {
  readonly ledgerPartitions: number;
  readonly userPartitions: number;
  readonly partition: number;
  /** Ids of exits. */
  readonly newId: () => string;
}

/** The answer of a cancel or an amend. */
export interface EngineAnswer {
  readonly command: SpotCancel | SpotAmend;
  reply: LedgerReply | null;
  /** Gives back what was held for an amend, in case it is refused. */
  readonly release?: Emission;
  /** The message to send once more when there is no such order yet: it may still be on its way; absent: it cannot. */
  readonly again?: Message;
  /** The reply has left before the commit. */
  isSent?: true;
}

/** Gathers what a batch of commands does: rows, messages in their order, replies and views for after the commit. */
export class EngineBatch {
  readonly inserted = new Map<Order, Market>();
  readonly updated = new Map<Order, Market>();
  readonly trades: (readonly [Market, Trade])[] = [];
  readonly touched = new Set<string>();
  readonly emissions: Emission[] = [];
  /** Markets that leave with this batch, as they are then, and the partition that they go to. */
  readonly moved = new Map<string, { readonly market: RunningMarket; readonly to: number }>();
  readonly amends: (readonly [Market, AmendRow])[] = [];
  /** Answers of cancels and amends; null where the order is not open: its stored state decides. */
  readonly answers: EngineAnswer[] = [];
  /** The commands that this batch has taken from its partition. */
  readonly deliveries: Delivery[] = [];
  commands = 0;
  /** Whether answers wait for its commit. */
  isAwaited = false;
  /** Number of the last row of its stream whose commands ran. */
  lastRow = 0;
  /** The orders that ended in this batch, by their ids, with their markets. */
  readonly ended = new Map<string, readonly [Order, Market]>();
  /** The recorder of its commands; absent: nothing is recorded. */
  readonly spans = tracing.on ? new BatchSpans() : undefined;
  /** Orders of people that this batch has filled completely. */
  private readonly filled = new Map<Order, Market>();
  /** Exits of people that could not be placed. */
  private readonly dropped: TypedNotice[] = [];
  private readonly tradesOf = new Map<string, { market: Market; trades: Trade[] }>();

  constructor(private readonly targets: BatchTargets) {}

  /** The partition whose commands these are. */
  get partition(): number {
    return this.targets.partition;
  }

  /** From here on the work of a command belongs to its trace, until the returned function is called. */
  inTrace(trace: string, kind: string): () => void {
    const carried = this.spans?.open(trace, `match ${kind}`) ?? trace;
    const sent = this.emissions.length;
    return () => {
      for (let index = sent; index < this.emissions.length; index += 1) {
        const emission = this.emissions[index] as Emission;
        this.emissions[index] = { ...emission, message: { ...emission.message, trace: carried } };
      }
    };
  }

  /** The listener of one market's engine. */
  listener(market: Market): Listener {
    return {
      traded: (trade) => {
        this.trades.push([market, trade]);
        const ofMarket = this.tradesOf.get(market.symbol);
        if (ofMarket) ofMarket.trades.push(trade);
        else this.tradesOf.set(market.symbol, { market, trades: [trade] });
        this.emissions.push(...settlementOf(market, trade, this.targets.ledgerPartitions));
      },
      updated: (order, trade) => {
        if (!this.inserted.has(order)) this.updated.set(order, market);
        if (order.status === 2) this.ended.set(order.id, [order, market]);
        // The house accounts cannot sign in: nobody would see their private events.
        if (HOUSE_ACCOUNTS.has(order.userId)) return;
        this.emitOrderUpdate(market, order, trade);
        if (order.status === 2 && order.filled === order.quantity) this.filled.set(order, market);
        const dropped = droppedExit(market, order);
        if (dropped) this.dropped.push(dropped);
      },
      amended: (amended) => {
        const { amend, order, sequence, before, tradeSequence } = amended;
        this.amends.push([
          market,
          {
            id: amend.id,
            orderId: order.id,
            sequence,
            sequenceBefore: before.sequence,
            tradeSequence,
            priceBefore: before.price,
            quantityBefore: before.quantity,
            price: order.price,
            quantity: order.quantity,
            at: order.updatedAt,
          },
        ]);
        this.emissions.push(...adjustmentOf(market, amended, this.targets.ledgerPartitions));
      },
      holdMoved: (move) => {
        this.emissions.push(holdMoveOf(market, move, this.targets.ledgerPartitions));
      },
      ended: (order) => {
        this.emissions.push(...releaseOf(market, order, this.targets.ledgerPartitions));
        if (hasExits(order)) this.placeExits(market, order);
      },
    };
  }

  private placeExits(market: Market, order: Order): void {
    const exits = exitsOf(market, order, this.targets);
    if (exits && 'emission' in exits) this.emissions.push(exits.emission);
    else if (exits) this.dropped.push(exits.dropped);
  }

  private emitOrderUpdate(market: Market, order: Order, trade: Trade | null): void {
    const fill =
      trade &&
      fillView(
        market,
        trade,
        order.side,
        order.id,
        order.side === BUY ? trade.buyerFee : trade.sellerFee,
        trade.taker === order ? 'taker' : 'maker',
      );
    this.emissions.push({
      topic: TOPICS.userEvents,
      partition: partitionOf(`user:${order.userId}`, this.targets.userPartitions),
      message: UserEventV1.build({
        userId: order.userId,
        event: 'order_update',
        payload: { order: orderView(market, order), fill },
      }),
    });
  }

  /** Creates the command that releases the hold of an amend. */
  releaseOf(amend: SpotAmend): Emission {
    return amendReleaseOf(amend, this.targets.ledgerPartitions);
  }

  /** Trades of the batch for their readers, and its filled orders; call it once, when all commands have run. */
  publishTrades(): void {
    this.emissions.push(...filledNotices(this.filled, this.dropped));
    for (const { market, trades } of this.tradesOf.values()) {
      this.emissions.push({
        topic: TOPICS.spotEvents,
        partition: this.targets.partition,
        message: SpotTradesV1.build({
          symbol: market.symbol,
          pairId: market.pairId,
          trades: trades.map((trade) => ({
            sequence: trade.sequence,
            price: priceText(market, trade.price),
            quantity: numberText(market, trade.quantity),
            takerSide: SIDE_NAMES[trade.taker.side],
            makerOrderId: trade.maker.id,
            takerOrderId: trade.taker.id,
            at: trade.at,
            ...(isHouse(trade) ? { house: true as const } : {}),
          })),
        }),
      });
    }
  }

  /** The numbers of the last trade of each market before and after the trades of this batch. */
  tradeNumbers(): { readonly market: Market; readonly before: number; readonly after: number }[] {
    return [...this.tradesOf.values()].map(({ market, trades }) => ({
      market,
      before: trades[0]!.sequence - 1,
      after: trades.at(-1)!.sequence,
    }));
  }

  tradeViews(): TradesView[] {
    return [...this.tradesOf.values()].map(({ market, trades }) => ({
      symbol: market.symbol,
      pairId: market.pairId,
      trades: trades.map((trade) => ({
        seq: trade.sequence,
        price: priceText(market, trade.price),
        quantity: numberText(market, trade.quantity),
        takerSide: SIDE_NAMES[trade.taker.side],
        at: trade.at,
        house: isHouse(trade),
      })),
    }));
  }

  /** Orders that came with this batch and are wanted, with their markets. */
  arrivals(wanted: (orderId: string) => boolean): (readonly [Order, Market])[] {
    return [...this.inserted].filter(([order]) => wanted(order.id));
  }
}

/** Whether both sides are accounts of the house. */
const isHouse = ({ buyer, seller }: Trade): boolean =>
  HOUSE_ACCOUNTS.has(buyer.userId) && HOUSE_ACCOUNTS.has(seller.userId);
