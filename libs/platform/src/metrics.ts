import { Injectable } from '@nestjs/common';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';

/** Metrics of this process, in Prometheus' text form at `/metrics`. Asking for a name again gives the same metric. */
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
    // On the first scrape: processes nobody scrapes need no event-loop monitor.
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
