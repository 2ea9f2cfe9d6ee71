import type { Database, Tx } from '@bourse/persistence';
import { TOPICS } from '@bourse/events';
import {
  WalletAuditReads,
  type AdjustmentToAudit,
  type DepositToAudit,
  type JournalLines,
  type Orphan,
  type UnderWay,
  type WalletSnapshot,
  type WithdrawalToAudit,
} from '../application/ports.js';

/** Causes of journals that belong to a row of the wallet. */
const KINDS = `('adjustment', 'deposit', 'house_fund', 'withdrawal')`;
const ADJUSTMENT_CAUSE = `case when a.user_id is null then 'house_fund' else 'adjustment' end`;
/**
 * Journals of one object, as JSON with amounts as text. The condition on the kinds makes the query use the index of
 * causes.
 */
const journalsOf = (causeType: string, id: string): string =>
  `coalesce((select json_agg(json_build_object('id', j.id, 'owner', j.owner, 'entries', j.entries) ` +
  `order by j.partition, j.number, j.part) from journal j where j.cause_type in ${KINDS} and ` +
  `j.cause_type = ${causeType} and j.cause_id = ${id}), '[]')`;
/**
 * Limit for rows in the streams between the wallet and the writers; above it the streams have stopped, which other
 * checks report.
 */
const UNDER_WAY_MAX = 20_000;
const SUSPENSE = 'h.suspense';

interface StreamedCommand {
  readonly type: string;
  readonly body: {
    readonly withdrawalId?: string;
    readonly journals?: readonly {
      readonly causeType: string;
      readonly causeId: string;
      readonly legs: readonly {
        readonly from: string;
        readonly to: string;
        readonly currency: number;
        readonly amount: string;
      }[];
    }[];
  };
}

export class PostgresWalletAuditReads extends WalletAuditReads {
  constructor(private readonly database: Database) {
    super();
  }
  inSnapshot<T>(look: (snapshot: WalletSnapshot) => Promise<T>): Promise<T> {
    return this.database.transaction((tx) => look(snapshotOf(tx)), { isolation: 'repeatable read' });
  }
}

