import { createHash } from 'node:crypto';
import { Turns } from '@bourse/platform/turns';
import { type ExchangeLine, OutcomeUnknown, type OrderUpdate, type Pairs } from './exchange-line.js';
import {
  isExpired,
  nameOf,
  rejection,
  reportsOf,
  statusOf,
  statusReport,
  unknownStatus,
  type SpotOrder,
} from './orders/order.js';
import {
  amending,
  cancelReason,
  checkFields,
  isTaken,
  Malformed,
  orderReason,
  placing,
  refusalText,
} from './orders/requests.js';
import type { Field, Message } from './protocol/message.js';
import type { FixSession } from './protocol/session.js';
import { TAG, TYPE } from './protocol/tags.js';
import type { Change, Request, SessionStore } from './store.js';

/** Behind every number of an event: the answer has no events, and says which one is the last. */
const NO_EVENT = 2 ** 31 - 1;
/** In place of the name of an order: all orders. */
const ALL = Symbol('all orders');
/** How long the report of a change may take after its answer: later than this, the answer is what is reported. Ms. */
const REPORT_MS = 10_000;

export interface OrderGatewayOptions {
  /** Name of the session; it makes the Idempotency-Keys of its requests its own. */
  readonly name: string;
  readonly store: SessionStore;
  readonly pairs: Pairs;
  readonly now: () => number;
  readonly log: (text: string) => void;
}

/** An order as the calls name it. */
type OrderTarget = Readonly<Record<'id', string> | Record<'client_order_id', string>>;
type Answer = Readonly<Record<string, unknown>> & { readonly type: string };

/**
 * The orders of one session: its requests go to the exchange, and changes of orders come back as reports. Reports are
 * made of the private events of the exchange alone, which are numbered: none is lost, and none comes twice.
 */
export class OrderGateway {
  private line: ExchangeLine | undefined;
  private isCopy = false;
  /** Events that came while those before them are still read. */
  private waiting: OrderUpdate[] | undefined;
  /** Requests by the first name of their order: those of one order, and mass cancels, are sent in their order. */
  private readonly lanes = new Turns<string | typeof ALL>(
    (earlier, later) => earlier === later || earlier === ALL || later === ALL,
  );
  /** The orders, by their first names, of the changes under way, by the names that these will give them. */
  private readonly coming = new Map<string, { readonly root: string }>();
  private reporting: Promise<void> = Promise.resolve();
  /** Those that wait for the next report. */
  private readonly waiters = new Set<() => void>();

  constructor(
    private readonly options: OrderGatewayOptions,
    private readonly session: FixSession,
  ) {}

  /** Reports from this connection to the exchange on, after what was missed since the last report. */
  async attach(line: ExchangeLine, { isCopy }: { readonly isCopy: boolean }): Promise<void> {
    const { store } = this.options;
    this.line = line;
    this.isCopy = isCopy;
    const waiting: OrderUpdate[] = [];
    this.waiting = waiting;
    line.onOrder((update) => {
      if (this.line !== line) return;
      if (this.waiting) this.waiting.push(update);
      else this.report(update);
    });
    const missed = await line.since(store.userSeq ?? NO_EVENT);
    if (this.line !== line) return;
    // A session that is new reports what happens from now on; an exchange that was set back counts from there.
    const isNew = store.userSeq === null || missed.user_seq < store.userSeq;
    if (isNew) await store.append({ userSeq: missed.user_seq });
    else if (missed.complete === 0) await this.reconcile(line, missed.user_seq);
    else
      for (const { event, payload } of missed.events) if (event === 'order_update') this.report(payload as OrderUpdate);
    this.waiting = undefined;
    for (const update of waiting) this.report(update);
    await this.reporting;
  }

  detach(): void {
    this.line?.close();
    this.line = undefined;
    this.wake();
  }

  /** Executes an application message. A message whose outcome is unknown is delivered again. */
  async handle(message: Message, isRepeat: boolean): Promise<void> {
    if (!isTaken(message.type))
      return this.session.send(
        TYPE.BusinessMessageReject,
        businessReject(message, '3', 'Unsupported message type'),
        this.session.doneChange(message),
      );
    try {
      checkFields(message);
      await this.carryOut(message, isRepeat || message.isSet(TAG.PossResend));
    } catch (error) {
      if (!(error instanceof Malformed)) throw error;
      await this.session.reject(message, error.tag, error.reason, error.message);
    }
  }

  private carryOut(message: Message, isRepeat: boolean): Promise<void> {
    switch (message.type) {
      case TYPE.NewOrderSingle:
        return this.place(message, isRepeat);
      case TYPE.OrderCancelRequest:
      case TYPE.OrderCancelReplaceRequest:
        return this.change(message);
      case TYPE.OrderStatusRequest:
        return this.reportStatus(message);
      default:
        return this.cancelAll(message, isRepeat);
    }
  }

