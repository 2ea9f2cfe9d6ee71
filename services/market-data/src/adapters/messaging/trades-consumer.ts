import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { TOPICS } from '@bourse/events';
import { Log } from '@bourse/messaging';
import { Trades } from '../../application/trades.js';
import { MarketDatabase } from '../persistence/market-database.js';

/** Takes the trades of all books from the log. */
@Injectable()
export class TradesConsumer implements OnApplicationBootstrap {
  constructor(
    private readonly log: Log,
    private readonly database: MarketDatabase,
    private readonly trades: Trades,
  ) {}

  onApplicationBootstrap(): void {
    this.log.consume({
      consumer: 'market.trades',
      topic: TOPICS.spotEvents,
      database: this.database,
      relaxed: true,
      gatherMs: 50,
      handle: (messages, tx) => this.trades.take(messages, tx),
    });
  }
}
