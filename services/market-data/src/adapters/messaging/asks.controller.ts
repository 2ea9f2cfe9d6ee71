import { Controller } from '@nestjs/common';
import { TOPICS, type PricesView } from '@bourse/events';
import {
  Answers,
  marketDataAsks,
  serviceAsks,
  type DayCloses,
  type QuestionOf,
  type ServiceDescription,
} from '@bourse/messaging';
import { DailyCloses } from '../../application/day-closes.js';
import { MarketAudit } from '../../application/audit.js';
import { Feed } from '../../application/feed.js';

/** The questions of other services to market-data. */
@Controller()
export class MarketAsksController {
  constructor(
    private readonly audit: MarketAudit,
    private readonly feed: Feed,
    private readonly closes: DailyCloses,
  ) {}

  @Answers(serviceAsks.describe('market-data'))
  describe(): ServiceDescription {
    return { service: 'market-data', audits: true, trades: { shows: TOPICS.spotEvents } };
  }

  /** The asker found the published quotations stale: the feed itself is read, not its last publication. */
  @Answers(marketDataAsks.prices)
  prices(): PricesView {
    return this.feed.pricesNow();
  }

  @Answers(marketDataAsks.dayCloses)
  dayCloses({ from, to }: QuestionOf<typeof marketDataAsks.dayCloses>): Promise<DayCloses> {
    return this.closes.between(from, to);
  }

  @Answers(serviceAsks.audit('market-data'))
  auditNow() {
    return this.audit.now();
  }

  @Answers(serviceAsks.auditTrades('market-data'))
  async auditTrades(span: QuestionOf<typeof serviceAsks.auditTrades>) {
    return { traded: await this.audit.traded(span) };
  }
}