  private async place(message: Message, isRepeat: boolean): Promise<void> {
    const { store, pairs } = this.options;
    const name = message.get(TAG.ClOrdID) ?? '';
    const refuse = (reason: string, text: string, change: Change = {}): Promise<void> =>
      this.session.send(
        TYPE.ExecutionReport,
        rejection(
          {
            name,
            symbol: message.get(TAG.Symbol) ?? '',
            side: message.get(TAG.Side) ?? '',
            amount: message.get(TAG.OrderQty) ?? '',
          },
          { execId: `R-${name}-${message.seq}`, reason, text },
        ),
        { ...this.session.doneChange(message), ...change },
      );
    const isKnown = store.names.has(name) || this.coming.has(name);
    // Its reports are stored and are resent by their numbers; the state answers the question.
    if (isKnown && isRepeat) return this.reportStatus(message);
    const isUnderWay = this.lanes.has(name) || store.requests.get(name)?.kind === 'place';
    if (isKnown || (isUnderWay && !isRepeat)) return refuse('6', 'DuplicateOrder');
    // Entered before anything is read: a cancel directly behind the order waits for it.
    await this.lanes.run(name, async () => {
      // Its first message was still under way, and was carried out meanwhile.
      if (isRepeat && store.names.has(name)) return this.askStatus(message, name);
      const pair = await pairs.find(message.get(TAG.Symbol) ?? '').catch(() => null);
      if (pair === null) return refuse('99', 'common.unavailable');
      if (!pair) return refuse('1', 'pair.delisted');
      const fields = placing(message, pair);
      await store.append({ requests: { [name]: { kind: 'place', name } } }, { isDurable: false });
      const answer = await this.ask('order.place', fields, name);
      const isOver = { requests: { [name]: null } };
      if (answer.type !== 'ok') await refuse(orderReason(String(answer['key'])), refusalText(answer), isOver);
      else if (answer['repeated'] === 1 && !isRepeat) await refuse('6', 'DuplicateOrder', isOver);
      // No event will report that it has come: that was read before this session asked for it, or was never its own.
      else if (isRepeat && (answer['repeated'] === 1 || !(await this.reported(name))))
        await this.askStatus(message, name, { isPlaced: true });
    });
  }

  /** Cancels or replaces an order. */
  private async change(message: Message): Promise<void> {
    const { store } = this.options;
    const name = message.get(TAG.ClOrdID) ?? '';
    const original = message.get(TAG.OrigClOrdID) ?? '';
    const isCancel = message.type === TYPE.OrderCancelRequest;
    const orderId = store.names.get(original) ?? message.get(TAG.OrderID);
    const isResent = message.isSet(TAG.PossDupFlag);
    const first = this.coming.get(name);
    const isTaken = store.names.has(name) || first !== undefined || this.lanes.has(name);
    const coming = { root: first?.root ?? this.rootOf(original, orderId) };
    const { root } = coming;
    const refuse = (reason: string, text: string, change: Change = {}): Promise<void> => {
      const order = store.orders.get(orderId ?? '');
      return this.session.send(
        TYPE.OrderCancelReject,
        [
          [TAG.OrderID, order?.id ?? 'NONE'],
          [TAG.ClOrdID, name],
          [TAG.OrigClOrdID, original],
          [TAG.OrdStatus, statusOf(order)],
          [TAG.CxlRejResponseTo, isCancel ? '1' : '2'],
          [TAG.CxlRejReason, reason],
          [TAG.Text, text],
        ],
        { ...this.session.doneChange(message), ...change },
      );
    };
    // A request that was carried out before a crash has its report in the store.
    if (isResent && store.names.has(name)) return undefined;
    // One whose first message still ends comes after that, under the same key.
    if (isTaken && !(isResent && first)) return refuse('6', 'Duplicate ClOrdID');
    this.coming.set(name, coming);
    try {
      await this.lanes.run(root, async () => {
        if (isResent && store.names.has(name)) return;
        const known = store.names.get(root) ?? (store.orders.has(root) ? root : message.get(TAG.OrderID));
        const target: OrderTarget = known === undefined ? { client_order_id: root } : { id: known };
        const request: Request = { kind: isCancel ? 'cancel' : 'replace', name };
        const fields = isCancel ? target : amending(message, target);
        await store.append({ requests: { [root]: request } }, { isDurable: false });
        const answer = await this.ask(isCancel ? 'order.cancel' : 'order.amend', fields, name);
        if (answer.type !== 'ok')
          await refuse(cancelReason(String(answer['key'])), refusalText(answer), { requests: { [root]: null } });
        // The report is an event of its own; the next request of the order must find the name that it gives.
        else if (!(await this.reported(name))) this.reportOrder(answer['order'] as SpotOrder, null, { isAnswer: true });
      });
    } finally {
      if (this.coming.get(name) === coming) this.coming.delete(name);
    }
  }

