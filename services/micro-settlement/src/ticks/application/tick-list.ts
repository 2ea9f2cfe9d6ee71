import { Injectable } from '@nestjs/common';
import type { PairRow, TickChain } from '@bourse/contract';
import { Reference } from '@bourse/messaging';
import { Refused } from '@bourse/platform';
import { shownTick } from './answers.js';
import { TickStore } from './ports.js';

/** Recorded ticks are given for so long a time at once (api §2.6). */
const TICKS_MS_MAX = 10 * 60_000;

/** The recorded ticks as people read them (api §2.6). */
@Injectable()
export class TickList {
  constructor(
    private readonly ticks: TickStore,
    private readonly reference: Reference,
  ) {}

  /** @throws Refused `common.notFound`, and `common.fieldInvalid` for more than 10 minutes. */
  async chain(matchId: number, from: number, to: number): Promise<TickChain> {
    const pair = this.reference.get<PairRow>('pair', String(matchId));
    if (!pair) throw new Refused('common.notFound', {}, { field: 'match_id' });
    if (to < from || to - from > TICKS_MS_MAX)
      throw new Refused('common.fieldInvalid', { field: 'to' }, { field: 'to' });
    const found = await this.ticks.within([{ symbol: pair.symbol, after: from - 1, until: to }]);
    const last = found.at(-1);
    return {
      ticks: found.map(shownTick),
      public_key: last?.publicKey ?? '',
      signature: last?.signature ?? '',
    };
  }
}
