import { Injectable } from '@nestjs/common';
import { formatTrimmed, toUnits } from '@bourse/money';
import { Conditions, readPage, type Tx } from '@bourse/persistence';
import type { Claim, Policy, PolicyState } from '../domain/policy.js';
import { MicroDatabase } from '../../shared/application/database.js';
import { PolicyStore } from '../application/ports.js';
import type { Page } from '@bourse/platform';
import type { Rows } from '@bourse/contract';

const AT = (parameter: string): string => `to_timestamp(${parameter}::float8 / 1000)`;
const MS = (column: string): string => `round(extract(epoch from ${column}) * 1000)::bigint as ${column}`;

interface StoredPolicy extends Record<string, unknown> {
  readonly id: string;
  readonly user_id: string;
  readonly type_id: number;
  readonly currency_id: number;
  readonly currency_name: string;
  readonly scale: number;
  readonly amount: string;
  readonly premium: string;
  readonly vault: string;
  readonly running: number;
  readonly terms: Readonly<Record<keyof Policy['terms'], string>>;
  readonly state: PolicyState;
  readonly created_at: string;
  readonly ended_at: string | null;
}
const COLUMNS = `id::text, user_id::text, type_id, currency_id, currency_name, scale, amount::text, premium::text,
  vault::text, running, terms, state, ${MS('created_at')}, ${MS('ended_at')}`;
const policyOf = (row: StoredPolicy): Policy => ({
  id: row.id,
  userId: Number(row.user_id),
  typeId: row.type_id,
  currencyId: row.currency_id,
  currencyName: row.currency_name,
  scale: row.scale,
  amount: toUnits(row.amount, row.scale),
  premium: toUnits(row.premium, row.scale),
  vault: toUnits(row.vault, row.scale),
  running: row.running,
  terms: {
    premiumRate: BigInt(row.terms.premiumRate),
    stakeRate: BigInt(row.terms.stakeRate),
    claimLossRate: BigInt(row.terms.claimLossRate),
    claimRate: BigInt(row.terms.claimRate),
    endProfitRate: BigInt(row.terms.endProfitRate),
    maxOpen: Number(row.terms.maxOpen),
    claimsPerDay: Number(row.terms.claimsPerDay),
  },
  state: row.state,
  createdAt: Number(row.created_at),
  endedAt: row.ended_at === null ? null : Number(row.ended_at),
});

interface StoredClaim extends Record<string, unknown> {
  readonly id: string;
  readonly policy_id: string;
  readonly user_id: string;
  readonly currency_id: number;
  readonly scale: number;
  readonly amount: string;
  readonly state: Claim['state'];
  readonly created_at: string;
  readonly paid_at: string | null;
}
const CLAIM_COLUMNS = `id::text, policy_id::text, user_id::text, currency_id, scale, amount::text, state,
  ${MS('created_at')}, ${MS('paid_at')}`;
const claimOf = (row: StoredClaim): Claim => ({
  id: row.id,
  policyId: row.policy_id,
  userId: Number(row.user_id),
  currencyId: row.currency_id,
  scale: row.scale,
  amount: toUnits(row.amount, row.scale),
  state: row.state,
  createdAt: Number(row.created_at),
  paidAt: row.paid_at === null ? null : Number(row.paid_at),
});

@Injectable()
export class PostgresPolicies extends PolicyStore {
  constructor(private readonly database: MicroDatabase) {
    super();
  }

  async takeQuota(tx: Tx, typeId: number, amount: string): Promise<boolean> {
    const sql = 'update insurance_type set used = used + $2::numeric where id = $1 and used + $2::numeric <= quota';
    return (await tx.execute(sql, [typeId, amount])) === 1;
  }
  async giveQuota(tx: Tx, typeId: number, amount: string): Promise<void> {
    await tx.execute('update insurance_type set used = used - $2::numeric where id = $1', [typeId, amount]);
  }

  async insert(tx: Tx, policy: Policy): Promise<boolean> {
    const amount = (units: bigint): string => formatTrimmed(units, policy.scale);
    const terms = JSON.stringify(policy.terms, (_, value: unknown) =>
      typeof value === 'bigint' ? String(value) : value,
    );
    const stored = await tx.execute(
      `insert into policy (id, user_id, type_id, currency_id, currency_name, scale, amount, premium, vault, running,
         terms, state, created_at)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, 0, $10, 'waiting', ${AT('$11')})
       on conflict (user_id, currency_id) where state in ('waiting', 'active', 'claiming') do nothing`,
      [
        policy.id,
        policy.userId,
        policy.typeId,
        policy.currencyId,
        policy.currencyName,
        policy.scale,
        amount(policy.amount),
        amount(policy.premium),
        amount(policy.vault),
        terms,
        policy.createdAt,
      ],
    );
    return stored === 1;
  }

