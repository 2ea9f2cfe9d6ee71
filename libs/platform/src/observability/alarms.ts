import { Injectable, Logger } from '@nestjs/common';

export interface Alarm {
  readonly name: string;
  readonly detail: string;
  readonly since: number;
}

/**
 * Conditions that need an operator: a stopped stream, a payout whose account has too little. Logged, counted, and shown
 * by `/api/status`.
 */
@Injectable()
export class Alarms {
  private readonly raised = new Map<string, Alarm>();
  private readonly log = new Logger('Alarms');

  /** Raises an alarm or updates its detail; a new alarm and a new detail are logged. */
  raise(name: string, detail: string): void {
    const known = this.raised.get(name);
    if (known?.detail === detail) return;
    this.raised.set(name, { name, detail, since: known?.since ?? Date.now() });
    this.log.error(`ALARM ${name}: ${detail}`);
  }

  clear(name: string): void {
    if (this.raised.delete(name)) this.log.log(`alarm cleared: ${name}`);
  }

  list(): readonly Alarm[] {
    return [...this.raised.values()];
  }
}
