import { randomUUID } from 'node:crypto';
import { Controller } from '@nestjs/common';
import { MessagePattern, Payload } from '@nestjs/microservices';
import type { SpotOrder } from '@bourse/contract';
import {
  SpotModeV1,
  SpotMoveV1,
  TOPICS,
  type DepthView,
  type LedgerReply,
  type MarketMode,
  type Message,
} from '@bourse/events';
import { firstReply, LedgerClient, replyOf } from '@bourse/ledger-client';
import { askedBy, AskUnavailable, type ServiceDescription } from '@bourse/messaging';
import { AnswerStore } from '@bourse/persistence';
import { Clock, Config, EDGE_SERVICE, readFields, Refused, type FieldRecord } from '@bourse/platform';
import { COMMAND_VALID_MS, MAKER_ID, TAKER_ID } from '@bourse/contract';
import { SpotAudit } from '../../application/audit.js';
import { CancelOrders } from '../../application/cancel-orders.js';
import { Markets, type ListedMarket } from '../../application/markets.js';
import { PlaceOrderBody } from '../../application/order-fields.js';
import { orderView } from '../../application/order-view.js';
import { PlaceOrder, type CommandContext } from '../../application/place-order.js';
import { OrderReads, type TradeSpan } from '../../application/ports.js';
import { TradeExport } from '../../application/trade-export.js';

const MODE_VALID_MS = 600_000;
/** Open orders that one question is answered with at most. */
const OPEN_MAX = 5_000;
const MARKET = 'market-data';

/**
 * Accounts that another service acts for: those that make the market. Who has broken into it must not trade for people
 * [HARD-209].
 */
function house(userId: number): number {
  if (userId !== MAKER_ID && userId !== TAKER_ID) throw new Refused('common.forbidden');
  return userId;
}

/** What other services may ask this one (docs/interfaces.md). */
@Controller()
export class SpotAsksController {
  constructor(
    private readonly ledger: LedgerClient,
    private readonly placing: PlaceOrder,
    private readonly cancelling: CancelOrders,
    private readonly reads: OrderReads,
    private readonly answers: AnswerStore,
    private readonly markets: Markets,
    private readonly audit: SpotAudit,
    private readonly trades: TradeExport,
    private readonly clock: Clock,
    private readonly config: Config,
  ) {}

  @MessagePattern('spot-matching.describe', askedBy(EDGE_SERVICE))
  describe(): ServiceDescription {
    return {
      service: 'spot-matching',
      answers: 'own',
      exports: ['trades'],
      audits: true,
      holds: [{ prefix: 'order', commands: TOPICS.spotCommands }],
      trades: { makes: { settledOn: TOPICS.ledgerCommands, shownOn: TOPICS.spotEvents } },
      stops: ['stream:spot.engine:'],
    };
  }

  /** The committed book of a market; from its owner, or as last published by another process. */
  @MessagePattern('spot-matching.book', askedBy(EDGE_SERVICE, MARKET))
  book(@Payload() { symbol, depth = 100 }: { symbol: string; depth?: number }): DepthView {
    const view = this.markets.depthView(symbol, depth);
    if (!view) throw new AskUnavailable(`the book of ${symbol} is not loaded`);
    return view;
  }

  @MessagePattern('spot-matching.answers', askedBy(EDGE_SERVICE))
  answersOf(@Payload() { commandIds }: { commandIds: readonly string[] }): Promise<LedgerReply | null> {
    return firstReply(commandIds, async (commandId) => {
      const found = await this.answers.find(commandId);
      if (found?.state === 'pending') throw new AskUnavailable(`${commandId} is not decided yet`);
      return found && replyOf(commandId, found.answer);
    });
  }

  @MessagePattern('spot-matching.open', askedBy(MARKET))
  async open(@Payload() { userId }: { userId: number }): Promise<SpotOrder[]> {
    const { rows } = await this.reads.list(house(userId), { status: 1 }, 0, OPEN_MAX);
    return rows.flatMap((order) => {
      const market = this.markets.byPair(order.pairId);
      return market ? [orderView(market, order)] : [];
    });
  }