  async activate(tx: Tx, id: string): Promise<Policy> {
    const [row] = await tx.query<StoredPolicy>(
      `update policy set state = 'active' where id = $1 and state = 'waiting' returning ${COLUMNS}`,
      [id],
    );
    if (!row) throw new Error(`invariant: policy ${id} does not wait for the ledger`);
    return policyOf(row);
  }
  async drop(tx: Tx, id: string): Promise<Policy> {
    const [row] = await tx.query<StoredPolicy>(
      `delete from policy where id = $1 and state = 'waiting' returning ${COLUMNS}`,
      [id],
    );
    if (!row) throw new Error(`invariant: policy ${id} does not wait for the ledger`);
    return policyOf(row);
  }

  async lockActive(tx: Tx, userId: number, currencyId: number): Promise<Policy | null> {
    const [row] = await tx.query<StoredPolicy>(
      `select ${COLUMNS} from policy
       where user_id = $1 and currency_id = $2 and state in ('active', 'claiming') for update`,
      [userId, currencyId],
    );
    return row ? policyOf(row) : null;
  }
  async lock(tx: Tx, ids: readonly string[]): Promise<readonly Policy[]> {
    const rows = await tx.query<StoredPolicy>(
      `select ${COLUMNS} from policy where policy.id = any($1::bigint[]) order by policy.id for update`,
      [ids],
    );
    return rows.map(policyOf);
  }
  async save(tx: Tx, policies: readonly Policy[]): Promise<void> {
    if (policies.length === 0) return;
    await tx.execute(
      `update policy p set vault = n.vault, running = n.running, state = n.state, ended_at = ${AT('n.ended')}
       from unnest($1::bigint[], $2::numeric[], $3::int[], $4::text[], $5::bigint[])
         as n(id, vault, running, state, ended)
       where p.id = n.id`,
      [
        policies.map(({ id }) => id),
        policies.map(({ vault, scale }) => formatTrimmed(vault, scale)),
        policies.map(({ running }) => running),
        policies.map(({ state }) => state),
        policies.map(({ endedAt }) => endedAt),
      ],
    );
  }

  async list(userId: number, currencyId: number | undefined, page: Page): Promise<Rows<Policy>> {
    const { where, params } = new Conditions()
      .addText(`state <> 'waiting'`)
      .add('user_id = ?', userId)
      .add('currency_id = ?', currencyId);
    const list = { columns: COLUMNS, from: 'policy', where, params, orderBy: 'policy.created_at desc, policy.id desc' };
    const { rows, total } = await readPage<StoredPolicy>(this.database, list, page);
    return { rows: rows.map(policyOf), total };
  }
  async active(userId: number): Promise<readonly Policy[]> {
    const rows = await this.database.query<StoredPolicy>(
      `select ${COLUMNS} from policy where user_id = $1 and state in ('active', 'claiming')`,
      [userId],
    );
    return rows.map(policyOf);
  }

  async takePayout(tx: Tx, userId: number, day: number, most: number): Promise<boolean> {
    await tx.execute('insert into payout_count (user_id, day, payouts) values ($1, $2, 0) on conflict do nothing', [
      userId,
      day,
    ]);
    const sql = 'update payout_count set payouts = payouts + 1 where user_id = $1 and day = $2 and payouts < $3';
    return (await tx.execute(sql, [userId, day, most])) === 1;
  }
  async givePayout(tx: Tx, userId: number, day: number): Promise<void> {
    await tx.execute('update payout_count set payouts = payouts - 1 where user_id = $1 and day = $2', [userId, day]);
  }

  async insertClaim(tx: Tx, claim: Claim): Promise<void> {
    await tx.execute(
      `insert into claim (id, policy_id, user_id, currency_id, scale, amount, state, created_at)
       values ($1, $2, $3, $4, $5, $6, $7, ${AT('$8')})`,
      [
        claim.id,
        claim.policyId,
        claim.userId,
        claim.currencyId,
        claim.scale,
        formatTrimmed(claim.amount, claim.scale),
        claim.state,
        claim.createdAt,
      ],
    );
  }
  async lockClaim(tx: Tx, id: string): Promise<Claim | null> {
    const [row] = await tx.query<StoredClaim>(`select ${CLAIM_COLUMNS} from claim where id = $1 for update`, [id]);
    return row ? claimOf(row) : null;
  }
  async saveClaim(tx: Tx, { id, state, paidAt }: Claim): Promise<void> {
    await tx.execute(`update claim set state = $2, paid_at = ${AT('$3')} where id = $1`, [id, state, paidAt]);
  }
  async dropClaim(tx: Tx, id: string): Promise<void> {
    await tx.execute(`delete from claim where id = $1 and state = 'deciding'`, [id]);
  }
  async claims(userId: number | undefined, currencyId: number | undefined, page: Page): Promise<Rows<Claim>> {
    const { where, params } = new Conditions()
      .addText(`state <> 'deciding'`)
      .add('user_id = ?', userId)
      .add('currency_id = ?', currencyId);
    const list = {
      columns: CLAIM_COLUMNS,
      from: 'claim',
      where,
      params,
      orderBy: 'claim.created_at desc, claim.id desc',
    };
    const { rows, total } = await readPage<StoredClaim>(this.database, list, page);
    return { rows: rows.map(claimOf), total };
  }
}
