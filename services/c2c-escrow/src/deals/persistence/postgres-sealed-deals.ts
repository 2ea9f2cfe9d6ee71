import { Injectable } from '@nestjs/common';
import { SealedDeals } from '../application/reseal.js';
import { C2cDatabase } from '../../shared/application/database.js';
import type { SealedRow } from '../../shared/application/reseal.js';

@Injectable()
export class PostgresSealedDeals extends SealedDeals {
  constructor(private readonly database: C2cDatabase) {
    super();
  }

  listNotUnder(prefix: string, behind: string, limit: number): Promise<readonly SealedRow[]> {
    return this.database.query<SealedRow & Record<string, unknown>>(
      `select id::text, facts from deal where id > $2 and not starts_with(facts, $1) order by id limit $3`,
      [prefix, behind, limit],
    );
  }

  async replace({ id, facts }: SealedRow, after: string): Promise<void> {
    await this.database.execute('update deal set facts = $3 where id = $1 and facts = $2', [id, facts, after]);
  }
}
