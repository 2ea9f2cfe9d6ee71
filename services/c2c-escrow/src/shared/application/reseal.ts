import { Logger, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import type { Alarms, Metrics } from '@bourse/platform';

const SWEEP_INTERVAL_MS = 10 * 60_000;
const PAGE_SIZE = 200;

export interface SealedRow {
  readonly id: string;
  readonly facts: string;
}
/** Sealed facts of the rows of one kind. */
export interface SealedRows {
  /** Rows whose facts do not begin with `prefix`, in the order of their ids, after the id `behind`. */
  listNotUnder(prefix: string, behind: string, limit: number): Promise<readonly SealedRow[]>;
  /** Replaces the facts only if they are unchanged. */
  replace(row: SealedRow, facts: string): Promise<void>;
}
export interface ResealSpec {
  /** Label of the metric. */
  readonly what: string;
  readonly alarm: string;
  readonly rows: SealedRows;
  readonly prefix: string;
  /** @throws Error when no key opens it */
  reseal(row: SealedRow): string;
}

/**
 * Reseals facts that are sealed under an earlier key or stored in the clear, beside the running exchange
 * (docs/data-keys.md).
 */
export abstract class Reseal implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly log = new Logger('Reseal');
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly spec: ResealSpec,
    private readonly alarms: Alarms,
    private readonly metrics: Metrics,
  ) {}

  onApplicationBootstrap(): void {
    const { what } = this.spec;
    const work = (): void => {
      this.run().catch((error: unknown) => this.log.warn(`${what}: resealing failed and is retried: ${String(error)}`));
    };
    work();
    this.timer = setInterval(work, SWEEP_INTERVAL_MS).unref();
  }
  beforeApplicationShutdown(): void {
    clearInterval(this.timer);
  }

  /** @returns the number of rows resealed, and the number that no key opens */
  async run(): Promise<{ readonly sealed: number; readonly broken: number }> {
    const { what, alarm, rows, prefix } = this.spec;
    let [sealed, broken, behind] = [0, 0, '0'];
    for (;;) {
      const page = await rows.listNotUnder(prefix, behind, PAGE_SIZE);
      for (const row of page) {
        if (await this.resealRow(row)) sealed += 1;
        else broken += 1;
        behind = row.id;
      }
      if (page.length < PAGE_SIZE) break;
    }
    this.metrics
      .gauge('bourse_data_stale_rows', 'Rows in the clear or sealed under an earlier key', ['what'])
      .set({ what }, broken);
    if (broken > 0)
      this.alarms.raise(alarm, `${broken} rows (${what}) do not open: a key is missing (docs/data-keys.md)`);
    else this.alarms.clear(alarm);
    return { sealed, broken };
  }

  private async resealRow(row: SealedRow): Promise<boolean> {
    let facts: string;
    try {
      facts = this.spec.reseal(row);
    } catch {
      return false;
    }
    await this.spec.rows.replace(row, facts);
    return true;
  }
}
