import { Injectable, Logger } from '@nestjs/common';
import { Asks, authAsks, gatewayAsks } from '@bourse/messaging';
import { Openings } from '../../application/ports.js';

/** How long the answer about the product holds, the same for all people: a breaker is in force within 1 s. */
const KNOWN_MS = 500;
/** Timeout of both questions. Liquidations wait behind a worker that asks, and are due 1 s after their tick. */
const ASK_TIMEOUT_MS = 500;

/** Asks the gateway about the product, and auth about the person. */
@Injectable()
export class AskedOpenings extends Openings {
  private readonly logger = new Logger('Openings');
  private known: { readonly until: number; readonly stopped: Promise<boolean> } | null = null;

  constructor(private readonly asks: Asks) {
    super();
  }

  async areOpen(userId: number): Promise<boolean> {
    try {
      const [isStopped, frozen] = await Promise.all([
        this.isProductStopped(),
        this.asks.ask(authAsks.frozen, { userIds: [userId], from: 'trade' }, ASK_TIMEOUT_MS),
      ]);
      return !isStopped && frozen.length === 0;
    } catch (error) {
      this.logger.warn(`trigger orders wait: ${(error as Error).message}`);
      return false;
    }
  }

  private isProductStopped(): Promise<boolean> {
    if (this.known && performance.now() < this.known.until) return this.known.stopped;
    const stopped = this.asks
      .ask(gatewayAsks.openings, { breaker: 'lever' }, ASK_TIMEOUT_MS)
      .then((answer) => answer.stopped);
    this.known = { until: performance.now() + KNOWN_MS, stopped };
    return stopped;
  }
}
