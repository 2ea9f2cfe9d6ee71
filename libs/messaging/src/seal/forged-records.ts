import type { Alarms, SecurityLog } from '@bourse/platform';

/** The alarm is cleared after this time without a forged record. */
const QUIET_MS = 30_000;
const LINE_EVERY_MS = 1_000;

/**
 * Reports records without a valid signature of one of our services: an alarm while they come, and lines of the security
 * log, limited in number during a flood.
 */
export class ForgedRecords {
  private readonly quiet = new Map<string, NodeJS.Timeout>();
  private readonly lines = new Map<string, { at: number; unsaid: number }>();

  constructor(
    private readonly alarms: Alarms,
    private readonly security: Pick<SecurityLog, 'record'>,
  ) {}

  found(topic: string, what: string): void {
    const alarm = `forged:${topic}`;
    if (!this.quiet.has(alarm)) this.alarms.raise(alarm, `records are dropped, of which the first: ${what}`);
    clearTimeout(this.quiet.get(alarm));
    this.quiet.set(
      alarm,
      setTimeout(() => {
        this.quiet.delete(alarm);
        this.alarms.clear(alarm);
      }, QUIET_MS).unref(),
    );
    const now = performance.now();
    const line = this.lines.get(topic);
    if (line && now - line.at < LINE_EVERY_MS) line.unsaid += 1;
    else {
      this.security.record('record.forged', { topic, what, unsaid: line?.unsaid ?? 0 });
      this.lines.set(topic, { at: now, unsaid: 0 });
    }
  }
}
