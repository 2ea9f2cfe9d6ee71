import { call, settled } from '../integration/trading-log.js';
import type { World } from './world.js';

const DAY_MS = 86_400_000;
/** Bookings of 00:05 UTC are done by then. */
const BOOKED_MS = 10 * 60_000;

/** How much there is to be paid. */
interface Due {
  readonly terms: number;
  readonly exchanges: number;
  readonly fees: number;
}

/** Moves the business clock behind the end of the last term, and behind the booking of the day after it. */
export async function overMidnight(world: World): Promise<Due> {
  const [due] = await world.sql<Due & { last: string }>(
    `select (select count(*)::int from savings.subscription where state = 'accruing') as terms,
       (select count(*)::int from points.points_exchange) as exchanges,
       (select count(*)::int from spot.trades where buyer_fee > 0 or seller_fee > 0) as fees,
       (select coalesce(floor(extract(epoch from max(end_at)) * 1000), 0)::bigint::text
         from savings.subscription where state = 'accruing') as last`,
  );
  if (!due) throw new Error('the query returned no row');
  const clock = async (): Promise<number> =>
    ((await call(world.url, 'GET', '/dev/clock')).message as { now: number }).now;
  const last = Math.max(Number(due.last), await clock());
  const target = (Math.floor(last / DAY_MS) + 1) * DAY_MS + BOOKED_MS;
  const reached = await settled(
    async () => {
      await call(world.url, 'POST', '/dev/clock', { set: String(target) }, undefined, undefined, 40_000);
      return clock();
    },
    (now) => now >= target,
    90_000,
  );
  if (reached < target) throw new Error('the clock did not move');
  return due;
}

/** Queries of payments that are missing, repeated, or different from the agreed terms. */
const QUERIES: Readonly<Record<string, string>> = {
  'term that has not ended': `select id::text as what from savings.subscription where state in ('waiting', 'accruing')`,
  // The principal and the profit of a term come back as they were agreed; of a cancelled one nothing else does.
  'term that was paid otherwise': `select s.id || ' ' || s.state || ': ' || coalesce(p.paid, 0) as what
    from savings.subscription s
    left join (
      select j.cause_id, sum((e.line->>3)::numeric) as paid
      from ledger.journal j cross join lateral json_array_elements(j.entries) as e(line)
      where j.cause_type = 'savings' and e.line->>0 = 'change' group by 1
    ) p on p.cause_id = s.id::text
    where coalesce(p.paid, 0) <> case s.state when 'matured' then s.profit else 0 end`,
  'reserve that was not given back': `select l.owner || ' ' || l.account as what
    from (
      select j.owner, e.line->>0 as account, sum((e.line->>3)::numeric) as left_over
      from ledger.journal j cross join lateral json_array_elements(j.entries) as e(line)
      where j.cause_type = 'savings' and e.line->>2 = 'h' group by 1, 2
    ) l where l.left_over <> 0`,
  'exchange that was booked otherwise': `select x.id::text as what
    from points.points_exchange x
    left join (
      select j.cause_id, sum((e.line->>3)::numeric) filter (where e.line->>0 = 'points') as points,
        sum((e.line->>3)::numeric) filter (where e.line->>0 = 'change') as coins
      from ledger.journal j cross join lateral json_array_elements(j.entries) as e(line)
      where j.cause_type = 'points_exchange' group by 1
    ) p on p.cause_id = x.id::text
    where x.state <> 'done' or p.points is distinct from -x.points or p.coins is distinct from x.coins`,
  // Every fee of an invited user pays its rebates exactly once. In a trade between two partitions of the ledger each
  // side has a journal of its own.
  'fee of a trade without its rebate': `select f.journal || ' of ' || f.payer as what
    from (
      select 'trade:' || symbol || ':' || sequence as journal, 'buy' as side, buyer_id as payer, buyer_fee as fee
        from spot.trades
      union all select 'trade:' || symbol || ':' || sequence, 'sell', seller_id, seller_fee from spot.trades
    ) f
    join points.team_member m on m.id = f.payer and m.inviter_id is not null
    left join points.rebate_share s
      on s.journal in (f.journal, f.journal || ':' || f.side) and s.payer = f.payer and s.generation = 1
    where f.fee > 0 and (s.amount is null or s.person <> m.inviter_id or s.amount <> f.fee * s.percent / 100)`,
  'rebate that was not paid as it is booked': `select coalesce(p.person, j.owner)::text as what
    from (select person, currency, sum(amount) as amount from points.rebate_paid where state <> 'none' group by 1, 2) p
    full join (
      select j.owner, (e.line->>1)::int as currency, sum((e.line->>3)::numeric) as amount
      from ledger.journal j cross join lateral json_array_elements(j.entries) as e(line)
      where j.cause_type = 'rebate' and e.line->>0 = 'change' group by 1, 2
    ) j on j.owner = p.person and j.currency = p.currency
    where p.amount is distinct from j.amount`,
  'rebate that is still owed': `select d.person || ' for day ' || d.day as what
    from points.rebate_day d join points.rebate_closed c on d.day <= c.day
    union all select person || ' for day ' || day from points.rebate_paid where state = 'paying'`,
  'points of a closed day that are not booked': `select f.user_id || ' for day ' || f.day as what
    from points.points_fees f cross join points.points_books b
    where f.day < b.next_day and f.state <> 'done'`,
  'points otherwise than in the ledger': `select coalesce(a.user_id, l.owner)::text as what
    from points.points_account a
    full join (select owner, available from ledger.balance where product = 'points' and owner > 0) l
      on l.owner = a.user_id
    where coalesce(a.total, 0) <> coalesce(l.available, 0)`,
  'journal that was booked twice': `select id as what
    from ledger.journal
    where cause_type in ('savings', 'points_exchange', 'points_binding', 'points_fees', 'rebate')
    group by id, owner having count(*) > 1`,
};

/** Returns the problems of terms, points and rebates after all days, as sentences; runs the auditors too. */
export async function wrongInTheEnd(world: World): Promise<string[]> {
  const found: string[] = [];
  for (const [name, question] of Object.entries(QUERIES))
    for (const { what } of (await world.sql<{ what: string }>(question)).slice(0, 10)) found.push(`${name}: ${what}`);
  const audit = await call(world.url, 'GET', '/dev/audit', {}, undefined, undefined, 30_000);
  if ((audit.message as { ok: number } | undefined)?.ok !== 1) found.push(`audit: ${JSON.stringify(audit.message)}`);
  return found;
}
