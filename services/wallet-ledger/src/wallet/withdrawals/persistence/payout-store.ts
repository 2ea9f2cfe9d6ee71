import type { ChainName } from '@bourse/contract';
import { Fenced, type Lease } from '@bourse/messaging';
import type { Database, Tx } from '@bourse/persistence';
import type { NewPayout, PayoutEnd, PayoutRecall, PayoutSettler } from '../application/payouts.js';
import type { Signature } from '../../chains/application/chain.js';
import { SIGNATURE, toSignature, type SignatureRow } from '../../chains/persistence/signatures.js';
import { PayoutStore, type OpenPayout } from '../application/ports.js';
import { noticeWithdrawal } from '../application/withdrawal-notice.js';

interface StoredPayout {
  reference: string;
  user_id: string | null;
  chain: ChainName;
  address: string;
  memo: string;
  contract: string;
  amount: string;
  confirmations_needed: number;
  may_fail: boolean;
}
const OPEN = `state in ('waiting', 'signed')`;
const OF_HOUSE = `reference ~ '^(gas|cold):'`;

/** Payouts in PostgreSQL. Every write of the sender is fenced by its lease. */
export class PostgresPayoutStore extends PayoutStore {
  constructor(private readonly database: Database) {
    super();
  }

  async enqueue(
    tx: Tx,
    { reference, userId, chain, to, memo, contract, amount, confirmations, mayFail = false }: NewPayout,
  ): Promise<void> {
    await tx.execute(
      `insert into payout (reference, user_id, chain, address, memo, contract, amount, confirmations_needed,
          may_fail)
        values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
        on conflict do nothing`,
      [reference, userId, chain, to, memo, contract, amount.toString(), confirmations, mayFail],
    );
  }

  async open(chain: ChainName, max: number): Promise<OpenPayout[]> {
    const payouts = await this.database.query<StoredPayout>(
      `select reference, user_id, chain, address, memo, contract, amount::text, confirmations_needed, may_fail
        from (
          select *, row_number() over (partition by rank, case rank when 2 then contract end
              order by created_at, reference) as place
            from (
              select *, case when state = 'signed' then 0 when ${OF_HOUSE} then 1 else 2 end as rank
                from payout where chain = $1 and ${OPEN}) ranked) placed
        where place <= $2
        order by rank, created_at, reference`,
      [chain, max],
    );
    const signatures =
      payouts.length === 0
        ? []
        : await this.database.query<SignatureRow & { reference: string }>(
            `select reference, ${SIGNATURE}
              from payout_signature
              where reference = any($1)
              order by attempt`,
            [payouts.map(({ reference }) => reference)],
          );
    return payouts.map((row) => ({
      reference: row.reference,
      userId: row.user_id === null ? null : Number(row.user_id),
      chain: row.chain,
      to: row.address,
      memo: row.memo,
      contract: row.contract,
      amount: BigInt(row.amount),
      confirmations: row.confirmations_needed,
      mayFail: row.may_fail,
      signatures: signatures.filter(({ reference }) => reference === row.reference).map(toSignature),
    }));
  }

  async ofHouse(chain: ChainName): Promise<Pick<NewPayout, 'reference' | 'to'>[]> {
    return this.database.query<{ reference: string; to: string }>(
      `select reference, address as to from payout where chain = $1 and ${OPEN} and ${OF_HOUSE}`,
      [chain],
    );
  }

  async owed(chain: ChainName): Promise<ReadonlyMap<string, bigint>> {
    const rows = await this.database.query<{ contract: string; amount: string }>(
      `select contract, sum(amount)::text as amount from payout where chain = $1 and ${OPEN} group by contract`,
      [chain],
    );
    return new Map(rows.map(({ contract, amount }) => [contract, BigInt(amount)]));
  }

  async reserved(chain: ChainName): Promise<ReadonlySet<string>> {
    const rows = await this.database.query<{ spend: string }>(
      `select s.spend from payout_spend s join payout p using (reference) where s.chain = $1 and p.state = 'signed'`,
      [chain],
    );
    return new Set(rows.map(({ spend }) => spend));
  }

