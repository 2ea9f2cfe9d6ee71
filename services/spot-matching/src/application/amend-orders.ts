import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { available, held, orderHold, SpotAmendV1, TOPICS, type LedgerReply } from '@bourse/events';
import { LedgerClient, pending, replyOf } from '@bourse/ledger-client';
import { Replies } from '@bourse/messaging';
import { formatUnits } from '@bourse/money';
import { AnswerStore } from '@bourse/persistence';
import { Clock, Notice, RandomIds, Refused, type CallContext } from '@bourse/platform';
import { heldCurrency, heldScale, numberText, priceText } from '@bourse/matching';
import { readAmend } from './amend-request.js';
import { PAUSED } from './cancel-answers.js';
import { ENGINE_WAIT_MS, notOpen } from './cancel-orders.js';
import { EngineReports } from './engine-reports.js';
import { findToChange } from './find-order.js';
import { LocalBooks } from './local-books.js';
import { Markets } from './markets.js';
import type { AmendOrderBody } from './order-fields.js';
import { answerOf, type CommandContext } from './place-order.js';
import { OrderReads } from './ports.js';

/**
 * Changes price or amount of an open order. An amend passes the ledger as an order does: the command that forwards it
 * holds the missing amount, and the book spends or returns that hold in the commit that changes the order.
 */
@Injectable()
export class AmendOrders {
  private readonly ids = new RandomIds();

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

  /** PUT /api/coin/order. @throws Refused as api §2.3 says; `pending` when the outcome is not known in time. */
  async execute(userId: number, body: AmendOrderBody, context: CommandContext): Promise<Notice> {
    const answer = await this.answers.once(context as CallContext, async (kept) => {
      const reply = await this.amend(userId, body, context);
      if (reply.isKept) kept();
      return answerOf(reply.reply);
    });
    if (answer instanceof Notice) return answer;
    throw new Error('invariant: a stored answer of an amend is a notice or a refusal');
  }

  /** `isKept`: the engine has stored its answer with the amend itself. */
  private async amend(
    userId: number,
    body: AmendOrderBody,
    context: CommandContext,
  ): Promise<{ readonly reply: LedgerReply; readonly isKept: boolean }> {
    const order = await findToChange(this, userId, body);
    if (order.status === 2) throw notOpen(order);
    if (order.linkId !== '' && (await findToChange(this, userId, { id: order.linkId })).status === 1)
      throw new Refused('trade.linked');
    const { market, price, quantity, more } = readAmend(order, body, this.markets);
    const amendId = this.ids.next();
    const commandId = context.commandId ?? randomUUID();
    const bodyHash = context.hasKey ? context.bodyHash : null;
    const currency = heldCurrency(market, order.side);
    const passedBy = await this.openCommandId(commandId, bodyHash);
    const waiting = this.replies.wait(commandId, ENGINE_WAIT_MS, () => this.stored(commandId, bodyHash));
    // If the ledger refuses, no reply follows and this wait is dropped.
    waiting.catch(() => undefined);
    const passed = await this.ledger.reply(
      {
        issuer: 'spot-matching',
        userId,
        onBehalfOf: userId,
        journals:
          more === 0n
            ? []
            : [
                {
                  id: `order:${amendId}:amend`,
                  causeType: 'order',
                  causeId: order.id,
                  legs: [
                    {
                      from: available(userId, 'change'),
                      to: held(userId, 'change', orderHold(amendId)),
                      currency,
                      amount: formatUnits(more, heldScale(market, order.side)),
                    },
                  ],
                },
              ],
        forward: {
          topic: TOPICS.spotCommands,
          partition: this.markets.partitionOf(market),
          message: SpotAmendV1.encode({
            amendId,
            orderId: order.id,
            userId,
            symbol: market.symbol,
            price: price === null ? null : priceText(market, price),
            quantity: quantity === null ? null : numberText(market, quantity),
            currency,
            commandId,
            replyTo: this.replies.instance,
            requestedAt: this.clock.now(),
            ...(bodyHash === null ? {} : { bodyHash, passedBy }),
          }),
        },
        answer: { type: 'ok', key: 'trade.amended' },
      },
      { ...context, commandId: passedBy },
    );
    if (!passed.ok) return { reply: passed, isKept: false };
    const reply = await waiting;
    if (reply === null) throw pending();
    return { reply, isKept: bodyHash !== null && reply.answer.key !== PAUSED };
  }

  /**
   * The id under which the ledger passes an amend on. It differs from the call's, since the answer of the call is the
   * engine's; a retry of the call finds the same one. A refusal of the engine ends it: the ledger passes nothing on
   * again under it, so a call that comes once its key is free has the next one. It is chosen before the ledger is
   * asked: a refusal stored after that may be of this very call, whose first reply was lost [SPOT-236].
   */
  private async openCommandId(commandId: string, bodyHash: string | null): Promise<string> {
    let id = `${commandId}.amend`;
    for (let count = 2; bodyHash !== null && (await this.answers.find(id)); count += 1)
      id = `${commandId}.amend.${count}`;
    return id;
  }

  /** The stored answer, for a lost reply of the engine. It is stored only for calls with a key. */
  private async stored(commandId: string, bodyHash: string | null): Promise<LedgerReply | null> {
    if (bodyHash === null) return null;
    const found = await this.answers.find(commandId);
    return found?.state === 'done' ? replyOf(commandId, found.answer) : null;
  }
}
