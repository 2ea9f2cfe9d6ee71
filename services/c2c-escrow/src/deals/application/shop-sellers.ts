import { Injectable, Logger } from '@nestjs/common';
import { Parties } from '@bourse/messaging';
import { Clock } from '@bourse/platform';
import { AdStore } from './ports.js';

/** How long an answer of auth is reused: the market is read often, and a role is lost seldom. */
const CACHE_MS = 2_000;

/** Finds owners of shop ads who have lost the role of a seller, so that lists leave out ads that cannot be taken. */
@Injectable()
export class ShopSellers {
  private readonly logger = new Logger('ShopSellers');
  private known: { readonly at: number; readonly lost: readonly number[] } | undefined;
  private asking: Promise<readonly number[]> | undefined;

  constructor(
    private readonly ads: AdStore,
    private readonly parties: Parties,
    private readonly clock: Clock,
  ) {}

  /** Up to `CACHE_MS` old; while auth is unavailable, the last answer. Taking an ad checks the role again. */
  async listFormerSellers(): Promise<readonly number[]> {
    if (this.known && this.clock.real() - this.known.at < CACHE_MS) return this.known.lost;
    this.asking ??= this.askAuth().finally(() => {
      this.asking = undefined;
    });
    return this.asking;
  }

  private async askAuth(): Promise<readonly number[]> {
    try {
      const owners = await this.ads.listShopOwners();
      const facts = await this.parties.facts(owners);
      const lost = owners.filter((owner) => facts.get(owner)?.isSeller === false);
      this.known = { at: this.clock.real(), lost };
      return lost;
    } catch (error) {
      this.logger.warn(`the roles of sellers could not be read: ${String(error)}`);
      return this.known?.lost ?? [];
    }
  }
}
