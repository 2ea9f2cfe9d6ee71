import { Injectable, Logger, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { READ_VIEW, Views, type AuditCheck, type AuditView } from '@bourse/messaging';
import { Alarms, Clock, Metrics, Rounds, timeText } from '@bourse/platform';
import { Audit, REACH } from './audit.js';
import { Breakers } from '../../breakers/application/breakers.js';
import { LastRound } from './last-round.js';
import { RoundStore, type AuditResult } from './round-store.js';

const EVERY_MS = 15_000;
const POLL_INTERVAL_MS = 1_000;
const OWN_ALARM = 'audit:gateway';

/** Whether a failed check must stop the exchange. */
export const isHard = ({ ok, soft }: AuditCheck): boolean => !ok && soft !== true;
const sentence = (checks: readonly AuditCheck[]): string =>
  checks.map(({ name, detail }) => `${name}: ${detail}`).join('; ');

/** A round of the auditor as operators see it (api §2.12). */
export interface ShownAudit {
  readonly ok: 0 | 1;
  readonly checked_at: string;
  readonly checks: { readonly name: string; readonly ok: 0 | 1; readonly detail: string }[];
  readonly breakers: { readonly scope: string; readonly mode: string }[];
}

/**
 * Joins the services' auditors every 15 s and freezes the exchange on a violation: the gateway's own within the round
 * that confirmed it, a service's as soon as the service has reported it (invariants §1.2).
 */
@Injectable()
export class Auditor implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger('Auditor');
  private timer: NodeJS.Timeout | undefined;
  private unsubscribe: () => void = () => undefined;
  private readonly running = new Rounds(() => this.run());
  private stopped = false;

  constructor(
    private readonly audit: Audit,
    private readonly breakers: Breakers,
    private readonly rounds: RoundStore,
    private readonly lastRound: LastRound,
    private readonly views: Views,
    private readonly alarms: Alarms,
    private readonly clock: Clock,
    metrics: Metrics,
  ) {
    // Reads the stored round: all gateways report the same one, whichever ran it. While it cannot be read, no value is
    // reported.
    metrics.gauge('bourse_audit_ok', 'Whether the last round of the auditors found no violation', [], async (gauge) => {
      const round = await lastRound.read();
      if (round === null) gauge.remove();
      else gauge.set(round.checks.some(isHard) ? 0 : 1);
    });
    metrics.gauge('bourse_audit_check', 'Each check of the last round: 1 as it must be', ['name'], async (gauge) => {
      const round = await lastRound.read();
      gauge.reset();
      for (const { name, ok } of round?.checks ?? []) gauge.set({ name }, ok ? 1 : 0);
    });
    metrics.gauge(
      'bourse_audit_age_seconds',
      'Time since the last round of the auditors that every part answered',
      [],
      async (gauge) => {
        const wholeAt = (await lastRound.read())?.wholeAt;
        if (wholeAt === undefined) gauge.remove();
        else gauge.set(Math.max(0, clock.real() - wholeAt) / 1_000);
      },
    );
    metrics.gauge('bourse_audit_frozen', 'Whether the exchange is frozen until an operator reopens it', [], (gauge) =>
      gauge.set(this.breakers.frozen ? 1 : 0),
    );
  }

  onApplicationBootstrap(): void {
    this.unsubscribe = this.views.subscribe('audit/', ({ service, checks }: AuditView) => {
      const wrong = checks.filter(isHard);
      if (wrong.length > 0) this.stop(`${service}: ${sentence(wrong)}`);
    });
    this.timer = setInterval(() => {
      this.poll().catch((error: unknown) => {
        if (!this.stopped) this.logger.warn(`the audit could not run: ${String(error)}`);
      });
    }, POLL_INTERVAL_MS).unref();
  }

  beforeApplicationShutdown(): void {
    this.stopped = true;
    clearInterval(this.timer);
    this.unsubscribe();
  }

  /** The last round of all gateways; runs one if there is none. */
  async latest(): Promise<AuditResult> {
    return (await this.rounds.read()) ?? this.now();
  }

  /** Checks all invariants in a round that begins now: a running one may have read before a repair. */
  now(): Promise<AuditResult> {
    return this.running.next();
  }

  /** The result in the shape of the contract (api §2.12). */
  shown({ checkedAt, checks }: AuditResult): ShownAudit {
    return {
      ok: checks.every(({ ok }) => ok) ? 1 : 0,
      checked_at: timeText(checkedAt),
      checks: checks.map(({ name, ok, detail }) => ({ name, ok: ok ? 1 : 0, detail })),
      breakers: this.breakers.list(),
    };
  }

  private async poll(): Promise<void> {
    if (this.running.isRunning || this.stopped || !(await this.rounds.claim(EVERY_MS))) return;
    await this.now();
  }

  private async run(): Promise<AuditResult> {
    const { checks, own, read } = await this.audit.run();
    this.views.publish(READ_VIEW, read, true);
    const result = await this.dated(checks);
    const wrong = checks.filter(isHard);
    const found = own.filter(isHard);
    if (found.length > 0) this.alarms.raise(OWN_ALARM, sentence(found));
    else this.alarms.clear(OWN_ALARM);
    if (wrong.length > 0) await this.breakers.freeze(sentence(wrong));
    await this.rounds.write(result);
    this.lastRound.forget();
    return result;
  }

  /** The result of a round now. If a part did not answer, it carries the time of the last complete round. */
  private async dated(checks: readonly AuditCheck[]): Promise<AuditResult> {
    const checkedAt = this.clock.real();
    if (!checks.some(({ name, ok }) => name === REACH && !ok)) return { checkedAt, checks, wholeAt: checkedAt };
    // A violation stops the exchange even if the time of the last complete round is unknown.
    const before = await this.rounds.read().catch(() => null);
    return { checkedAt, checks, ...(before?.wholeAt === undefined ? {} : { wholeAt: before.wholeAt }) };
  }

  private stop(why: string): void {
    this.breakers
      .freeze(why)
      .catch((error: unknown) =>
        this.logger.error(`the exchange could not be frozen, retried in the next round: ${String(error)}`),
      );
  }
}
