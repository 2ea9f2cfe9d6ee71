import { Injectable } from '@nestjs/common';
import { ClockOffsetStore, type ClockOffsets } from '../application/exchange-clock.js';
import { GatewayDatabase } from './gateway-database.js';

/** Stores the clock offset of a demo install over restarts. */
@Injectable()
export class PostgresClockOffsetStore extends ClockOffsetStore {
  constructor(private readonly database: GatewayDatabase) {
    super();
  }

  async read(): Promise<ClockOffsets> {
    const [row] = await this.database.query<{ offset_ms: string; session_offset_ms: string }>(
      'select offset_ms, session_offset_ms from dev_clock where id = 1',
    );
    return { offsetMs: Number(row?.offset_ms ?? 0), sessionOffsetMs: Number(row?.session_offset_ms ?? 0) };
  }

  async write({ offsetMs, sessionOffsetMs }: ClockOffsets): Promise<void> {
    await this.database.execute(
      `insert into dev_clock (id, offset_ms, session_offset_ms) values (1, $1, $2)
       on conflict (id)
       do update set offset_ms = greatest(dev_clock.offset_ms, excluded.offset_ms),
         session_offset_ms = greatest(dev_clock.session_offset_ms, excluded.session_offset_ms)`,
      [offsetMs, sessionOffsetMs],
    );
  }
}
