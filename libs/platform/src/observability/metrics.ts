import { Injectable } from '@nestjs/common';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';

/** A value of a gauge with its labels. */
export interface Figure {
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** A figure read from a database for a scrape is not read again within this time, ms. */
const READ_AGAIN_MS = 10_000;

/**
 * Metrics of this process, in Prometheus' text form at `/metrics`. A second request for a name returns the same metric.
 */
@Injectable()
export class Metrics {
  readonly registry = new Registry();
  private readonly metrics = new Map<string, Counter | Gauge | Histogram>();
  private defaults = false;

  counter(name: string, help: string, labelNames: readonly string[] = []): Counter {
    return this.once(name, () => new Counter({ name, help, labelNames: [...labelNames], registers: [this.registry] }));
  }
  /** `collect` is called at each scrape and sets the value then. */
  gauge(
    name: string,
    help: string,
    labelNames: readonly string[] = [],
    collect?: (gauge: Gauge) => void | Promise<void>,
  ): Gauge {
    return this.once(
      name,
      () =>
        new Gauge({
          name,
          help,
          labelNames: [...labelNames],
          registers: [this.registry],
          ...(collect
            ? {
                collect(this: Gauge) {
                  return collect(this);
                },
              }
            : {}),
        }),
    );
  }
  /**
   * A gauge that is read from a database at a scrape, at most every 10 s. While it cannot be read it has no value: an
   * old value would look like a true one.
   */
  queried(name: string, help: string, labelNames: readonly string[], read: () => Promise<readonly Figure[]>): Gauge {
    let again = 0;
    return this.gauge(name, help, labelNames, async (gauge) => {
      if (performance.now() < again) return;
      again = performance.now() + READ_AGAIN_MS;
      let figures: readonly Figure[] = [];
      try {
        figures = await read();
      } catch {
        again = 0; // the database's own alarms give the reason
      }
      gauge.reset();
      // The client leaves one without labels at 0.
      if (labelNames.length === 0) gauge.remove();
      for (const { labels, value } of figures) gauge.set({ ...labels }, value);
    });
  }

  /** Buckets in seconds unless given, as Prometheus has times. */
  histogram(
    name: string,
    help: string,
    labelNames: readonly string[] = [],
    buckets: readonly number[] = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5],
  ): Histogram {
    return this.once(
      name,
      () =>
        new Histogram({ name, help, labelNames: [...labelNames], buckets: [...buckets], registers: [this.registry] }),
    );
  }

  async text(): Promise<string> {
    // On the first scrape: a process that is not scraped needs no event-loop monitor.
    if (!this.defaults) {
      collectDefaultMetrics({ register: this.registry });
      this.defaults = true;
    }
    return this.registry.metrics();
  }

  private once<M extends Counter | Gauge | Histogram>(name: string, make: () => M): M {
    const known = this.metrics.get(name);
    if (known) return known as M;
    const made = make();
    this.metrics.set(name, made);
    return made;
  }
}
