import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { Clock, Traffic, type TrafficTotals } from '@bourse/platform';
import { Latency } from '../../shared/application/latency.js';

/** Interval between points; an hour of them is kept. */
const STEP_MS = 15_000;
const KEPT = 240;

export interface TrafficPoint {
  /** End of the step, milliseconds since 1970. */
  readonly time: number;
  /** Answered calls per second of the step, and the refused and failed ones among them. */
  readonly calls: number;
  readonly refused: number;
  readonly failed: number;
  /** 99 % of the last orders were acknowledged within this time, ms. */
  readonly ack_p99_ms: number;
}

/**
 * The answers of this gateway in the last hour, for the operators' dashboard. The history is lost with the process, and
 * each gateway has its own: Prometheus keeps that of all gateways.
 */
@Injectable()
export class TrafficHistory implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly points: TrafficPoint[] = [];
  private last: { readonly at: number; readonly totals: TrafficTotals };
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly traffic: Traffic,
    private readonly latency: Latency,
    private readonly clock: Clock,
  ) {
    this.last = { at: clock.real(), totals: traffic.totals() };
  }

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => this.sample(), STEP_MS).unref();
  }
  onApplicationShutdown(): void {
    clearInterval(this.timer);
  }

  /** Adds the step that ends now. */
  sample(): void {
    const at = this.clock.real();
    const totals = this.traffic.totals();
    const seconds = Math.max(1, at - this.last.at) / 1_000;
    const rate = (name: keyof TrafficTotals): number =>
      Math.round(((totals[name] - this.last.totals[name]) / seconds) * 100) / 100;
    this.points.push({
      time: at,
      calls: rate('calls'),
      refused: rate('refused'),
      failed: rate('failed'),
      ack_p99_ms: this.latency.report().submit_to_ack.p99,
    });
    if (this.points.length > KEPT) this.points.shift();
    this.last = { at, totals };
  }

  /** Oldest first. */
  all(): readonly TrafficPoint[] {
    return this.points;
  }
}
