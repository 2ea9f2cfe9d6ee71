import type { MatchTradePush, TradeRecord } from '@bourse/contract';

/** One trade on the tape. */
export interface TapeTrade {
  readonly id: string;
  readonly price: string;
  readonly amount: string;
  readonly ts: number;
  readonly direction: 'buy' | 'sell';
  /** The house traded with itself. */
  readonly house: boolean;
}

/** The newest trades of a pair, newest first, each once: the snapshot and the live stream overlap. */
export class Tape {
  readonly trades: TapeTrade[] = [];

  constructor(private readonly limit = 20) {}

  clear(): void {
    this.trades.length = 0;
  }

  /** @returns whether it was new */
  add(trade: TapeTrade): boolean {
    if (this.trades.some((known) => known.id === trade.id)) return false;
    let place = 0;
    while (place < this.trades.length && this.trades[place]!.ts > trade.ts) place += 1;
    if (place >= this.limit) return false;
    this.trades.splice(place, 0, trade);
    if (this.trades.length > this.limit) this.trades.length = this.limit;
    return true;
  }

  addPush(push: MatchTradePush): boolean {
    return this.add({
      id: push.id,
      price: push.price,
      amount: push.amount,
      ts: push.ts,
      direction: push.direction,
      house: push.house === 1,
    });
  }

  /** Adds records from REST, newest first. */
  addRecords(records: readonly TradeRecord[]): void {
    for (let at = records.length - 1; at >= 0; at -= 1) {
      const record = records[at]!;
      this.add({
        id: record.id,
        price: record.price,
        amount: record.number,
        ts: record.ts,
        direction: record.direction,
        house: record.house === 1,
      });
    }
  }
}
