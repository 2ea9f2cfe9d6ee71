import { Injectable } from '@nestjs/common';
import { SealedAcceptorDeals } from '../application/reseal.js';
import { C2cDatabase } from '../../shared/application/database.js';
import type { SealedRow } from '../../shared/application/reseal.js';

/** Facts of a deal; those that a release before left in the clear are read as JSON of its columns. */
export const FACTS = `case when facts <> '' then facts else
  json_build_object('mobile', mobile, 'account', account, 'acceptorAccount', acceptor_account)::text end`;

@Injectable()
export class PostgresSealedAcceptorDeals extends SealedAcceptorDeals {
  constructor(private readonly database: C2cDatabase) {
    super();
  }

  listNotUnder(prefix: string, behind: string, limit: number): Promise<readonly SealedRow[]> {
    return this.database.query<SealedRow & Record<string, unknown>>(
      `select id::text, ${FACTS} as facts from acceptor_deal
       where id > $2 and not starts_with(facts, $1) order by acceptor_deal.id limit $3`,
      [prefix, behind, limit],
    );
  }

  async replace({ id, facts }: SealedRow, after: string): Promise<void> {
    await this.database.execute(
      `update acceptor_deal set facts = $3, mobile = '', account = '', acceptor_account = ''
       where id = $1 and ${FACTS} = $2`,
      [id, facts, after],
    );
  }
}
