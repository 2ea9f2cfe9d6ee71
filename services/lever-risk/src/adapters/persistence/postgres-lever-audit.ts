import { Injectable } from '@nestjs/common';
import { HoldReads, type NeededHolds } from '@bourse/messaging';
import { OVERNIGHT_TIMER } from '../../application/overnight-fees.js';
import { LeverAuditReads, LeverDatabase } from '../../application/ports.js';
import type { Marks } from '../../domain/account.js';
import { HOLD_PREFIX } from '../../domain/position.js';

/** The hold that a live position needs: a pending one its fee too, a closing one what its settlement releases. */
const NEED = `case status when 0 then caution + fee when 1 then caution else settling_hold end`;
const NEEDED = `select '${HOLD_PREFIX}:' || coalesce(part_of, id) as hold, quote as currency,
    sum((${NEED}) * 10::numeric ^ (-quote_scale)) as amount
  from lever_position where status in (0, 1, 2) and ${NEED} > 0 group by 1, 2`;

@Injectable()
export class PostgresLeverAudit extends LeverAuditReads {
  private readonly needed: HoldReads;

  constructor(private readonly database: LeverDatabase) {
    super();
    this.needed = new HoldReads(database, NEEDED);
  }

  holdDigests(): Promise<readonly string[]> {
    return this.needed.digests();
  }

  holdLines(buckets: readonly number[]): Promise<NeededHolds> {
    return this.needed.lines(buckets);
  }

  wrongs(): Promise<readonly string[]> {
    return this.database.transaction(
      async (tx) => {
        const openNotional = await tx.query<{ quote: number }>(
          `select coalesce(e.quote, p.quote) as quote
           from (select quote, sum(notional) as notional from exposure group by 1) e full join (
             select quote, sum(notional) as notional from lever_position
             where status in (1, 2) or (status = -1 and opened_at is not null) group by 1) p on p.quote = e.quote
           where coalesce(e.notional, 0) <> coalesce(p.notional, 0) order by 1 limit 20`,
        );
        const astray = await tx.query<{ id: string }>(
          `select p.id::text from lever_position p left join risk_account a using (user_id, quote)
           where p.status = 2 and a.in_flight is distinct from p.settlement order by p.id limit 20`,
        );
        const overnight = await tx.query<{ id: string; owes: boolean }>(
          `select n.id::text, n.owes from (
             select id, true as owes from lever_position where status <> 1 and night_rest > 0
             union all
             select id, false from lever_position p
             where status = 1 and not exists (select from timer t where t.kind = $1 and t.id = p.id::text)) n
           order by n.id limit 20`,
          [OVERNIGHT_TIMER],
        );
        return [
          ...openNotional.map(({ quote }) => `open notional of quote ${quote}`),
          ...astray.map(({ id }) => `position ${id} closes without a settlement in flight`),
          ...overnight.map(({ id, owes }) =>
            owes ? `position ${id} has ended and owes for a night` : `open position ${id} waits for no midnight`,
          ),
        ];
      },
      { isolation: 'repeatable read' },
    );
  }

  async outcomes(): Promise<Readonly<Record<string, number>>> {
    const rows = await this.database.query<{ kind: string; positions: string }>(
      'select kind, sum(positions)::text as positions from outcome group by kind',
    );
    return Object.fromEntries(rows.map(({ kind, positions }) => [kind, Number(positions)]));
  }

  async gains(marks: Marks): Promise<ReadonlyMap<number, bigint>> {
    // Rounds each gain down, as `profitsAt` does.
    const rows = await this.database.query<{ quote: number; gain: string }>(
      `select p.quote, sum(trunc(greatest(case when p.is_long then m.mark - p.price else p.price - m.mark end, 0)
           * p.lots * 10::numeric ^ (p.quote_scale - p.price_scale - p.number_scale)))::text as gain
         from lever_position p join unnest($1::int[], $2::numeric[]) as m (pair_id, mark) on m.pair_id = p.pair_id
         where p.status in (1, 2) group by 1`,
      [[...marks.keys()], [...marks.values()].map(String)],
    );
    return new Map(rows.map(({ quote, gain }) => [quote, BigInt(gain)]));
  }
}
