import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { SpotCancelV1, TOPICS, type LedgerReply } from '@bourse/events';
import { LedgerClient, pending } from '@bourse/ledger-client';
import { Replies } from '@bourse/messaging';
import { AnswerStore } from '@bourse/persistence';
import { Clock, inOrder, Notice, Refused, type CallContext } from '@bourse/platform';
import { EngineReports } from './engine-reports.js';
import { findToChange } from './find-order.js';
import { LocalBooks } from './local-books.js';
import { Markets, type ListedMarket } from './markets.js';
import type { CancelAllBody, CancelEntrustBody, OrderName } from './order-fields.js';
import { answerOf, type CommandContext } from './place-order.js';
import { OrderReads } from './ports.js';
import { type Order, numberText, orderView } from '@bourse/matching';

/** How long a call waits for the engine's answer. */
export const ENGINE_WAIT_MS = 4_500;
/** Orders that `cancel_all` reads and ends at a time. */
const CANCEL_ALL_SLICE = 1_000;
/** The newest orders among which `cancel_all` looks for one of a clock that is ahead. */
const NEWEST = 100;
/** The clocks of two copies differ by less: each follows that of the database. */
const CLOCKS_DIFFER_MS = 500;

/**
 * Cancels go the same road as orders, so that none can overtake the order it means; they are answered after the engine
 * has cancelled.
 */
@Injectable()
export class CancelOrders {
  constructor(
    private readonly markets: Markets,
    readonly reads: OrderReads,
    private readonly ledger: LedgerClient,
    private readonly replies: Replies,
    private readonly answers: AnswerStore,
    readonly reports: EngineReports,
    readonly books: LocalBooks,
    private readonly clock: Clock,
  ) {}

  /**
   * PUT /api/coin/trade: `id` or `client_order_id`. @throws Refused common.notFound, trade.notOpen {state}, pending.
   */
  async one(userId: number, name: OrderName, context: CommandContext): Promise<Notice> {
    return this.once(context, async (kept) => this.cancel(await this.find(userId, name), context, kept));
  }

  /** POST /api/transaction_del: `id`, and `type` in (a buy) or out (a sell). */
  async entrust(userId: number, name: CancelEntrustBody, context: CommandContext): Promise<Notice> {
    return this.once(context, async (kept) => {
      const { side } = name;
      const order = await this.find(userId, name);
      if (order.side !== side) throw new Refused('common.notFound');
      return this.cancel(order, context, kept);
    });
  }

  /**
   * POST /api/coin/cancel_all: what the filters name. Tells which orders this call has ended.
   * @throws Refused pending when it fails after the first cancel was sent: a repeat ends the others
   */
  async all(userId: number, which: CancelAllBody, context: CommandContext): Promise<Notice> {
    const now = this.clock.now();
    return this.once(context, async () => {
      const until = await this.newestOf(userId, now);
      const { quoteId, baseId, side } = inOrder(which);
      const pairIds = this.markets
        .all()
        .filter(
          (market) =>
            (quoteId === undefined || market.quoteId === quoteId) && (baseId === undefined || market.baseId === baseId),
        )
        .map((market) => market.pairId);
      const filter = { status: 1, pairIds, ...(side === undefined ? {} : { side }) } as const;
      const tried = new Set<string>();
      const cancelled: string[] = [];
      try {
        for (;;) {
          const { rows: open } = await this.reads.list(userId, filter, 0, CANCEL_ALL_SLICE);
          const rows = open.filter(({ id, placedAt }) => placedAt <= until && !tried.has(id));
          if (rows.length === 0) return new Notice('trade.cancelledAll', { ids: cancelled });
          for (const { id } of rows) tried.add(id);
          cancelled.push(...(await this.endAll(rows)));
        }
      } catch (error) {
        throw cancelled.length > 0 ? pending() : error;
      }
    });
  }

  /**
   * The time up to which orders were placed before a call of `now`: its own, or that of an open order of another copy
   * whose clock is ahead. Such an order is later than the read that shows it; one that was placed here since the call
   * began is not.
   */
  private async newestOf(userId: number, now: number): Promise<number> {
    const { rows } = await this.reads.list(userId, { status: 1 }, 0, NEWEST);
    const readAt = this.clock.now();
    const ahead = rows
      .map(({ placedAt }) => placedAt)
      .filter((placedAt) => placedAt > readAt && placedAt <= now + CLOCKS_DIFFER_MS);
    return Math.max(now, ...ahead);
  }

