import { Injectable, Logger } from '@nestjs/common';
import { Parties } from '@bourse/messaging';
import { Clock } from '@bourse/platform';
import { AdStore } from './ports.js';

/** What auth said so long ago still holds: the market is read by everybody, and a role is lost seldom. */
const CACHE_MS = 2_000;

/** Which owners of shops' ads are no sellers any more: nobody can take their ads, so nobody is shown them. */
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

  /** As auth said a moment ago; while it is away, as it said last: whoever takes an ad is refused all the same. */
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
      this.logger.warn(`who sells could not be asked: ${String(error)}`);
      return this.known?.lost ?? [];
    }
  }
}
