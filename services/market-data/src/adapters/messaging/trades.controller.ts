import { Controller } from '@nestjs/common';
import { EventPattern, Payload } from '@nestjs/microservices';
import { TOPICS } from '@bourse/events';
import { batches, type MessageBatch } from '@bourse/messaging';
import { Trades } from '../../application/trades.js';
import { MarketDatabase } from '../persistence/market-database.js';

/** Trades that arrive within this time are folded together while many come, ms; quotations leave as often. */
const GATHER_MS = 250;

/** Takes the trades of all books from the log. */
@Controller()
export class TradesController {
  constructor(private readonly trades: Trades) {}

  @EventPattern(
    TOPICS.spotEvents,
    batches({
      consumer: 'market.trades',
      database: MarketDatabase,
      relaxed: true,
      gatherMs: GATHER_MS,
      gatherWhen: 'busy',
    }),
  )
  take(@Payload() { messages, tx }: MessageBatch): Promise<void> {
    return this.trades.take(messages, tx);
  }
}
