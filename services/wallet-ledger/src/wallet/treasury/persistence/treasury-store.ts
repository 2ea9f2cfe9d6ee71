import type { ChainName } from '@bourse/contract';
import type { Lease } from '@bourse/messaging';
import type { Database, Tx } from '@bourse/persistence';
import type { Signature, SignedPayment } from '../../chains/application/chain.js';
import { SIGNATURE, toSignature, type SignatureRow } from '../../chains/persistence/signatures.js';
import {
  TreasuryStore,
  type EndedPayout,
  type FeeBooking,
  type NetworkFee,
  type NewSweep,
  type OpenSweep,
} from '../application/ports.js';

interface SweepRow {
  id: string;
  chain: ChainName;
  address: string;
  key_index: number;
  contract: string;
  amount: string;
}
/** Sweeps and network fees in PostgreSQL. Every write is fenced by the lease of the treasury. */
export class PostgresTreasuryStore extends TreasuryStore {
  constructor(private readonly database: Database) {
    super();
  }

  override async open(chain: ChainName): Promise<readonly OpenSweep[]> {
    const rows = await this.database.query<SweepRow>(
      `select id, chain, address, key_index, contract, amount::text
        from sweep
        where chain = $1 and state = 'signed'
        order by id`,
      [chain],
    );
    const signatures =
      rows.length === 0
        ? []
        : await this.database.query<SignatureRow & { sweep_id: string }>(
            `select sweep_id, ${SIGNATURE}
              from sweep_signature
              where sweep_id = any($1)
              order by attempt`,
            [rows.map(({ id }) => id)],
          );
    return rows.map((row) => ({
      id: row.id,
      chain: row.chain,
      address: row.address,
      index: row.key_index,
      contract: row.contract,
      amount: BigInt(row.amount),
      signatures: signatures.filter(({ sweep_id }) => sweep_id === row.id).map(toSignature),
    }));
  }

  override async create(
    lease: Lease,
    { chain, address, index, contract, amount }: NewSweep,
    signature: SignedPayment,
  ): Promise<void> {
    await this.under(lease, async (tx) => {
      const [row] = await tx.query<{ id: string }>(
        'insert into sweep (chain, address, key_index, contract, amount) values ($1, $2, $3, $4, $5) returning id',
        [chain, address, index, contract, amount.toString()],
      );
      await sign(tx, (row as { id: string }).id, { ...signature, attempt: 0 });
    });
  }

  override async raise(lease: Lease, id: string, signature: Omit<Signature, 'at'>): Promise<void> {
    await this.under(lease, (tx) => sign(tx, id, signature));
  }

  override async end(lease: Lease, id: string, state: 'done' | 'failed', fee: NetworkFee): Promise<void> {
    await this.under(lease, async (tx) => {
      if (
        (await tx.execute(`update sweep set state = $2, ended_at = now() where id = $1 and state = 'signed'`, [
          id,
          state,
        ])) !== 1
      )
        throw new Error(`sweep ${id} has ended already`);
      await addFee(tx, fee);
    });
  }

  override async failedOf(chain: ChainName, contract: string, forMs: number): Promise<ReadonlySet<string>> {
    const rows = await this.database.query<{ address: string }>(
      `select distinct address
        from sweep
        where chain = $1 and contract = $2 and state = 'failed' and ended_at > now() - $3 * interval '1 millisecond'`,
      [chain, contract, forMs],
    );
    return new Set(rows.map(({ address }) => address));
  }

  override async unpaid(chain: ChainName): Promise<readonly EndedPayout[]> {
    const rows = await this.database.query<{
      reference: string;
      mined: boolean;
      tx_id: string;
      ids: string[];
      fees: string[];
    }>(
      `select p.reference, p.confirmations > 0 as mined, p.tx_id, array_agg(s.tx_id order by s.attempt) as ids,
        array_agg(s.network_fee::text order by s.attempt) as fees
       from payout p join payout_signature s using (reference)
       where p.chain = $1 and p.state in ('done', 'failed')
         and not exists (select from network_fee f where f.reference = p.reference)
         and not exists (select from network_fee f where f.chain = p.chain and f.tx_id = p.tx_id)
       group by p.reference limit 100`,
      [chain],
    );
    return rows.map(({ reference, mined, tx_id, ids, fees }) => ({
      reference,
      isMined: mined,
      txId: tx_id,
      signatures: ids.map((txId, place) => ({ txId, networkFee: BigInt(fees[place] as string) })),
    }));
  }

