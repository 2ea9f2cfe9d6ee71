import { pipeline, Readable } from 'node:stream';
import { createGzip } from 'node:zlib';
import { Controller, Logger, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { tickKey, type PublishedTickKey } from '@bourse/contract';
import { Call, Clock, file, message, Raw, Refused } from '@bourse/platform';
import * as z from 'zod/mini';
import { Catalog } from '../../application/catalog.js';
import { TickDays } from '../../application/tick-days.js';
import { TickStore } from '../../application/tick-store.js';
import { TickDayQuery } from './fields.js';

const DAY_MS = 24 * 3_600_000;
/** A second that waits to be stored may still belong to a day that has ended. */
const SETTLED_MS = 60_000;

/** Recorded prices, for public verification (api §2.4, §6.5). */
@ApiTags('market')
@Controller()
export class TicksController {
  private readonly logger = new Logger('Ticks');

  constructor(
    private readonly catalog: Catalog,
    private readonly days: TickDays,
    private readonly store: TickStore,
    private readonly clock: Clock,
  ) {}

  @Call(
    { method: 'GET', path: '/api/market/tick_keys', auth: 'public', rate: 'public' },
    {
      summary: 'Public keys of the recorded prices with their periods, oldest first',
      answer: message(z.object({ keys: z.array(tickKey) })),
    },
  )
  async keys(): Promise<{ keys: PublishedTickKey[] }> {
    const keys = await this.store.keys();
    return { keys: keys.map(({ publicKey, from, until }) => ({ public_key: publicKey, from, until })) };
  }

  @Call(
    { method: 'GET', path: '/api/market/ticks/day', auth: 'public', rate: 'export', raw: true },
    {
      summary: 'Recorded prices of one pair and day (UTC), lines of JSON, gzip; the last line signs the last hash',
      answer: file('application/gzip'),
      refuses: ['pair.delisted', 'common.notFound'],
    },
  )
  async day(@Query() { pairId, day }: TickDayQuery): Promise<Raw> {
    const pair = this.catalog.pairs.find(({ id }) => id === pairId);
    if (!pair) throw new Refused('pair.delisted');
    const lines = await this.days.lines(pair, day);
    if (!lines) throw new Refused('common.notFound');
    const name = `${pair.symbol.replace('/', '-')}-${new Date(day).toISOString().slice(0, 10)}`;
    const isOver = this.clock.now() >= day + DAY_MS + SETTLED_MS;
    // A reader that leaves ends the reading; a reading that fails breaks the file off before its last line.
    const packed = pipeline(Readable.from(lines), createGzip(), (error) => {
      if (error) this.logger.warn(`a day of ticks was not sent whole: ${error.message}`);
    });
    return new Raw(packed, {
      contentType: 'application/gzip',
      headers: {
        'content-disposition': `attachment; filename="${name}.ndjson.gz"`,
        'cache-control': isOver ? 'public, max-age=86400, immutable' : 'no-store',
      },
    });
  }
}