  @MessagePattern('spot-matching.place', askedBy(MARKET))
  async place(
    @Payload() { userId, fields }: { userId: number; fields: FieldRecord },
  ): Promise<{ id: string; order: SpotOrder }> {
    const { extra } = await this.placing.execute(house(userId), readFields(PlaceOrderBody, fields), this.context());
    return { id: extra['id'] as string, order: extra['order'] as SpotOrder };
  }

  @MessagePattern('spot-matching.cancel', askedBy(MARKET))
  async cancel(
    @Payload() { userId, orderId }: { userId: number; orderId: string },
  ): Promise<{ id: string; remaining: string; order: SpotOrder }> {
    const { extra } = await this.cancelling.one(house(userId), { id: orderId }, this.context());
    return { id: extra['id'] as string, remaining: extra['remaining'] as string, order: extra['order'] as SpotOrder };
  }

  /** Changes a market's mode by the one road in, behind what was sent before. */
  @MessagePattern('spot-matching.mode', askedBy(EDGE_SERVICE))
  async mode(@Payload() { symbol, mode }: { symbol: string; mode: MarketMode }): Promise<{ accepted: true }> {
    const market = this.markets.bySymbol(symbol);
    if (!market) throw new Refused('common.notFound');
    await this.tell(market, SpotModeV1.encode({ symbol, mode, requestedAt: this.clock.now() }));
    return { accepted: true };
  }

  /** Moves a market to another partition by the same road: what was sent before is run where it was. */
  @MessagePattern('spot-matching.move', askedBy(EDGE_SERVICE))
  async move(@Payload() { symbol, to }: { symbol: string; to: number }): Promise<{ accepted: true }> {
    const market = this.markets.bySymbol(symbol);
    if (!market) throw new Refused('common.notFound');
    if (!Number.isInteger(to) || to < 0 || to >= this.config.spotPartitions)
      throw new Refused('common.fieldInvalid', { field: 'partition' }, { field: 'partition' });
    await this.tell(market, SpotMoveV1.encode({ symbol, to, requestedAt: this.clock.now() }));
    return { accepted: true };
  }

  /** Where each market runs, as its book was published last, and how many partitions there are. */
  @MessagePattern('spot-matching.partitions', askedBy(EDGE_SERVICE))
  partitions(): { partitions: number; markets: { symbol: string; partition: number }[] } {
    const markets = this.markets.all().map((market) => ({
      symbol: market.symbol,
      partition: this.markets.partitionOf(market),
    }));
    return { partitions: this.config.spotPartitions, markets };
  }

  @MessagePattern('spot-matching.audit', askedBy(EDGE_SERVICE))
  auditNow() {
    return this.audit.run();
  }

  @MessagePattern('spot-matching.audit.holds', askedBy(EDGE_SERVICE))
  async auditHolds(@Payload() { buckets }: { buckets?: readonly number[] }) {
    return buckets ? this.audit.holdLines(buckets) : { digests: await this.audit.holdDigests() };
  }

  @MessagePattern('spot-matching.audit.trades', askedBy(EDGE_SERVICE))
  auditTrades(@Payload() span: TradeSpan) {
    return this.audit.trades(span);
  }

  /** A piece of the export of trades. */
  @MessagePattern('spot-matching.export', askedBy(EDGE_SERVICE))
  export(@Payload() { from, to, after }: { from: number; to: number; after: string | null }) {
    return this.trades.piece(from, to, after);
  }

  /** Sends a market a command of the house, behind what was sent before. */
  private async tell(market: ListedMarket, message: Message): Promise<void> {
    // No money moves: the user only names the ledger's partition the command passes through.
    await this.ledger.tell(
      {
        issuer: 'spot-matching',
        userId: MAKER_ID,
        onBehalfOf: null,
        journals: [],
        forward: { topic: TOPICS.spotCommands, partition: this.markets.partitionOf(market), message },
      },
      // Longer than any ledger is away, shorter than somebody could wait who has kept the record [HARD-209].
      this.clock.real() + MODE_VALID_MS,
    );
  }

  private context(): CommandContext {
    return { commandId: randomUUID(), hasKey: false, bodyHash: null, validUntil: this.clock.real() + COMMAND_VALID_MS };
  }
}
