import { Injectable } from '@nestjs/common';
import { formatTrimmed, toUnits } from '@bourse/money';
import type { Tx } from '@bourse/persistence';
import { AcceptorDebts, type AcceptorDebt, type DebtPart } from '../application/ports.js';
import { C2cDatabase } from '../../shared/application/database.js';

interface OpenDebt extends Record<string, unknown> {
  readonly deal_id: string;
  readonly scale: number;
  readonly left: string;
}

@Injectable()
export class PostgresAcceptorDebts extends AcceptorDebts {
  constructor(private readonly database: C2cDatabase) {
    super();
  }

  async add(tx: Tx, { dealId, acceptorId, currencyId, scale, amount, createdAt }: AcceptorDebt): Promise<void> {
    await tx.execute(
      `insert into acceptor_debt (deal_id, acceptor_id, currency_id, scale, amount, created_at)
       values ($1, $2, $3, $4, $5, to_timestamp($6::float8 / 1000))`,
      [dealId, acceptorId, currencyId, scale, formatTrimmed(amount, scale), createdAt],
    );
  }

  async findOwed(acceptorIds: readonly number[], tx?: Tx): Promise<ReadonlyMap<number, bigint>> {
    const rows = await (tx ?? this.database).query<{ acceptor_id: string; scale: number; owed: string }>(
      `select acceptor_id::text, max(scale) as scale, sum(amount - paid)::text as owed from acceptor_debt
       where acceptor_id = any($1::bigint[]) and paid < amount group by 1`,
      [acceptorIds],
    );
    return new Map(rows.map(({ acceptor_id: id, scale, owed }) => [Number(id), toUnits(owed, scale)]));
  }

  async reserve(tx: Tx, acceptorId: number, units: bigint): Promise<readonly DebtPart[]> {
    const open = await tx.query<OpenDebt>(
      `select deal_id::text, scale, (amount - paid - pending)::text as left from acceptor_debt
       where acceptor_id = $1 and paid + pending < amount order by created_at, acceptor_debt.deal_id for update`,
      [acceptorId],
    );
    const parts: DebtPart[] = [];
    let rest = units;
    for (const { deal_id: dealId, scale, left } of open) {
      const owed = toUnits(left, scale);
      const part = owed < rest ? owed : rest;
      if (part === 0n) break;
      await this.change(tx, { dealId, units: part }, 'pending = pending + $2');
      parts.push({ dealId, units: part });
      rest -= part;
    }
    return parts;
  }
  async settle(tx: Tx, parts: readonly DebtPart[]): Promise<void> {
    for (const part of parts) await this.change(tx, part, 'pending = pending - $2, paid = paid + $2');
  }
  async release(tx: Tx, parts: readonly DebtPart[]): Promise<void> {
    for (const part of parts) await this.change(tx, part, 'pending = pending - $2');
  }

  private async change(tx: Tx, { dealId, units }: DebtPart, set: string): Promise<void> {
    // Units of the row's own scale, as a number of the coin.
    const sql = set.replaceAll('$2', '($2::numeric / power(10::numeric, scale))');
    await tx.execute(`update acceptor_debt set ${sql} where deal_id = $1`, [dealId, String(units)]);
  }
}
