import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { ITEMS_MAX, type OrderOutcome, type RefusalType } from '@bourse/contract';
import { AnswerStore } from '@bourse/persistence';
import {
  inOrder,
  present,
  readFields,
  refuse,
  refusalOf,
  refusalType,
  Reply,
  type CallContext,
  type FieldRecord,
  type Notice,
} from '@bourse/platform';
import { pending } from '@bourse/ledger-client';
import { AmendOrders } from './amend-orders.js';
import { CancelOrders } from './cancel-orders.js';
import {
  AmendOrderBody,
  BatchItemFields,
  CancelOrderBody,
  OcoBody,
  PlaceOrderBody,
  type CancelListBody,
  type OrderBatchBody,
} from './order-fields.js';
import { PlaceOrder, type CommandContext } from './place-order.js';

/** One change of an order, under the context of its item. */
type Change = (context: CommandContext) => Promise<Notice>;
interface Item {
  /** The names of the order that it changes. */
  readonly id?: string | undefined;
  readonly clientOrderId?: string | undefined;
  readonly change: Change;
}

/**
 * Several changes of orders in one call, each answered as its own call would be. Under a key each item has its own
 * command id, so that a retry continues an interrupted batch.
 */
@Injectable()
export class OrderBatch {
  constructor(
    private readonly placing: PlaceOrder,
    private readonly amending: AmendOrders,
    private readonly cancelling: CancelOrders,
    private readonly answers: AnswerStore,
  ) {}

  /** POST /api/coin/batch: one item after the other. @throws Refused for the list as a whole; `pending`. */
  async batch(userId: number, body: OrderBatchBody, context: CommandContext): Promise<Reply> {
    return this.once(context, async () => {
      const outcomes: OrderOutcome[] = [];
      for (const [index, fields] of inOrder(body).items.entries())
        outcomes.push(await this.outcome(this.itemOf(userId, fields), contextOf(context, index)));
      return outcomes;
    });
  }

  /** POST /api/coin/cancel: all at once. @throws as `batch` */
  async cancel(userId: number, body: CancelListBody, context: CommandContext): Promise<Reply> {
    return this.once(context, () => {
      const { ids = [], clientOrderIds = [] } = inOrder(body);
      const count = ids.length + clientOrderIds.length;
      if (count === 0) throw refuse('common.fieldRequired', 'ids');
      if (count > ITEMS_MAX) throw refuse('common.fieldInvalid', 'ids');
      const names: FieldRecord[] = [
        ...ids.map((id) => ({ id })),
        ...clientOrderIds.map((name) => ({ client_order_id: name })),
      ];
      return Promise.all(
        names.map((fields, index) =>
          this.outcome(this.itemOf(userId, { op: 'cancel', ...fields }), contextOf(context, index)),
        ),
      );
    });
  }

  private itemOf(userId: number, fields: FieldRecord): Item {
    const change: Change = (context) => {
      const { op } = readFields(BatchItemFields, fields);
      if (op === 'place') return this.placing.execute(userId, readFields(PlaceOrderBody, fields), context);
      if (op === 'oco') return this.placing.pair(userId, readFields(OcoBody, fields), context);
      if (op === 'amend') return this.amending.execute(userId, readFields(AmendOrderBody, fields), context);
      return this.cancelling.one(userId, readFields(CancelOrderBody, fields), context);
    };
    return { id: present(fields, 'id'), clientOrderId: present(fields, 'client_order_id'), change };
  }

  private async outcome({ id, clientOrderId, change }: Item, context: CommandContext): Promise<OrderOutcome> {
    const named = {
      ...(id === undefined ? {} : { id }),
      ...(clientOrderId === undefined ? {} : { client_order_id: clientOrderId }),
    };
    try {
      const { key, params, extra } = await change(context);
      const order = extra['order'] as OrderOutcome['order'];
      return {
        type: 'ok',
        key,
        ...(Object.keys(params).length > 0 ? { params } : {}),
        ...(order && order.client_order_id !== '' ? { client_order_id: order.client_order_id } : {}),
        ...(extra as Partial<OrderOutcome>),
      };
    } catch (error) {
      const refusal = refusalOf(error);
      if (!refusal) throw error;
      const type = outcomeType(refusalType(refusal));
      // A retry under the key answers the outcome of this item.
      if (type === 'pending' && context.hasKey) throw pending();
      const { key, params, options } = refusal;
      return {
        type,
        key,
        ...(Object.keys(params).length > 0 ? { params } : {}),
        ...(options.field === undefined ? {} : { field: options.field }),
        ...named,
      };
    }
  }

  private async once(context: CommandContext, decide: () => Promise<readonly OrderOutcome[]>): Promise<Reply> {
    const answer = await this.answers.once(context as CallContext, async () => new Reply(await decide()));
    if (answer instanceof Reply) return answer;
    throw new Error('invariant: a stored answer of a batch is a reply or a refusal');
  }
}

/** The context of an item: its command id derives from that of the call, so that a retry has the same. */
function contextOf(context: CommandContext, index: number): CommandContext {
  if (context.commandId === null || !context.hasKey) return { ...context, commandId: null };
  const commandId = createHash('sha256').update(`${context.commandId}\n${index}`).digest('base64url');
  return { ...context, commandId };
}

const outcomeType = (type: RefusalType): OrderOutcome['type'] => (type === 'pending' ? 'pending' : 'error');
