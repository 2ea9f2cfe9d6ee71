import { Injectable, Logger } from '@nestjs/common';
import type { SpotOrder } from '@bourse/contract';
import { TOPICS, type LedgerReply } from '@bourse/events';
import { LedgerAnswers, LedgerClient, pending, replyOf, type LedgerOrder } from '@bourse/ledger-client';
import { isFinal } from '@bourse/persistence';
import { formatUnits, toUnits } from '@bourse/money';
import { Clock, givenNotice, Notice, Refused, type CallContext, type FinalAnswer, RandomIds } from '@bourse/platform';
import { heldScale, orderView } from '@bourse/matching';
import { EngineReports } from './engine-reports.js';
import { findOrder } from './find-order.js';
import { Markets } from './markets.js';
import type { OcoBody, OrderFields } from './order-fields.js';
import { placeMessage } from './order-messages.js';
import { readOrder, readPair, type OrderRequest } from './order-request.js';
import { AcceptedOrders, OrderReads } from './ports.js';
import { holdJournal } from './settlement.js';

/** The part of a call's context that a command needs; calls between services make their own. */
export type CommandContext = Pick<CallContext, 'commandId' | 'hasKey' | 'bodyHash' | 'validUntil'>;
/** How long an accepted order waits for the engine's commit before it is answered as accepted. */
const REPORT_MS = 100;
/** How long a `client_order_id` names its first order (api §2.3). */
const CLIENT_ID_MS = 7 * 86_400_000;

/**
 * Places an order: checks, a hold in the ledger, and the order to its book behind it, in one command (architecture §5).
 */
@Injectable()
export class PlaceOrder {
  private readonly logger = new Logger('PlaceOrder');
  private readonly ids = new RandomIds();
  constructor(
    private readonly markets: Markets,
    private readonly ledger: LedgerClient,
    private readonly stored: LedgerAnswers,
    private readonly reports: EngineReports,
    private readonly reads: OrderReads,
    private readonly accepted: AcceptedOrders,
    private readonly clock: Clock,
  ) {}

  /** @throws Refused as rules §12.6 say; `pending` when the outcome is not known in time. */
  execute(userId: number, order: OrderFields, context: CommandContext): Promise<Notice> {
    return this.once(userId, context, order, () =>
      readOrder(order, this.markets, { id: this.ids.next(), userId, placedAt: this.clock.now() }),
    );
  }

  /** POST /api/coin/oco: an OCO pair under one hold. @throws as `execute` */
  pair(userId: number, legs: OcoBody, context: CommandContext): Promise<Notice> {
    return this.once(userId, context, legs, () =>
      readPair(legs, this.markets, {
        id: this.ids.next(),
        linkId: this.ids.next(),
        userId,
        placedAt: this.clock.now(),
      }),
    );
  }

  private async once(
    userId: number,
    context: CommandContext,
    fields: { readonly clientOrderId?: string },
    read: () => OrderRequest,
  ): Promise<Notice> {
    let request: OrderRequest;
    try {
      request = read();
    } catch (refusal) {
      if (!(refusal instanceof Refused)) throw refusal;
      const key = context.hasKey ? context.commandId : null;
      // Many checks depend on the market of the moment: an accepted order may be refused when it is sent again.
      const isKnown = key !== null && (await this.stored.answer(key)) !== null;
      const first = isKnown ? null : await this.findRepeated(userId, fields);
      if (first) return key === null ? first : this.answerOnce(userId, context, first);
      if (!isKnown && (key === null || !isFinal(refusal))) throw refusal;
      return this.answerOnce(userId, context, refusal);
    }
    return this.send(request, context);
  }

