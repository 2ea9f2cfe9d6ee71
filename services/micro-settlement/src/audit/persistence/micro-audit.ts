import { Injectable } from '@nestjs/common';
import { checkAll, HoldReads, type AuditCheck, type AuditChecks, type NeededHolds } from '@bourse/messaging';
import { MicroDatabase } from '../../shared/application/database.js';
import { HOLD_PREFIX } from '../../contracts/domain/contract.js';
import { SETTLE_MOVE } from '../../contracts/application/settlement.js';

/**
 * The holds that contracts need in the ledger: stake and the house's reserve have one name. A closed contract needs
 * them until its settlement is booked: a void returns the fee, for which the house may have to be funded first.
 */
const NEEDED = `select '${HOLD_PREFIX}:' || id as hold, currency_id as currency, stake + reserve as amount
  from contract where state in ('opening', 'running')
  union all
  select '${HOLD_PREFIX}:' || c.id, c.currency_id, c.stake + c.reserve
  from saga s join contract c on c.id = case s.name when '${SETTLE_MOVE}' then s.object::bigint end
  where s.name = '${SETTLE_MOVE}' and c.state = 'closed'`;

/**
 * The ticks after a gap of the feed decide all contracts that expired in it, after the tick itself is stored. Closing
 * ten thousand takes 3 s.
 */
const CLOSE_MS_MAX = 10_000;

const CHECKS: AuditChecks = {
  counts: {
    says: 'counted contracts are those that are open',
    wrong: `select 'person ' || c.user_id as what from open_count c
      left join (
        select user_id, count(*) as contracts from contract where state <> 'closed' group by 1) o using (user_id)
      where c.contracts <> coalesce(o.contracts, 0)`,
  },
  reserves: {
    says: 'reserves of markets are those of their open contracts',
    wrong: `select 'market ' || r.match_id || ' in ' || r.currency_id as what from market_reserve r
      left join (
        select match_id, currency_id, sum(reserve) as reserved from contract
        where state <> 'closed' group by 1, 2) o using (match_id, currency_id)
      where r.reserved <> coalesce(o.reserved, 0)`,
  },
  policies: {
    says: 'policies count the contracts that run from them, and what has ended has nothing left',
    wrong: `select 'policy ' || p.id as what from policy p
      left join (select policy_id, count(*) as contracts from contract where state <> 'closed' group by 1) o
        on o.policy_id = p.id
      where p.running <> coalesce(o.contracts, 0)
        or (p.state in ('claimed', 'cancelled', 'ended') and (p.vault <> 0 or p.running <> 0))`,
  },
  vaults: {
    says: 'vaults are the amounts with what their contracts came to',
    wrong: `select 'policy ' || p.id as what from policy p
      cross join lateral (select sum(case when state = 'waiting' then 0 when state <> 'closed' then -fee
          when result = 'void' then 0 else profits - fee end) as change
        from contract c where c.policy_id = p.id) o
      where p.state in ('active', 'claiming') and p.vault <> p.amount + coalesce(o.change, 0)`,
  },
  quotas: {
    says: 'quotas are taken by the policies that have not ended',
    wrong: `select 'type ' || t.id as what from insurance_type t
      left join (
        select type_id, sum(amount) as used from policy
        where state in ('waiting', 'active', 'claiming') group by 1) o on o.type_id = t.id
      where t.used <> coalesce(o.used, 0)`,
  },
  expired: {
    says: 'what the ticks have decided is closed',
    wrong: `select 'contract ' || c.id as what from contract c join tick_head h on h.symbol = c.symbol
      where c.state = 'running' and c.expire_time < h.time - interval '1 minute'`,
    graceMs: CLOSE_MS_MAX,
  },
};

/** How often contracts of a coin came out in which way, and what the house has set aside. */
export interface HouseLine {
  readonly currency: string;
  readonly reserved: string;
  readonly outcomes: Readonly<Record<string, number>>;
}

/** The queries of auditors and of the public page. */
@Injectable()
export class MicroAudit {
  private readonly needed: HoldReads;

  constructor(private readonly database: MicroDatabase) {
    this.needed = new HoldReads(database, NEEDED);
  }

  holdDigests(): Promise<readonly string[]> {
    return this.needed.digests();
  }

  holdLines(buckets: readonly number[]): Promise<NeededHolds> {
    return this.needed.lines(buckets);
  }

  checks(): Promise<readonly AuditCheck[]> {
    return checkAll(this.database, [CHECKS]);
  }

  async house(): Promise<readonly HouseLine[]> {
    const [reserves, outcomes] = await Promise.all([
      this.database.query<{ currency: string; reserved: string }>(
        `select currency_name as currency, trim_scale(sum(reserve))::text as reserved
         from contract where state in ('opening', 'running') group by 1`,
      ),
      this.database.query<{ currency: string; result: string; contracts: string }>(
        'select currency_name as currency, result, contracts::text from outcome',
      ),
    ]);
    const names = new Set([...reserves, ...outcomes].map(({ currency }) => currency));
    return [...names].sort().map((currency) => ({
      currency,
      reserved: reserves.find((row) => row.currency === currency)?.reserved ?? '0',
      outcomes: Object.fromEntries(
        outcomes.filter((row) => row.currency === currency).map(({ result, contracts }) => [result, Number(contracts)]),
      ),
    }));
  }
}