  /** The first name of an order, by which its requests are sent one after the other. */
  private rootOf(name: string, orderId: string | undefined): string {
    return (
      this.coming.get(name)?.root ??
      this.options.store.orders.get(orderId ?? '')?.names[0] ??
      // Its reports have no name that this session knows, unless it is placing the order just now.
      (this.lanes.has(name) ? name : orderId) ??
      name
    );
  }

  /** Reports the state of an order, after the requests for it that were sent before. */
  private reportStatus(message: Message): Promise<void> {
    const name = message.get(TAG.ClOrdID) ?? '';
    const root = this.rootOf(name, this.options.store.names.get(name) ?? message.get(TAG.OrderID));
    const ask = (): Promise<void> => this.askStatus(message, name);
    return this.lanes.has(root) ? this.lanes.run(root, ask) : ask();
  }

  /** `isPlaced`: it is the order of a request that no event reports; its changes are reported from here on. */
  private async askStatus(
    message: Message,
    name: string,
    { isPlaced = false }: { readonly isPlaced?: boolean } = {},
  ): Promise<void> {
    const { store } = this.options;
    const id = store.names.get(name) ?? message.get(TAG.OrderID);
    const question = message.get(TAG.OrdStatusReqID);
    const more: Field[] = question === undefined ? [] : [[TAG.OrdStatusReqID, question]];
    const answer = await this.ask('order.get', id === undefined ? { client_order_id: name } : { id });
    const symbol = message.get(TAG.Symbol) ?? '';
    const side = message.get(TAG.Side) ?? '';
    const now = answer.type === 'ok' ? (answer['message'] as SpotOrder) : undefined;
    const report = now
      ? statusReport(now, name, more)
      : unknownStatus({ name, symbol, side }, [...more, [TAG.Text, refusalText(answer)]]);
    await this.session.send(TYPE.ExecutionReport, report, {
      ...this.session.doneChange(message),
      ...(now && isPlaced ? this.knownChange(name, now) : {}),
    });
  }

  /** The change that makes a placed order known as it is now. */
  private knownChange(name: string, now: SpotOrder): Change {
    const isKnown = this.options.store.orders.has(now.id);
    const { order } = reportsOf(undefined, now, null, { isOld: true });
    return { requests: { [name]: null }, ...(isKnown ? {} : { orders: [order] }) };
  }

  /** Cancels the orders that were sent before it; those that are sent behind it wait for it. */
  private async cancelAll(message: Message, isRepeat: boolean): Promise<void> {
    const name = message.get(TAG.ClOrdID) ?? '';
    const kind = message.get(TAG.MassCancelRequestType) ?? '';
    const symbol = message.get(TAG.Symbol);
    if (kind === '1' && symbol === undefined) throw new Malformed(TAG.Symbol, 1, 'Required tag missing');
    if (kind === '7' && symbol !== undefined) throw new Malformed(TAG.Symbol, 2, 'Tag does not belong to this request');
    await this.lanes.run(ALL, () => this.carryOutCancelAll(message, { name, kind, symbol, isRepeat }));
  }

  private async carryOutCancelAll(
    message: Message,
    given: { readonly name: string; readonly kind: string; readonly symbol: string | undefined; isRepeat: boolean },
  ): Promise<void> {
    const { name, kind, symbol, isRepeat } = given;
    const answerWith = (response: string, more: readonly Field[]): Promise<void> =>
      this.session.send(
        TYPE.OrderMassCancelReport,
        [
          [TAG.OrderID, name],
          [TAG.ClOrdID, name],
          [TAG.MassCancelRequestType, kind],
          [TAG.MassCancelResponse, response],
          ...more,
        ],
        this.session.doneChange(message),
      );
    const refuse = (reason: string, text: string): Promise<void> =>
      answerWith('0', [
        [TAG.MassCancelRejectReason, reason],
        [TAG.Text, text],
      ]);
    const { store, pairs } = this.options;
    const pair = symbol === undefined ? undefined : await pairs.find(symbol).catch(() => null);
    if (pair === null) return refuse('99', 'common.unavailable');
    if (symbol !== undefined && !pair) return refuse('1', 'pair.delisted');
    // The exchange would return the answer that it keeps under the name, and cancel nothing.
    if (store.massCancels.has(name) && !isRepeat) return refuse('99', 'Duplicate ClOrdID');
    await store.append({ massCancels: { [name]: this.options.now() } }, { isDurable: false });
    const side = message.get(TAG.Side);
    const fields = {
      ...(pair ? { legal_id: pair.legal_id, currency_id: pair.currency_id } : {}),
      ...(side === undefined ? {} : { type: Number(side) }),
    };
    const answer = await this.ask('order.cancelAll', fields, name);
    if (answer.type !== 'ok') return refuse('99', refusalText(answer));
    const { length } = answer['ids'] as readonly string[];
    return answerWith(kind, [[TAG.TotalAffectedOrders, String(length)]]);
  }