  private async send({ market, order, hold, stopLeg }: OrderRequest, context: CommandContext): Promise<Notice> {
    const { id, userId, clientOrderId, side } = order;
    const scale = heldScale(market, side);
    const amount =
      typeof hold === 'bigint'
        ? formatUnits(hold, scale)
        : { max: formatUnits(hold.max, scale), min: formatUnits(hold.min, scale) };
    const command: LedgerOrder = {
      issuer: 'spot-matching',
      userId,
      onBehalfOf: userId,
      // Without a key the id of the command was made for this call; the id of the order, and with it its hold, always.
      ...(context.hasKey ? {} : { isNew: true as const }),
      ...(clientOrderId === '' ? {} : { secondKey: `coid:${userId}:${clientOrderId}` }),
      journals: [holdJournal(market, order, amount)],
      forward: {
        topic: TOPICS.spotCommands,
        partition: this.markets.partitionOf(market),
        message: placeMessage(market, order, stopLeg ?? null),
      },
      answer: {
        type: 'ok',
        key: 'trade.success',
        extra: {
          id,
          order: orderView(market, order),
          ...(stopLeg ? { stop_order: orderView(market, stopLeg) } : {}),
        },
      },
    };
    const committed = this.reports.wait(id);
    const stopCommitted = stopLeg && this.reports.wait(stopLeg.id);
    try {
      const reply = await this.ledger.reply(command, context);
      if (!reply.ok || reply.answer.extra?.['id'] !== id) return answerOf(reply);
      const seen = await Promise.race([committed, delay(REPORT_MS)]);
      if (!seen) {
        // It is known with what it holds: an amend before the engine's commit asks for the difference.
        const held = toUnits(reply.held ?? '0', scale);
        const limit = { ...order, held, holdLeft: held };
        const legs = stopLeg ? [limit, stopLeg] : [limit];
        for (const leg of legs) this.reports.remember(leg);
        // The next call about it may reach another copy of this service.
        await this.accepted.add(legs).catch((error: unknown) => {
          this.logger.warn(`order ${id} was accepted and is not known to other copies: ${(error as Error).message}`);
          throw pending();
        });
      }
      const notice = answerOf(reply, seen);
      // Both legs are reported with one commit.
      const stopSeen = seen && (await stopCommitted);
      return stopSeen ? new Notice(notice.key, { ...notice.extra, stop_order: stopSeen }, notice.params) : notice;
    } finally {
      this.reports.forget(id);
      if (stopLeg) this.reports.forget(stopLeg.id);
    }
  }

  /** The answer of the first order with the same client id, as it is now; null: there is none. */
  private async findRepeated(userId: number, fields: { readonly clientOrderId?: string }): Promise<Notice | null> {
    const clientOrderId = readClientId(fields);
    if (clientOrderId === undefined) return null;
    const order = await findOrder(this.reads, this.reports, userId, { clientOrderId });
    const market = order && this.markets.byPair(order.pairId);
    if (!market || this.clock.now() - order.placedAt > CLIENT_ID_MS) return null;
    const stopLeg = order.linkId === '' ? null : await this.reads.byId(userId, order.linkId);
    return new Notice('trade.success', {
      id: order.id,
      order: orderView(market, order),
      ...(stopLeg && { stop_order: orderView(market, stopLeg) }),
      repeated: 1,
    });
  }

  /**
   * An answer under a key is final also where no order is made for it, and is kept by the ledger, as what it accepts:
   * of two deliveries of one call one decides, even if the other one passed the checks and is on its way [SPOT-302].
   * An answer that the ledger has is repeated, or the key refused as reused.
   */
  private async answerOnce(userId: number, context: CommandContext, answer: FinalAnswer): Promise<Notice> {
    const command: LedgerOrder = {
      issuer: 'spot-matching',
      userId,
      onBehalfOf: userId,
      journals: [],
      answer: replyOf('', answer).answer,
    };
    return answerOf(await this.ledger.reply(command, context));
  }
}

/** The client id of a new order; undefined where it is absent or itself the reason of the refusal. */
function readClientId(fields: { readonly clientOrderId?: string }): string | undefined {
  try {
    return fields.clientOrderId;
  } catch {
    return undefined;
  }
}

/** The ledger's answer as the caller gets it, with the order as the engine has it. @throws Refused for a refusal. */
export function answerOf(reply: LedgerReply, order: SpotOrder | null = null): Notice {
  const notice = givenNotice(reply.answer);
  if (order === null && !reply.secondKeyHit) return notice;
  return new Notice(
    notice.key,
    { ...notice.extra, ...(order ? { order } : {}), ...(reply.secondKeyHit ? { repeated: 1 } : {}) },
    notice.params,
  );
}

const delay = (ms: number): Promise<null> =>
  new Promise((resolve) => {
    setTimeout(() => resolve(null), ms).unref();
  });