  override async addFee(lease: Lease, fee: NetworkFee): Promise<void> {
    await this.under(lease, (tx) => addFee(tx, fee));
  }

  override async feesOf(chain: ChainName): Promise<bigint> {
    const [row] = await this.database.query<{ sum: string }>(
      'select coalesce(sum(amount), 0)::text as sum from network_fee where chain = $1',
      [chain],
    );
    return BigInt(row?.sum ?? '0');
  }

  override async booked(chain: ChainName): ReturnType<TreasuryStore['booked']> {
    const [row] = await this.database.query<{ amount: string; last: number; refused_at: string | null }>(
      `select coalesce(sum(amount) filter (where state <> 'refused'), 0)::text as amount,
        coalesce(max(number), 0) as last,
         floor(extract(epoch from max(at) filter (where state = 'refused')) * 1000)::bigint as refused_at
         from network_fee_booking
         where chain = $1`,
      [chain],
    );
    const [asked] = await this.database.query<{
      number: number;
      currency_id: number;
      account: string;
      partition: number;
      amount: string;
    }>(
      `select number, currency_id, account, partition, amount::text
        from network_fee_booking
        where chain = $1 and state = 'asked'`,
      [chain],
    );
    return {
      amount: row?.amount ?? '0',
      last: {
        number: row?.last ?? 0,
        refusedAt: row === undefined || row.refused_at === null ? null : Number(row.refused_at),
      },
      asked: asked
        ? {
            chain,
            number: asked.number,
            currencyId: asked.currency_id,
            account: asked.account,
            partition: asked.partition,
            amount: asked.amount,
          }
        : null,
    };
  }

  override async book(
    lease: Lease,
    { chain, number, currencyId, account, partition, amount }: FeeBooking,
  ): Promise<void> {
    await this.under(lease, (tx) =>
      tx.execute(
        `insert into network_fee_booking (chain, number, currency_id, account, partition, amount)
          values ($1, $2, $3, $4, $5, $6)`,
        [chain, number, currencyId, account, partition, amount],
      ),
    );
  }

  override async settleBooking(
    lease: Lease,
    { chain, number }: FeeBooking,
    state: 'booked' | 'refused',
  ): Promise<void> {
    await this.under(lease, (tx) =>
      tx.execute(
        `update network_fee_booking set state = $3, at = now() where chain = $1 and number = $2 and state = 'asked'`,
        [chain, number, state],
      ),
    );
  }

  private async under(lease: Lease, work: (tx: Tx) => Promise<unknown>): Promise<void> {
    await this.database.transaction(async (tx) => {
      await lease.fence(tx);
      await work(tx);
    });
  }
}

async function sign(
  tx: Tx,
  id: string,
  { attempt, txId, bytes, spends, networkFee }: Omit<Signature, 'at'>,
): Promise<void> {
  const added = await tx.execute(
    `insert into sweep_signature (sweep_id, attempt, chain, tx_id, bytes, spends, network_fee)
      select id, $2, chain, $3, $4, $5, $6
      from sweep
      where id = $1 and state = 'signed'`,
    [id, attempt, txId, bytes, spends, networkFee.toString()],
  );
  if (added !== 1) throw new Error(`sweep ${id} has ended and cannot be signed`);
}

async function addFee(tx: Tx, { chain, txId, reference, amount }: NetworkFee): Promise<void> {
  await tx.execute(
    `insert into network_fee (chain, tx_id, reference, amount)
      values ($1, $2, $3, $4)
      on conflict (chain, tx_id) do nothing`,
    [chain, txId, reference, amount.toString()],
  );
}
