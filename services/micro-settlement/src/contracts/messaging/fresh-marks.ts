import { Injectable } from '@nestjs/common';
import { MarkPrices } from '@bourse/messaging';
import { FreshPrices } from '../application/contracts.js';
import { LATE_MS } from '../../ticks/domain/tick.js';
import { TickStore } from '../../ticks/application/ports.js';

/** Whether the recorder has a fresh price, and the own copy of the chain keeps up with it. */
@Injectable()
export class FreshMarks extends FreshPrices {
  constructor(
    private readonly marks: MarkPrices,
    private readonly ticks: TickStore,
  ) {
    super();
  }

  async isFresh(symbol: string, maxAgeMs: number): Promise<boolean> {
    const mark = this.marks.fresh(symbol, maxAgeMs);
    if (!mark) return false;
    const head = (await this.ticks.heads()).find((each) => each.symbol === symbol);
    return head !== undefined && !head.broken && mark.time - head.time <= LATE_MS;
  }
}
