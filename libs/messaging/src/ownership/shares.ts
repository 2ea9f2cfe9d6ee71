import { Logger } from '@nestjs/common';
import { LEASE_MS, type Database } from '@bourse/persistence';
import { RENEW_MS } from './ownership.js';

/**
 * How many partitions of a consumer this instance may hold: an even share among the live instances (invariants §2.3).
 * An instance with more gives up the surplus between batches. Consumers with one partition do nothing.
 */
export class Shares {
  private readonly logger = new Logger('Log');
  private readonly held = new Map<number, (reason: string) => void>();
  private wanted = 0;
  private members = 1;
  private timer: NodeJS.Timeout | undefined;
  private first: Promise<void> | undefined;

  constructor(
    private readonly database: Database,
    private readonly consumer: string,
    private readonly instance: string,
  ) {}

  /** Adds one to the partitions that this instance wants. */
  want(): void {
    this.wanted += 1;
  }

  /** Subtracts one; the last one takes the instance off the list, so that the others need not wait. */
  async unwant(): Promise<void> {
    this.wanted -= 1;
    if (this.wanted > 0 || !this.timer) return;
    clearInterval(this.timer);
    this.timer = undefined;
    this.first = undefined;
    await this.database.tables.owners.unregisterInstance(this.consumer, this.instance);
  }

  /** True while this instance holds less than its share. */
  async mayTake(): Promise<boolean> {
    if (this.wanted <= 1) return true;
    this.timer ??= setInterval(() => void this.renew(), RENEW_MS).unref();
    this.first ??= this.renew();
    await this.first;
    return this.held.size < this.share;
  }

  hold(partition: number, giveUp: (reason: string) => void): void {
    this.held.set(partition, giveUp);
  }
  drop(partition: number): void {
    this.held.delete(partition);
  }

  private get share(): number {
    return Math.ceil(this.wanted / this.members);
  }

  /**
   * Registers this instance as live, counts the others, and gives up the partitions beyond its share, the highest
   * first.
   */
  private async renew(): Promise<void> {
    try {
      this.members = Math.max(
        1,
        await this.database.tables.owners.registerInstance(this.consumer, this.instance, LEASE_MS),
      );
    } catch (error) {
      this.logger.warn(`members of ${this.consumer} could not be read: ${(error as Error).message}`);
      return;
    }
    if (this.wanted <= 1) return;
    for (const [partition, giveUp] of [...this.held]
      .sort(([a], [b]) => b - a)
      .slice(0, Math.max(0, this.held.size - this.share))) {
      this.held.delete(partition);
      giveUp(`given up: ${this.members} instances share ${this.wanted} partitions`);
    }
  }
}
