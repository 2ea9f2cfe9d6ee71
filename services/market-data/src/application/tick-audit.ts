import { Inject, Injectable } from '@nestjs/common';
import type { PairRow } from '@bourse/contract';
import type { AuditCheck } from '@bourse/messaging';
import type { Tx } from '@bourse/persistence';
import { Clock, Config, keptSince } from '@bourse/platform';
import { tickFault, type TickHead } from '../domain/tick-chain.js';
import { isTickSigned } from './tick-key.js';
import { TickStore } from './tick-store.js';

/** Ticks of each market that one round checks: a few rounds of the auditor overlap. */
const CHECKED_TICKS = 60;

/** Whether the newest recorded prices are one chain that ends at the head, signed by a key of its time. */
@Injectable()
export class TickAudit {
  constructor(
    private readonly store: TickStore,
    @Inject(Config) private readonly config: Pick<Config, 'retentionDays'>,
    @Inject(Clock) private readonly clock: Pick<Clock, 'now'>,
  ) {}

  async check(tx: Tx, pairs: readonly PairRow[]): Promise<AuditCheck> {
    const heads = await this.store.heads(tx);
    let fault: string | null = null;
    for (const pair of pairs) {
      const found = await this.faultOf(tx, pair, heads.get(pair.id));
      if (found !== null) fault ??= `${pair.symbol}: ${found}`;
    }
    return {
      name: 'ticks',
      ok: fault === null,
      detail: fault ?? 'recorded prices are unbroken chains up to their heads',
    };
  }

  private async faultOf(tx: Tx, { id: pairId, symbol }: PairRow, head: TickHead | undefined): Promise<string | null> {
    const ticks = await this.store.newest(tx, pairId, CHECKED_TICKS);
    const last = ticks.at(-1);
    if (!last) {
      // After a pause longer than the retention of ticks, the last one is deleted and the next one has not come.
      const isKept = head !== undefined && head.time >= keptSince(this.config.retentionDays, 'ticks', this.clock.now());
      return isKept ? `its head is at tick ${head.id} and there is none` : null;
    }
    if (head?.id !== last.id || head.hash !== last.hash || head.time !== last.time)
      return `its head is at tick ${head?.id ?? 'none'} and its last tick is ${last.id}, or another one`;
    for (const [index, tick] of ticks.entries()) {
      const fault = tickFault(ticks[index - 1], { ...tick, symbol });
      if (fault !== null) return fault;
    }
    return isTickSigned(last.publicKey, last.hash, last.signature)
      ? null
      : `tick ${last.id} does not have the signature of its key`;
  }
}