  /**
   * Asks the exchange; `name` is the ClOrdID of a request, which makes its Idempotency-Key: the same request after a
   * crash is the same command.
   */
  private async ask(
    message: Parameters<ExchangeLine['ask']>[0],
    fields: Readonly<Record<string, string | number>>,
    name?: string,
  ): Promise<Answer> {
    if (!this.line) throw new OutcomeUnknown(message);
    const text = `${this.options.name}\n${message}\n${name}`;
    const intent = name === undefined ? undefined : createHash('sha256').update(text).digest('hex').slice(0, 40);
    const { answer } = await this.line.ask(message, fields, intent);
    return answer;
  }

  /** Waits until a request was reported, or its order ended otherwise; false: no report came in time. */
  private async reported(name: string): Promise<boolean> {
    const { store } = this.options;
    const isOpen = (): boolean => [...store.requests.values()].some((request) => request.name === name);
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      this.wake();
    }, REPORT_MS);
    while (isOpen() && this.line && !isLate) await new Promise<void>((resolve) => this.waiters.add(resolve));
    clearTimeout(timer);
    return !(isLate && isOpen() && this.line);
  }

  private wake(): void {
    const waiters = [...this.waiters];
    this.waiters.clear();
    for (const resolve of waiters) resolve();
  }

  /** Reports a private event of the exchange, together with its number. */
  private report({ order: now, fill, user_seq: userSeq }: OrderUpdate): void {
    const { store } = this.options;
    if (store.userSeq !== null && userSeq <= store.userSeq) return;
    this.reportOrder(now, fill, { change: { userSeq } });
  }

  /** `isAnswer`: the order is the answer to the request for it, whose report did not come. */
  private reportOrder(
    now: SpotOrder,
    fill: OrderUpdate['fill'],
    { change = {}, isAnswer = false }: { change?: Change; isAnswer?: boolean },
  ): void {
    const { store } = this.options;
    const known = store.orders.get(now.id);
    const root = known?.names[0] ?? (now.client_order_id === '' ? now.id : now.client_order_id);
    // A request for an order that the session did not place names it by its id.
    const key = store.requests.has(root) ? root : now.id;
    const request = store.requests.get(key);
    const isOurs = known !== undefined || request !== undefined;
    if (!isOurs && !this.isCopy) return this.keep(store.append(change, { isDurable: false }));
    const { order, reports, isAnswered } = reportsOf(known, now, fill, {
      request,
      isCopy: this.isCopy,
      // An order of another program that is seen first by a request for it was there before.
      isOld: isAnswer || (request !== undefined && key !== now.client_order_id),
    });
    const isOver = isAnswer || isAnswered || order.status === 2 || (request?.kind === 'place' && known === undefined);
    const bodies = isAnswer && reports.length === 0 && request ? [statusReport(now, request.name, [])] : reports;
    this.keep(
      this.session.sendAll(
        bodies.map((body) => ({ type: TYPE.ExecutionReport, body })),
        { ...change, orders: [order], ...(request && isOver ? { requests: { [key]: null } } : {}) },
      ),
    );
    this.wake();
  }

  /** Reports the present state of each open order, because its events are not kept any more. */
  private async reconcile(line: ExchangeLine, userSeq: number): Promise<void> {
    const { store } = this.options;
    for (const known of [...store.orders.values()].filter(({ status }) => status === 1)) {
      const { answer } = await line.ask('order.get', { id: known.id });
      if (answer.type !== 'ok') continue;
      const now = answer['message'] as SpotOrder;
      const body = statusReport(now, nameOf(known), [[TAG.Text, 'events were missed']]);
      const order = {
        ...known,
        filled: now.filled_amount,
        mean: now.trade_price,
        status: now.status,
        ...(isExpired(now) ? { isExpired: true as const } : {}),
        at: now.updated_ts,
      };
      this.keep(this.session.send(TYPE.ExecutionReport, body, { orders: [order] }));
    }
    await store.append({ userSeq });
  }

  private keep(work: Promise<void>): void {
    this.reporting = Promise.all([this.reporting, work]).then(() => undefined);
    this.reporting.catch((error: unknown) => this.options.log(`a report could not be stored: ${String(error)}`));
  }
}

const businessReject = (message: Message, reason: string, text: string): readonly Field[] => [
  [TAG.RefSeqNum, String(message.seq)],
  [TAG.RefMsgType, message.type],
  [TAG.BusinessRejectReason, reason],
  [TAG.Text, text],
];
