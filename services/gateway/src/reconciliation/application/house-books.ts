import { Injectable, Logger } from '@nestjs/common';
import { Asks, serviceAsks, type HouseBook } from '@bourse/messaging';
import { Clock } from '@bourse/platform';
import { Descriptions } from '../../shared/application/descriptions.js';

/** The call is public and frequent: the services are queried at most this often. */
const FRESH_MS = 5_000;
const ASK_TIMEOUT_MS = 1_000;
const STANDS_MS = 60_000;

/**
 * The books of all products against the house, for `/api/status` (api §6.19). A service's last answer is used for a
 * minute while it does not answer.
 */
@Injectable()
export class HouseBooks {
  private readonly log = new Logger('HouseBooks');
  private readonly known = new Map<string, { readonly books: readonly HouseBook[]; readonly at: number }>();
  private askedAt = Number.NEGATIVE_INFINITY;
  private asking: Promise<void> | undefined;

  constructor(
    private readonly asks: Asks,
    private readonly descriptions: Descriptions,
    private readonly clock: Clock,
  ) {}

  /** The books, at most five seconds old if their services answer. */
  async all(): Promise<readonly HouseBook[]> {
    if (this.clock.real() - this.askedAt >= FRESH_MS) {
      this.asking ??= this.ask().finally(() => (this.asking = undefined));
      await this.asking;
    }
    const oldest = this.clock.real() - STANDS_MS;
    return [...this.known.values()].flatMap(({ books, at }) => (at >= oldest ? books : []));
  }

  private async ask(): Promise<void> {
    await Promise.all(
      this.descriptions.againstHouse().map(async (service) => {
        try {
          const books = await this.asks.ask(serviceAsks.house(service), {}, ASK_TIMEOUT_MS);
          this.known.set(service, { books, at: this.clock.real() });
        } catch (error) {
          this.log.debug(`${service}.house: ${String(error)}`);
        }
      }),
    );
    this.askedAt = this.clock.real();
  }
}
