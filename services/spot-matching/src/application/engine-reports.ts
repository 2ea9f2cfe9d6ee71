import { Injectable } from '@nestjs/common';
import type { SpotOrder } from '@bourse/contract';
import type { Order } from '@bourse/matching';

/** The id of an order, or its owner's. */
type OrderKey = { readonly id: string } | { readonly clientOrderId: string };
const fitting = (by: OrderKey): ((order: Order) => boolean) =>
  'id' in by ? ({ id }) => id === by.id : ({ clientOrderId }) => clientOrderId === by.clientOrderId;

/** Accepted orders are kept this long until their engine's commit. */
const REMEMBERED_MS = 60_000;
/** Done orders that are kept. */
const DONE_MAX = 20_000;

/**
 * Reports the engine's commits to the calls of this process, and keeps the orders that were answered as accepted before
 * their commit.
 */
@Injectable()
export class EngineReports {
  private readonly waiting = new Map<string, (order: SpotOrder) => void>();
  private readonly accepted = new Map<string, { readonly order: Order; readonly timer: NodeJS.Timeout }>();
  /** Orders whose calls were answered after they ran in their book and before its commit. */
  private readonly answered = new Map<string, Order>();
  /** Orders that ended last, as committed; they never change again. */
  private readonly done = new Map<string, Order>();

  /** Resolves with the order's state after the commit that placed it; never after `forget` was called. */
  wait(orderId: string): Promise<SpotOrder> {
    return new Promise((resolve) => {
      this.waiting.set(orderId, resolve);
    });
  }
  /** Ends the wait, because the call has been answered. */
  forget(orderId: string): void {
    this.waiting.delete(orderId);
  }

  /** Keeps an order that was answered as accepted: it can be shown and cancelled before its commit. */
  remember(order: Order): void {
    this.accepted.set(order.id, {
      order,
      timer: setTimeout(() => this.accepted.delete(order.id), REMEMBERED_MS).unref(),
    });
  }
  /** Keeps an order as it runs in its book, until the commit: its rows do not show it before. */
  keepAnswered(order: Order): void {
    this.answered.set(order.id, order);
  }
  /** An own order whose call was answered before the commit of its book, in its present state. */
  findAnswered(userId: number, by: OrderKey): Order | null {
    const fits = fitting(by);
    for (const order of this.answered.values()) if (order.userId === userId && fits(order)) return { ...order };
    return null;
  }
  findAccepted(userId: number, by: OrderKey): Order | null {
    const fits = fitting(by);
    for (const { order } of this.accepted.values()) if (order.userId === userId && fits(order)) return order;
    return null;
  }

  /** The ids of a person's orders that were answered as accepted and are not known to be committed. */
  acceptedOf(userId: number): readonly string[] {
    return [...this.accepted.values()].filter(({ order }) => order.userId === userId).map(({ order }) => order.id);
  }

  /** Keeps an order that has ended and is committed: a late change of it reads no row. */
  noteDone(order: Order): void {
    this.done.set(order.id, order);
    if (this.done.size <= DONE_MAX) return;
    for (const oldest of this.done.keys()) {
      this.done.delete(oldest);
      break;
    }
  }
  /** An own order that has ended lately in this process. */
  findDone(userId: number, id: string): Order | null {
    const order = this.done.get(id);
    return order?.userId === userId ? order : null;
  }

  /** Whether a call waits for this order. */
  wants(orderId: string): boolean {
    return this.waiting.has(orderId);
  }
  /** The order was placed in its book. */
  committed(orderId: string): void {
    this.answered.delete(orderId);
    const known = this.accepted.get(orderId);
    if (!known) return;
    clearTimeout(known.timer);
    this.accepted.delete(orderId);
  }
  /** Reports an order to its call, once. */
  report(order: SpotOrder): void {
    this.waiting.get(order.id)?.(order);
    this.waiting.delete(order.id);
  }
}
