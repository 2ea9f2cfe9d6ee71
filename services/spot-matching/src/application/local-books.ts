import { Injectable } from '@nestjs/common';
import type { DepthView } from '@bourse/events';
import type { MarketEngine, Order } from '@bourse/matching';
import type { DepthPublisher } from './depth-publisher.js';
import type { ListedMarket } from './markets.js';

/** The books that one owned partition runs. */
export interface PartitionBooks {
  readonly engines: ReadonlyMap<string, { readonly engine: MarketEngine; readonly market: ListedMarket }>;
  readonly depth: DepthPublisher;
}

/** The books that this process owns right now. */
@Injectable()
export class LocalBooks {
  private readonly partitions = new Map<number, PartitionBooks>();

  get owned(): number {
    return this.partitions.size;
  }
  set(partition: number, books: PartitionBooks): void {
    this.partitions.set(partition, books);
  }
  delete(partition: number): void {
    this.partitions.delete(partition);
  }

  /** The partition in this process that runs the market; undefined if none does. */
  partitionOf(symbol: string): number | undefined {
    for (const [partition, { engines }] of this.partitions) if (engines.has(symbol)) return partition;
    return undefined;
  }

  /** The markets whose books this process runs, and that have stops which wait for the mark. */
  *waitingForMark(): Generator<{ readonly market: ListedMarket; readonly engine: MarketEngine }> {
    for (const { engines } of this.partitions.values())
      for (const one of engines.values()) if (one.engine.waitsForMark) yield one;
  }

  /** Null when another process owns the market, or none does. */
  engine(symbol: string): MarketEngine | null {
    return this.of(symbol)?.engines.get(symbol)?.engine ?? null;
  }
  /**
   * An open order of this user in a book of this process, as in memory: its commit may still be in progress. Null: the
   * rows must be read.
   */
  openOrder(userId: number, orderId: string): { readonly order: Order; readonly pairId: number } | null {
    for (const { engines } of this.partitions.values()) {
      for (const { engine } of engines.values()) {
        const order = engine.open.get(orderId);
        if (order) return order.userId === userId ? { order, pairId: engine.market.pairId } : null;
      }
    }
    return null;
  }
  /** The committed book of a market; null when this process does not own it. */
  depth(symbol: string, levels: number): DepthView | null {
    return this.of(symbol)?.depth.view(symbol, levels) ?? null;
  }

  private of(symbol: string): PartitionBooks | undefined {
    for (const books of this.partitions.values()) if (books.engines.has(symbol)) return books;
    return undefined;
  }
}