function snapshotOf(tx: Tx): WalletSnapshot {
  return {
    async underWay() {
      const rows = await tx.query<{ payload: string }>(
        `select o.payload from stream s
         left join position p on p.stream = s.name
           and p.consumer = case when s.name like '%>${TOPICS.ledgerCommands}/%' then 'ledger.writer'
             else 'wallet.withdrawals' end
         join outbox o on o.stream = s.name and o.number > coalesce(p.number, 0)
         where s.name like '%>${TOPICS.ledgerCommands}/%' or s.name like '%>${TOPICS.walletCommands}/%'
         limit ${UNDER_WAY_MAX}`,
      );
      return underWayOf(rows.flatMap(({ payload }) => JSON.parse(payload) as StreamedCommand[]));
    },
    holdMismatches: () =>
      tx.query(
        `select coalesce(w.id::text, substr(h.name, 12)) as id, w.number::text as asked, h.remaining::text as held
       from (select id, user_id, currency_id, number from withdrawal where state in ('review', 'sending')) w
       full
       join (select name, owner, product, currency, remaining
           from hold
           where name like 'withdrawal:%') h on h.name = 'withdrawal:' || w.id
         and h.owner = w.user_id and h.product = 'change' and h.currency = w.currency_id
       where w.number is distinct from h.remaining order by 1`,
      ),
    suspense: () =>
      tx.query(
        `select currency, coalesce(b.sum, 0)::text as suspense, coalesce(d.sum, 0)::text as deposits
       from (select currency, sum(available + held) as sum
         from balance
         where owner < 0 and product = '${SUSPENSE}'
         group by 1) b
       full
       join (select currency_id as currency, sum(amount) as sum
         from deposit
         where state in ('held', 'returning')
         group by 1) d using (currency)
       order by 1`,
      ),
    deposits: async (after, max) =>
      (
        await tx.query<Omit<DepositToAudit, 'userId'> & { user_id: string | null }>(
          `select d.id::text, d.state, d.currency_id as currency, d.user_id, d.amount::text,
            case when d.state = 'returned' then d.return_fee else 0 end::text as fee, p.state as payout,
            ${journalsOf(`'deposit'`, 'd.id::text')} as journals
       from deposit d
       left join payout p on p.reference = 'deposit:' || d.id ||
         case when d.return_attempts > 1 then ':' || d.return_attempts else '' end
       where d.id > $1
       order by d.id limit ${max}`,
          [after],
        )
      ).map(ofUser),
    withdrawals: async (after, max) =>
      (
        await tx.query<Omit<WithdrawalToAudit, 'userId'> & { user_id: string }>(
          `select w.id::text, w.state, w.currency_id as currency, w.user_id, w.number::text, w.fee::text,
            w.received::text, coalesce(n.chain_scale, 30) as "chainScale", p.state as payout,
            p.amount::text as "payoutAmount", ${journalsOf(`'withdrawal'`, 'w.id::text')} as journals
       from withdrawal w
       left join payout p on p.reference = 'withdrawal:' || w.id
       left join network n on n.id = w.network_id
       where w.id > $1
       order by w.id limit ${max}`,
          [after],
        )
      ).map((row) => ({ ...row, userId: Number(row.user_id) })),
    adjustments: async (after, max) =>
      (
        await tx.query<Omit<AdjustmentToAudit, 'userId'> & { user_id: string | null }>(
          `select a.id::text, a.state, a.currency_id as currency, a.account, a.to_account as "toAccount", a.user_id,
            a.amount::text,
            ${journalsOf(ADJUSTMENT_CAUSE, 'a.id::text')} as journals
       from adjustment a where a.id > $1 order by a.id limit ${max}`,
          [after],
        )
      ).map(ofUser),
    async orphans([causeType, causeId], max) {
      const rows = await tx.query<{ causeType: string; id: string; known: boolean; journals: JournalLines[] | null }>(
        `with causes as (
           select cause_type, cause_id
           from journal
           where cause_type in ${KINDS} and (cause_type, cause_id) > ($1, $2)
           group by 1, 2
           order by 1, 2 limit ${max})
         select cause_type as "causeType", cause_id as id, known,
           case when known then null else ${journalsOf('found.cause_type', 'found.cause_id')} end as journals
         from (select c.*,
           case cause_type when 'deposit' then exists (select 1 from deposit where id::text = cause_id)
             when 'withdrawal' then exists (select 1 from withdrawal where id::text = cause_id)
           else exists (select 1 from adjustment where id::text = cause_id) end as known from causes c) found
           order by 1, 2`,
        [causeType, causeId],
      );
      const last = rows.at(-1);
      return {
        orphans: rows.flatMap((row): Orphan[] =>
          row.known ? [] : [{ causeType: row.causeType, id: row.id, journals: row.journals ?? [] }],
        ),
        last: rows.length < max || !last ? null : [last.causeType, last.id],
      };
    },
    async payouts(after, max) {
      const rows = await tx.query<{
        reference: string;
        state: string;
        signatures: number;
        mine: boolean;
        confirmations: number;
        foreign: string | null;
      }>(
        `select p.reference, p.state, p.confirmations, count(s.attempt)::int as signatures,
          coalesce(bool_or(s.tx_id = p.tx_id), false) as mine,
           min(g.spend) filter (where u.reference is distinct from p.reference) as foreign
         from (select * from payout where reference > $1 order by reference limit ${max}) p
         left join payout_signature s using (reference)
         left join lateral unnest(s.spends) g(spend) on true
         left join payout_spend u on u.chain = p.chain and u.spend = g.spend
         group by p.reference, p.state, p.confirmations order by p.reference`,
        [after],
      );
      for (const { reference, state, confirmations, signatures, mine, foreign } of rows) {
        if (state === 'waiting' && signatures > 0) return { fault: `${reference} is signed and waits`, last: null };
        // One that has failed may name the mined transaction of our key that used up its nonce.
        const isDisplaced = state === 'failed' && confirmations > 0;
        if (state !== 'waiting' && (signatures === 0 || !(mine || isDisplaced)))
          return { fault: `${reference} is ${state} by a transaction it has not signed`, last: null };
        if (state !== 'failed' && foreign !== null)
          return { fault: `${reference} spends ${foreign}, which is not its own`, last: null };
      }
      return { fault: null, last: rows.length < max ? null : (rows.at(-1)?.reference ?? null) };
    },
  };
}

const ofUser = <R extends { readonly user_id: string | null }>(row: R): R & { readonly userId: number | null } => ({
  ...row,
  userId: row.user_id === null ? null : Number(row.user_id),
});

function underWayOf(messages: readonly StreamedCommand[]): UnderWay {
  const causes = new Set<string>();
  const suspense: { currency: number; amount: string }[] = [];
  for (const { body } of messages) {
    if (body.withdrawalId !== undefined) causes.add(`withdrawal ${body.withdrawalId}`);
    for (const { causeType, causeId, legs } of body.journals ?? []) {
      causes.add(`${causeType} ${causeId}`);
      for (const { from, to, currency, amount } of legs) {
        if (to === SUSPENSE) suspense.push({ currency, amount });
        if (from === SUSPENSE) suspense.push({ currency, amount: `-${amount}` });
      }
    }
  }
  return { causes, suspense };
}