  async sign(
    lease: Lease,
    { reference, chain }: Pick<NewPayout, 'reference' | 'chain'>,
    { attempt, txId, bytes, spends, networkFee, at }: Signature,
  ): Promise<void> {
    await this.database.transaction(async (tx) => {
      await lease.fence(tx);
      const moved = await tx.execute(
        `update payout set state = 'signed', tx_id = $2, confirmations = 0 where reference = $1 and state = $3`,
        [reference, txId, attempt === 0 ? 'waiting' : 'signed'],
      );
      if (moved !== 1) throw new Error(`${reference} is not open for signature ${attempt}`);
      const [before] = await tx.query<{ count: string }>(
        'select count(*) as count from payout_signature where reference = $1',
        [reference],
      );
      if (Number(before?.count) !== attempt)
        throw new Error(`${reference} has ${before?.count} signatures, ${attempt} were expected`);
      await tx.execute(
        `insert into payout_signature (reference, attempt, chain, tx_id, bytes, spends, network_fee, signed_at)
          values ($1, $2, $3, $4, $5, $6, $7, to_timestamp($8::double precision / 1000))`,
        [reference, attempt, chain, txId, bytes, spends, networkFee.toString(), at],
      );
      await tx.execute(
        `insert into payout_spend (chain, spend, reference)
          select $1, spend, $3
          from unnest($2::text[]) as spend
          on conflict do nothing`,
        [chain, spends, reference],
      );
      const [mine] = await tx.query<{ count: string }>(
        'select count(*) as count from payout_spend where chain = $1 and spend = any($2) and reference = $3',
        [chain, spends, reference],
      );
      if (Number(mine?.count) !== new Set(spends).size)
        throw new Error(`${reference} would spend what another payout has signed for`);
      if (attempt === 0) await this.emitSent(tx, reference, at);
    });
  }

  /** Notifies the owner of a withdrawal that it was sent; other payments have no owner. */
  private async emitSent(tx: Tx, reference: string, at: number): Promise<void> {
    const [sent] = await tx.query<{ id: string; user_id: string; number: string; name: string; scale: number }>(
      `select w.id, w.user_id, w.number::text as number, r.row->>'name' as name, (r.row->>'scale')::int as scale
        from withdrawal w
        join reference r on r.kind = 'currency' and r.id = w.currency_id::text
        where 'withdrawal:' || w.id = $1`,
      [reference],
    );
    if (!sent) return;
    const { id, user_id, number, name, scale } = sent;
    noticeWithdrawal(tx, 'withdrawalSent', { id, userId: Number(user_id), number }, { name, scale }, at);
  }

  async progress(
    lease: Lease,
    reference: string,
    { txId, confirmations }: { readonly txId: string; readonly confirmations: number },
  ): Promise<void> {
    await this.database.transaction(async (tx) => {
      await lease.fence(tx);
      await tx.execute(
        `update payout
          set tx_id = $2, confirmations = $3
          where reference = $1 and state = 'signed' and (tx_id, confirmations) is distinct from ($2, $3)`,
        [reference, txId, confirmations],
      );
    });
  }

  async end(
    lease: Lease,
    { reference, chain }: Pick<NewPayout, 'reference' | 'chain'>,
    outcome: PayoutEnd,
    settler: PayoutSettler,
  ): Promise<void> {
    await this.database.transaction(async (tx) => {
      await lease.fence(tx);
      const ended =
        outcome.state === 'done'
          ? await tx.execute(
              `update payout
                set state = 'done', tx_id = $2, confirmations = $3, ended_at = now()
                where reference = $1 and state = 'signed'`,
              [reference, outcome.txId, outcome.confirmations],
            )
          : await tx.execute(
              `update payout
                set state = 'failed', reason = $2, ended_at = now(), tx_id = coalesce($3, tx_id),
                  confirmations = case when $3::text is null then 0 else confirmations_needed end
                where reference = $1 and state = 'signed'`,
              [reference, outcome.reason, outcome.txId ?? null],
            );
      if (ended !== 1) throw new Fenced(`${reference} has ended already`);
      // The outputs reserved by its signatures are free again: none of these can be mined.
      if (outcome.state === 'failed')
        await tx.execute('delete from payout_spend where chain = $1 and reference = $2', [chain, reference]);
      await settler(tx, reference, outcome);
    });
  }

  async recall(
    lease: Lease,
    { reference }: Pick<NewPayout, 'reference'>,
    outcome: PayoutRecall,
    settler: PayoutSettler,
  ): Promise<boolean> {
    return this.database.transaction(async (tx) => {
      await lease.fence(tx);
      // Without a signature nothing refers to the payout, and nothing can have been sent.
      if ((await tx.execute(`delete from payout where reference = $1 and state = 'waiting'`, [reference])) !== 1)
        return false;
      await settler(tx, reference, outcome);
      return true;
    });
  }
}
