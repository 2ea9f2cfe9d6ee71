import { Controller } from '@nestjs/common';
import { MessagePattern, Payload } from '@nestjs/microservices';
import { TOPICS, type PricesView } from '@bourse/events';
import { askedBy, type ServiceDescription } from '@bourse/messaging';
import { EDGE_SERVICE } from '@bourse/platform';
import { MarketAudit, type MarketAuditRound, type TradedSums } from '../../application/audit.js';
import { Feed } from '../../application/feed.js';

/** The questions of other services to market-data. */
@Controller()
export class MarketAsksController {
  constructor(
    private readonly audit: MarketAudit,
    private readonly feed: Feed,
  ) {}

  @MessagePattern('market-data.describe', askedBy(EDGE_SERVICE))
  describe(): ServiceDescription {
    return { service: 'market-data', audits: true, trades: { shows: TOPICS.spotEvents } };
  }

  /** Who asks has found the published ones stale: the feed is looked at, not what it last said. */
  @MessagePattern('market-data.prices', askedBy(EDGE_SERVICE, 'wallet-ledger'))
  prices(): PricesView {
    return this.feed.pricesNow();
  }

  @MessagePattern('market-data.audit', askedBy(EDGE_SERVICE))
  auditNow(): Promise<MarketAuditRound> {
    return this.audit.now();
  }

  @MessagePattern('market-data.audit.trades', askedBy(EDGE_SERVICE))
  async auditTrades(@Payload() span: { symbol: string; from: number; to: number }): Promise<{ traded: TradedSums }> {
    return { traded: await this.audit.traded(span) };
  }
}
