import { Injectable, Logger } from '@nestjs/common';
import { SpotTriggerV1, TOPICS } from '@bourse/events';
import { LedgerClient } from '@bourse/ledger-client';
import { Clock } from '@bourse/platform';
import { priceText, type Order } from '@bourse/matching';
import { LocalBooks } from './local-books.js';
import { Markets, type ListedMarket, type Mark } from './markets.js';

/** How long a command may wait for its ledger: longer than any ledger is away. */
const VALID_MS = 600_000;
/** A command that has not started its order by then is sent again, if the mark still reaches it. */
const AGAIN_MS = 5_000;

/**
 * Sends the books the commands that start the stops which a fresh mark reaches. The books know no mark by themselves: a
 * trigger takes the way of a cancel, is durable before it has an effect, and has one effect however often it is sent.
 * Each copy starts the stops of the books that it runs. A tick costs nothing in a market without such stops.
 */
@Injectable()
export class MarkTriggers {
  private readonly logger = new Logger('MarkTriggers');
  /** When the last command was sent for the orders that the last mark reached, by real time. */
  private sent: ReadonlyMap<Order, number> = new Map();

  constructor(
    private readonly markets: Markets,
    private readonly books: LocalBooks,
    private readonly ledger: LedgerClient,
    private readonly clock: Clock,
  ) {
    markets.onFeed(() => this.compareMarks());
  }

  /** Compares the marks of the last tick with the stops that wait for them. */
  private compareMarks(): void {
    const now = this.clock.real();
    const sent = new Map<Order, number>();
    for (const { market, engine } of this.books.waitingForMark()) {
      // A book keeps the pair as it was when it started: the catalog knows whether it is open now.
      const isOpen = engine.state.mode === 'normal' && this.markets.bySymbol(market.symbol)?.openSpot === true;
      const mark = isOpen ? this.markets.mark(market) : null;
      if (!mark) continue;
      for (const order of engine.reachedByMark(mark.ticks)) {
        const before = this.sent.get(order);
        const isWaited = before !== undefined && now - before < AGAIN_MS;
        sent.set(order, isWaited ? before : now);
        if (!isWaited) void this.send(market, order, mark);
      }
    }
    this.sent = sent;
  }

  private async send(market: ListedMarket, { id, userId }: Order, { ticks, at }: Mark): Promise<void> {
    const { symbol } = market;
    const message = SpotTriggerV1.encode({ orderId: id, userId, symbol, mark: priceText(market, ticks), markAt: at });
    try {
      await this.ledger.sendUnanswered(
        {
          issuer: 'spot-matching',
          userId,
          // No money moves: a freeze of its owner stops no stop, as with a trade that starts one.
          onBehalfOf: null,
          journals: [],
          forward: { topic: TOPICS.spotCommands, partition: this.markets.partitionOf(market), message },
        },
        this.clock.real() + VALID_MS,
      );
    } catch (error) {
      this.logger.warn(`order ${id} is reached by the mark and was not sent its trigger: ${(error as Error).message}`);
    }
  }
}
