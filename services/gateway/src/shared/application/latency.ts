import { Injectable } from '@nestjs/common';

const KEPT = 1_000;
const FOLLOWED_MS = 10_000;

/** Latency of orders' answers and pushes: the last thousand of each, for `/api/status`. */
@Injectable()
export class Latency {
  private readonly acks: number[] = [];
  private readonly pushes: number[] = [];
  private readonly ackedAt = new Map<string, number>();
  private readonly pushedAt = new Map<string, number>();

  /** An order call was answered ok. */
  acked(orderId: string, tookMs: number, now: number): void {
    keep(this.acks, tookMs);
    const pushed = this.pushedAt.get(orderId);
    if (pushed !== undefined) {
      this.pushedAt.delete(orderId);
      keep(this.pushes, 0);
    } else this.follow(this.ackedAt, orderId, now);
  }

  /** The first private event of an order went out. */
  pushed(orderId: string, now: number): void {
    const acked = this.ackedAt.get(orderId);
    if (acked === undefined) return this.follow(this.pushedAt, orderId, now);
    this.ackedAt.delete(orderId);
    if (now - acked < FOLLOWED_MS) keep(this.pushes, now - acked);
  }

  report(): { submit_to_ack: { p50: number; p99: number }; ack_to_push: { p50: number; p99: number } } {
    return { submit_to_ack: quantiles(this.acks), ack_to_push: quantiles(this.pushes) };
  }

  private follow(map: Map<string, number>, orderId: string, now: number): void {
    map.set(orderId, now);
    for (const [id, at] of map) {
      if (now - at < FOLLOWED_MS && map.size <= 5_000) break;
      map.delete(id);
    }
  }
}

function keep(values: number[], value: number): void {
  values.push(value);
  if (values.length > KEPT) values.splice(0, values.length - KEPT);
}

function quantiles(values: readonly number[]): { p50: number; p99: number } {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (share: number): number =>
    Math.round((sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0) * 10) / 10;
  return { p50: at(0.5), p99: at(0.99) };
}
