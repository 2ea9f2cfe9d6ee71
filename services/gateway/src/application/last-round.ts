import { Injectable } from '@nestjs/common';
import { Clock } from '@bourse/platform';
import { RoundStore, type AuditResult } from './round-store.js';

/** Anybody may ask, as often as the rates allow: the row is read at most so often. */
const FRESH_MS = 2_000;

/** The last round of the auditors, for `/api/status` and the metrics: whichever gateway ran it. */
@Injectable()
export class LastRound {
  private readAt = Number.NEGATIVE_INFINITY;
  private known: Promise<AuditResult | null> = Promise.resolve(null);

  constructor(
    private readonly rounds: RoundStore,
    private readonly clock: Clock,
  ) {}

  /** At most two seconds old; null before the first round, or while its row cannot be read. */
  read(): Promise<AuditResult | null> {
    if (this.clock.real() - this.readAt >= FRESH_MS) {
      this.readAt = this.clock.real();
      this.known = this.rounds.read().catch(() => null);
    }
    return this.known;
  }

  /** There is a newer one. */
  forget(): void {
    this.readAt = Number.NEGATIVE_INFINITY;
  }
}
