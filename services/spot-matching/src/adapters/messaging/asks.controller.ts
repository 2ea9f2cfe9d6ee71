import { randomUUID } from 'node:crypto';
import { orderView } from '@bourse/matching';
import { Controller } from '@nestjs/common';
import type { SpotOrder } from '@bourse/contract';
import { SpotModeV1, SpotMoveV1, TOPICS, type DepthView, type LedgerReply, type Message } from '@bourse/events';
import { firstReply, LedgerClient, replyOf } from '@bourse/ledger-client';
import {
  Answers,
  AskUnavailable,
  isRowId,
  serviceAsks,
  spotMatchingAsks,
  type AnswerOf,
  type FoundThing,
  type QuestionOf,
  type ServiceDescription,
} from '@bourse/messaging';
import { AnswerStore } from '@bourse/persistence';
import { Clock, Config, readFields, Refused } from '@bourse/platform';
import { COMMAND_VALID_MS, MAKER_ID, TAKER_ID } from '@bourse/contract';
import { SpotAudit } from '../../application/audit.js';
import { CancelOrders } from '../../application/cancel-orders.js';
import { Markets, type ListedMarket } from '../../application/markets.js';
import { PlaceOrderBody } from '../../application/order-fields.js';
import { PlaceOrder, type CommandContext } from '../../application/place-order.js';
import { OrderReads } from '../../application/ports.js';
import { TradeExport } from '../../application/trade-export.js';

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

/** Answers the questions of other services (docs/interfaces.md). */
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

  @Answers(serviceAsks.describe('spot-matching'))
  describe(): ServiceDescription {
    return {
      service: 'spot-matching',
      answers: 'own',
      exports: ['trades'],
      audits: true,
      finds: true,
      holds: [{ prefix: 'order', commands: TOPICS.spotCommands }],
      trades: { makes: { settledOn: TOPICS.ledgerCommands, shownOn: TOPICS.spotEvents } },
      stops: ['stream:spot.engine:'],
    };
  }

  @Answers(serviceAsks.find('spot-matching'))
  async find({ text }: QuestionOf<typeof serviceAsks.find>): Promise<readonly FoundThing[]> {
    const order = isRowId(text) ? await this.reads.ofAnybody(text) : null;
    if (order === null) return [];
    const title = this.markets.byPair(order.pairId)?.symbol ?? '';
    return [{ kind: 'order', id: order.id, userId: order.userId, title, role: 'support' }];
  }

  /** The committed book of a market; from its owner, or as last published by another process. */
  @Answers(serviceAsks.book('spot-matching'))
  book({ symbol, depth = 100 }: QuestionOf<typeof serviceAsks.book>): DepthView {
    const view = this.markets.depthView(symbol, depth);
    if (!view) throw new AskUnavailable(`the book of ${symbol} is not loaded`);
    return view;
  }

  @Answers(serviceAsks.answers('spot-matching'))
  answersOf({ commandIds }: QuestionOf<typeof serviceAsks.answers>): Promise<LedgerReply | null> {
    return firstReply(commandIds, async (commandId) => {
      const found = await this.answers.find(commandId);
      if (found?.state === 'pending') throw new AskUnavailable(`${commandId} is not decided yet`);
      return found && replyOf(commandId, found.answer);
    });
  }

  @Answers(spotMatchingAsks.open)
  async open({ userId }: QuestionOf<typeof spotMatchingAsks.open>): Promise<SpotOrder[]> {
    const { rows } = await this.reads.list(house(userId), { status: 1 }, 0, OPEN_MAX);
    return rows.flatMap((order) => {
      const market = this.markets.byPair(order.pairId);
      return market ? [orderView(market, order)] : [];
    });
  }

  @Answers(spotMatchingAsks.place)
  async place({ userId, fields }: QuestionOf<typeof spotMatchingAsks.place>) {
    const { extra } = await this.placing.execute(house(userId), readFields(PlaceOrderBody, fields), this.context());
    return { id: extra['id'] as string, order: extra['order'] as SpotOrder };
  }

  @Answers(spotMatchingAsks.cancel)
  async cancel({ userId, orderId }: QuestionOf<typeof spotMatchingAsks.cancel>) {
    const { extra } = await this.cancelling.one(house(userId), { id: orderId }, this.context());
    return { id: extra['id'] as string, remaining: extra['remaining'] as string, order: extra['order'] as SpotOrder };
  }

  /** Changes a market's mode by the one road in, behind what was sent before. */
  @Answers(serviceAsks.mode('spot-matching'))
  async mode({ symbol, mode }: QuestionOf<typeof serviceAsks.mode>) {
    const market = this.markets.bySymbol(symbol);
    if (!market) throw new Refused('common.notFound');
    await this.sendCommand(market, SpotModeV1.encode({ symbol, mode, requestedAt: this.clock.now() }));
    return { accepted: true as const };
  }

  /** Moves a market to another partition by the same road: what was sent before is run where it was. */
  @Answers(serviceAsks.move('spot-matching'))
  async move({ symbol, to }: QuestionOf<typeof serviceAsks.move>) {
    const market = this.markets.bySymbol(symbol);
    if (!market) throw new Refused('common.notFound');
    if (!Number.isInteger(to) || to < 0 || to >= this.config.spotPartitions)
      throw new Refused('common.fieldInvalid', { field: 'partition' }, { field: 'partition' });
    await this.sendCommand(market, SpotMoveV1.encode({ symbol, to, requestedAt: this.clock.now() }));
    return { accepted: true as const };
  }

  /** The partition of each market, as its book was last published, and the number of partitions. */
  @Answers(serviceAsks.partitions('spot-matching'))
  partitions(): AnswerOf<typeof serviceAsks.partitions> {
    const markets = this.markets.all().map((market) => ({
      symbol: market.symbol,
      partition: this.markets.partitionOf(market),
    }));
    return { partitions: this.config.spotPartitions, markets };
  }

  @Answers(serviceAsks.audit('spot-matching'))
  auditNow() {
    return this.audit.run();
  }

  @Answers(serviceAsks.auditHolds('spot-matching'))
  async auditHolds({ buckets }: QuestionOf<typeof serviceAsks.auditHolds>) {
    return buckets ? this.audit.holdLines(buckets) : { digests: await this.audit.holdDigests() };
  }

  @Answers(serviceAsks.auditTrades('spot-matching'))
  auditTrades(span: QuestionOf<typeof serviceAsks.auditTrades>) {
    return this.audit.trades(span);
  }

  /** A piece of the export of trades. */
  @Answers(serviceAsks.export('spot-matching'))
  export({ from, to, after }: QuestionOf<typeof serviceAsks.export>) {
    return this.trades.piece(from, to, after);
  }

  /** Sends a market a command of the house, behind what was sent before. */
  private async sendCommand(market: ListedMarket, message: Message): Promise<void> {
    // No money moves: the user only names the ledger's partition the command passes through.
    await this.ledger.sendUnanswered(
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
