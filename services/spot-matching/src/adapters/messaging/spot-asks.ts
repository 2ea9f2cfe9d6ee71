import { randomUUID } from 'node:crypto';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { SpotOrder } from '@bourse/contract';
import { SpotModeV1, TOPICS, type DepthView, type LedgerReply, type MarketMode } from '@bourse/events';
import { LedgerClient, replyOf } from '@bourse/ledger-client';
import { Asks, AskUnavailable, describeService } from '@bourse/messaging';
import { AnswerStore } from '@bourse/persistence';
import { Clock, readFields, Refused, type FieldRecord } from '@bourse/platform';
import { COMMAND_VALID_MS, MAKER_ID, TAKER_ID } from '@bourse/contract';
import { SpotAudit } from '../../application/audit.js';
import { CancelOrders } from '../../application/cancel-orders.js';
import { Markets } from '../../application/markets.js';
import { PlaceOrderBody } from '../../application/order-fields.js';
import { orderView } from '../../application/order-view.js';
import { PlaceOrder, type CommandContext } from '../../application/place-order.js';
import { OrderReads, type TradeSpan } from '../../application/ports.js';

const MODE_VALID_MS = 600_000;
/** Open orders that one question is answered with at most. */
const OPEN_MAX = 5_000;

/**
 * Accounts that another service acts for: those that make the market. Who has broken into it must not trade for people
 * [HARD-209].
 */
function house(userId: number): number {
  if (userId !== MAKER_ID && userId !== TAKER_ID) throw new Refused('common.forbidden');
  return userId;
}

/** What other services may ask this one (docs/interfaces.md). */
@Injectable()
export class SpotAsks implements OnModuleInit {
  constructor(
    private readonly asks: Asks,
    private readonly ledger: LedgerClient,
    private readonly placing: PlaceOrder,
    private readonly cancelling: CancelOrders,
    private readonly reads: OrderReads,
    private readonly answers: AnswerStore,
    private readonly markets: Markets,
    private readonly audit: SpotAudit,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    describeService(this.asks, {
      service: 'spot-matching',
      answers: 'own',
      exports: ['trades'],
      audits: true,
      holds: [{ prefix: 'order', commands: TOPICS.spotCommands }],
      trades: { makes: { settledOn: TOPICS.ledgerCommands, shownOn: TOPICS.spotEvents } },
      stops: ['stream:spot.engine:'],
    });
    this.asks.handle(
      'spot-matching.book',
      ({ symbol, depth }: { symbol: string; depth?: number }) => Promise.resolve(this.book(symbol, depth ?? 100)),
      ['gateway', 'market-data'],
    );
    this.asks.handle('spot-matching.answer', ({ commandId }: { commandId: string }) => this.answer(commandId), [
      'gateway',
    ]);
    this.asks.handle('spot-matching.open', ({ userId }: { userId: number }) => this.open(house(userId)), [
      'market-data',
    ]);
    this.asks.handle('spot-matching.audit', () => this.audit.run(), ['gateway']);
    this.asks.handle(
      'spot-matching.audit.holds',
      async ({ buckets }: { buckets?: readonly number[] }) =>
        buckets ? this.audit.holdLines(buckets) : { digests: await this.audit.holdDigests() },
      ['gateway'],
    );
    this.asks.handle('spot-matching.audit.trades', (span: TradeSpan) => this.audit.trades(span), ['gateway']);
    this.asks.handle(
      'spot-matching.place',
      ({ userId, fields }: { userId: number; fields: FieldRecord }) => this.place(house(userId), fields),
      ['market-data'],
    );
    this.asks.handle(
      'spot-matching.cancel',
      ({ userId, orderId }: { userId: number; orderId: string }) => this.cancel(house(userId), orderId),
      ['market-data'],
    );
    this.asks.handle(
      'spot-matching.mode',
      ({ symbol, mode }: { symbol: string; mode: MarketMode }) => this.mode(symbol, mode),
      ['gateway'],
    );
  }

  /** The committed book of a market; from its owner, or as last published by another process. */
  private book(symbol: string, levels: number): DepthView {
    const view = this.markets.depthView(symbol, levels);
    if (!view) throw new AskUnavailable(`the book of ${symbol} is not loaded`);
    return view;
  }

  private async answer(commandId: string): Promise<LedgerReply | null> {
    const found = await this.answers.find(commandId);
    if (!found) return null;
    if (found.state === 'pending') throw new AskUnavailable(`${commandId} is not decided yet`);
    return replyOf(commandId, found.answer);
  }

  private async open(userId: number): Promise<SpotOrder[]> {
    const { rows } = await this.reads.list(userId, { status: 1 }, 0, OPEN_MAX);
    return rows.flatMap((order) => {
      const market = this.markets.byPair(order.pairId);
      return market ? [orderView(market, order)] : [];
    });
  }

  private async place(userId: number, fields: FieldRecord): Promise<{ id: string; order: SpotOrder }> {
    const { extra } = await this.placing.execute(userId, readFields(PlaceOrderBody, fields), this.context());
    return { id: extra['id'] as string, order: extra['order'] as SpotOrder };
  }

  private async cancel(userId: number, orderId: string): Promise<{ id: string; remaining: string; order: SpotOrder }> {
    const { extra } = await this.cancelling.one(userId, { id: orderId }, this.context());
    return { id: extra['id'] as string, remaining: extra['remaining'] as string, order: extra['order'] as SpotOrder };
  }

  /** Changes a market's mode by the one road in, behind what was sent before. */
  private async mode(symbol: string, mode: MarketMode): Promise<{ accepted: true }> {
    const market = this.markets.bySymbol(symbol);
    if (!market) throw new Refused('common.notFound');
    const change = SpotModeV1.encode({ symbol, mode, requestedAt: this.clock.now() });
    // No money moves: the user only names the ledger's partition the command passes through.
    await this.ledger.tell(
      {
        issuer: 'spot-matching',
        userId: MAKER_ID,
        onBehalfOf: null,
        journals: [],
        forward: { topic: TOPICS.spotCommands, partition: market.partition, message: change },
      },
      // Longer than any ledger is away, shorter than somebody could wait who has kept the record [HARD-209].
      this.clock.real() + MODE_VALID_MS,
    );
    return { accepted: true };
  }

  private context(): CommandContext {
    return { commandId: randomUUID(), hasKey: false, bodyHash: null, validUntil: this.clock.real() + COMMAND_VALID_MS };
  }
}
