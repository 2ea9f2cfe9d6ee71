import { Injectable, Logger, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { Alarms, Metrics } from '@bourse/platform';
import { DealPeople } from './deal-facts.js';

const SWEEP_MS = 10 * 60_000;
const PAGE = 200;
const ALARM = 'c2c-escrow.reseal';

export interface SealedDeal {
  readonly id: string;
  readonly facts: string;
}
/** What deals have sealed. */
export abstract class SealedDeals {
  /** Deals whose facts do not begin so, in the order of their ids, behind one. */
  abstract notUnder(prefix: string, behind: string, limit: number): Promise<readonly SealedDeal[]>;
  /** Only while they are what they were. */
  abstract replace(deal: SealedDeal, facts: string): Promise<void>;
}

/** Seals anew what lies under an earlier key, beside the running exchange (docs/data-keys.md). */
@Injectable()
export class DealReseal implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly log = new Logger('DealReseal');
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly deals: SealedDeals,
    private readonly people: DealPeople,
    private readonly alarms: Alarms,
    private readonly metrics: Metrics,
  ) {}

  onApplicationBootstrap(): void {
    const work = (): void => {
      this.run().catch((error: unknown) => this.log.warn(`deals stay sealed as they are for now: ${String(error)}`));
    };
    work();
    this.timer = setInterval(work, SWEEP_MS).unref();
  }
  beforeApplicationShutdown(): void {
    clearInterval(this.timer);
  }

  /** Returns how many were sealed anew, and how many no key opens. */
  async run(): Promise<{ readonly sealed: number; readonly broken: number }> {
    let [sealed, broken, behind] = [0, 0, '0'];
    for (;;) {
      const page = await this.deals.notUnder(this.people.prefix, behind, PAGE);
      for (const deal of page) {
        if (await this.again(deal)) sealed += 1;
        else broken += 1;
        behind = deal.id;
      }
      if (page.length < PAGE) break;
    }
    this.metrics
      .gauge('bourse_data_stale_rows', 'Rows in the clear or sealed under an earlier key', ['what'])
      .set({ what: 'deal' }, broken);
    if (broken > 0) this.alarms.raise(ALARM, `${broken} deals do not open: a key is missing (docs/data-keys.md)`);
    else this.alarms.clear(ALARM);
    return { sealed, broken };
  }

  private async again(deal: SealedDeal): Promise<boolean> {
    let facts: string;
    try {
      facts = this.people.seal(deal.id, this.people.open(deal.id, deal.facts));
    } catch {
      return false;
    }
    await this.deals.replace(deal, facts);
    return true;
  }
}
