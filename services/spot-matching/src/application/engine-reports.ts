import { Injectable } from '@nestjs/common';
import type { SpotOrder } from '@bourse/contract';

/** Tells the calls of this process what the engine has committed. Only a shortcut: who hears nothing answers all the same. */
@Injectable()
export class EngineReports {
  private readonly waiting = new Map<string, (order: SpotOrder) => void>();

  /** Resolves with the order's state after the commit that took it in; never, once `forget` was called. */
  wait(orderId: string): Promise<SpotOrder> {
    return new Promise((resolve) => { this.waiting.set(orderId, resolve); });
  }
  /** Whoever waited has been answered. */
  forget(orderId: string): void { this.waiting.delete(orderId); }

  /** Whether anybody waits for this order. */
  wants(orderId: string): boolean { return this.waiting.has(orderId); }
  report(order: SpotOrder): void { this.waiting.get(order.id)?.(order); }
}
