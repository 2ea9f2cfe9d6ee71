import type { Alarms, SecurityLog } from '@bourse/platform';

/** The alarm stands until nothing forged has come for so long. */
const QUIET_MS = 30_000;
const LINE_EVERY_MS = 1_000;

/**
 * Tells of records that nobody of ours has signed: an alarm while they come, and lines of the security log, not one for
 * each of a flood.
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
