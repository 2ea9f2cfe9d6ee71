import { Injectable } from '@nestjs/common';
import type { PairRow, Tick } from '@bourse/contract';
import { HistoryGate } from '@bourse/platform';
import { TickStore, type StoredTick } from './tick-store.js';

const DAY_MS = 24 * 3_600_000;
const PIECE = 2_000;
/** The most pieces read at once over all callers, and the most that may wait. */
const [AT_ONCE, WAITING_MAX] = [2, 40];

/** Days of recorded prices for public verification (api §2.4). */
@Injectable()
export class TickDays {
  private readonly gate = new HistoryGate(AT_ONCE, WAITING_MAX);

  constructor(private readonly store: TickStore) {}

  /**
   * The ticks of a market with `day` ≤ time < `day` + 24 h as lines of JSON, then the signature of the last hash with
   * its key. Null when there are none. The first piece is read before it answers, the others as they are taken.
   */
  async lines(pair: PairRow, day: number): Promise<AsyncGenerator<string> | null> {
    const first = await this.piece(pair, day, day);
    return first.length === 0 ? null : this.rest(pair, day, first);
  }

  private async *rest(pair: PairRow, day: number, first: readonly StoredTick[]): AsyncGenerator<string> {
    for (let piece = first; ;) {
      const last = piece.at(-1)!;
      yield piece.map((tick) => lineOf(toTick(pair, tick))).join('');
      const next = piece.length < PIECE ? [] : await this.piece(pair, day, last.time + 1);
      if (next.length === 0) {
        yield lineOf({ public_key: last.publicKey, signature: last.signature });
        return;
      }
      piece = next;
    }
  }

  private piece(pair: PairRow, day: number, from: number): Promise<readonly StoredTick[]> {
    return this.gate.run(() => this.store.range(pair.id, from, day + DAY_MS, PIECE));
  }
}

const lineOf = (value: object): string => `${JSON.stringify(value)}\n`;

/** A tick in the words of the contract. */
const toTick = ({ symbol }: PairRow, { id, time, price, at, prevHash, hash }: StoredTick): Tick => ({
  id: String(id),
  symbol,
  time,
  price,
  ...(at !== null && { at }),
  prev_hash: prevHash,
  hash,
});
