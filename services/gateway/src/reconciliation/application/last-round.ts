import { Injectable } from '@nestjs/common';
import { Clock } from '@bourse/platform';
import { RoundStore, type AuditResult } from './round-store.js';

/** The call is public and frequent: the row is read at most this often. */
const FRESH_MS = 2_000;
/**
 * A database that takes longer counts as unavailable: the status page waits for less time than a pool waits for a
 * connection.
 */
const READ_MS_MAX = 1_500;

/** The last round of the auditors, for `/api/status` and the metrics, whichever gateway ran it. */
@Injectable()
export class LastRound {
  private readAt = Number.NEGATIVE_INFINITY;
  private known: Promise<AuditResult | null> = Promise.resolve(null);
  private away = false;

  constructor(
    private readonly rounds: RoundStore,
    private readonly clock: Clock,
  ) {}

  /** At most two seconds old; null before the first round, or while its row cannot be read. */
  read(): Promise<AuditResult | null> {
    if (this.clock.real() - this.readAt >= FRESH_MS) {
      this.readAt = this.clock.real();
      this.known = this.readNow();
    }
    return this.known;
  }

  /** Whether the database is unavailable: the last read failed or took too long. */
  async databaseIsAway(): Promise<boolean> {
    await this.read();
    return this.away;
  }

  private async readNow(): Promise<AuditResult | null> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error('the database does not answer')), READ_MS_MAX);
    });
    try {
      const round = await Promise.race([this.rounds.read(), late]);
      this.away = false;
      return round;
    } catch {
      this.away = true;
      return null;
    } finally {
      clearTimeout(timer);
    }
  }

  /** Drops the cached round, because a newer one exists. */
  forget(): void {
    this.readAt = Number.NEGATIVE_INFINITY;
  }
}