  /**
   * Cancels orders. @returns the ids of those that have ended by it: with one leg of a pair the other one has ended.
   * @throws Refused pending when only some could be sent, or the outcome of one is unknown
   */
  private async endAll(rows: readonly Order[]): Promise<string[]> {
    const results = await Promise.allSettled(rows.map((order) => this.endedBy(order)));
    const failures = results.flatMap((result) => (result.status === 'rejected' ? [result.reason as unknown] : []));
    if (failures.length > 0) {
      const isUnsent = failures.length === rows.length && !failures.some(isPending);
      throw isUnsent ? failures[0] : pending();
    }
    const ids = new Set(rows.filter((_, at) => isEnded(results[at])).map(({ id }) => id));
    return rows.filter(({ id, linkId }) => ids.has(id) || (linkId !== '' && ids.has(linkId))).map(({ id }) => id);
  }

  private async endedBy(order: Order): Promise<boolean> {
    try {
      await this.cancel(order, { commandId: randomUUID(), hasKey: false, bodyHash: null, validUntil: 0 });
      return true;
    } catch (error) {
      if (error instanceof Refused && error.key === 'trade.notOpen') return false;
      throw error;
    }
  }

  private find(userId: number, name: OrderName): Promise<Order> {
    return findToChange(this, userId, name);
  }

  private async cancel(order: Order, context: CommandContext, kept: () => void = () => undefined): Promise<Notice> {
    const market = this.markets.byPair(order.pairId);
    if (!market) throw new Refused('common.notFound');
    if (order.status === 2) throw notOpen(order);
    const commandId = context.commandId ?? randomUUID();
    const { userId } = order;
    const cancel = SpotCancelV1.encode({
      orderId: order.id,
      userId,
      symbol: market.symbol,
      commandId,
      replyTo: this.replies.instance,
      requestedAt: this.clock.now(),
      ...(context.hasKey && context.bodyHash !== null ? { bodyHash: context.bodyHash } : {}),
    });
    let seen: LedgerReply | null = null;
    const waiting = this.replies.wait(
      commandId,
      ENGINE_WAIT_MS,
      async () => (seen = await this.outcome(market, order, commandId)),
    );
    await this.ledger.sendUnanswered({
      issuer: 'spot-matching',
      userId,
      onBehalfOf: userId,
      journals: [],
      forward: { topic: TOPICS.spotCommands, partition: this.markets.partitionOf(market), message: cancel },
    });
    const reply = await waiting;
    if (reply === null) throw pending();
    // The engine has stored its answer under a key with the cancel itself; what the order's row tells may be of another
    // cancel.
    if (cancel.body.bodyHash !== undefined && reply !== seen) kept();
    return answerOf(reply);
  }

  /** Reads the end of an order from its row when the reply was lost. */
  private async outcome(market: ListedMarket, { id, userId }: Order, commandId: string): Promise<LedgerReply | null> {
    const order = await this.reads.byId(userId, id);
    if (!order || order.status === 1) return null;
    const answer =
      order.reason === 'user'
        ? {
            type: 'ok' as const,
            key: 'trade.cancelled',
            extra: {
              id,
              remaining: numberText(market, order.quantity - order.filled),
              order: orderView(market, order),
            },
          }
        : { type: 'error' as const, key: 'trade.notOpen', params: { state: stateOf(order) } };
    return { commandId, ok: answer.type === 'ok', repeated: false, answer };
  }

  private async once(context: CommandContext, decide: (kept: () => void) => Promise<Notice>): Promise<Notice> {
    const answer = await this.answers.once(context as CallContext, decide);
    if (answer instanceof Notice) return answer;
    throw new Error('invariant: a stored answer of a cancel is a notice or a refusal');
  }
}

const isEnded = (result: PromiseSettledResult<boolean> | undefined): boolean =>
  result?.status === 'fulfilled' && result.value;
const isPending = (error: unknown): boolean => error instanceof Refused && error.key === 'common.processing';
const stateOf = (order: Order): 'filled' | 'cancelled' => (order.filled === order.quantity ? 'filled' : 'cancelled');
/** The refusal of a change of an order that is done. */
export const notOpen = (order: Order): Refused => new Refused('trade.notOpen', { state: stateOf(order) });
