import { Injectable } from '@nestjs/common';
import { PERCENT_SCALE } from '@bourse/formulas';
import { formatTrimmed } from '@bourse/money';
import { Conditions, readPage, type Tx } from '@bourse/persistence';
import { ContractStore, type Closed, type ContractFilter, type Known } from '../application/ports.js';
import { OPENING_MS, reserveOf, type Agreement, type Contract } from '../domain/contract.js';
import { CONTRACT_COLUMNS, contractOf, type StoredContract } from './contract-rows.js';
import { MicroDatabase } from '../../shared/application/database.js';
import type { Page } from '@bourse/platform';
import type { Rows } from '@bourse/contract';

const AT = (parameter: string): string => `to_timestamp(${parameter}::float8 / 1000)`;
type Row = StoredContract & Record<string, unknown>;

@Injectable()
export class PostgresContracts extends ContractStore {
  constructor(private readonly database: MicroDatabase) {
    super();
  }

  async takeOpen(tx: Tx, userId: number, most: number): Promise<boolean> {
    await tx.execute('insert into open_count (user_id, contracts) values ($1, 0) on conflict do nothing', [userId]);
    const sql = 'update open_count set contracts = contracts + 1 where user_id = $1 and contracts < $2';
    return (await tx.execute(sql, [userId, most])) === 1;
  }

  async takeReserve(tx: Tx, contract: Agreement, cap: bigint): Promise<boolean> {
    const { matchId, currencyId, scale } = contract;
    await tx.execute(
      'insert into market_reserve (match_id, currency_id, reserved) values ($1, $2, 0) on conflict do nothing',
      [matchId, currencyId],
    );
    const taken = await tx.execute(
      `update market_reserve set reserved = reserved + $3::numeric
       where match_id = $1 and currency_id = $2 and reserved + $3::numeric <= $4::numeric`,
      [matchId, currencyId, formatTrimmed(reserveOf(contract), scale), formatTrimmed(cap, scale)],
    );
    return taken === 1;
  }

  /** Rows are locked in the order of their keys: two transactions that release many never deadlock. */
  async giveBack(tx: Tx, contracts: readonly Agreement[]): Promise<void> {
    const people = new Map<number, number>();
    const markets = new Map<string, { match: number; currency: number; scale: number; reserve: bigint }>();
    for (const contract of contracts) {
      const { userId, matchId: match, currencyId: currency, scale } = contract;
      people.set(userId, (people.get(userId) ?? 0) + 1);
      const key = `${match} ${currency}`;
      const reserve = (markets.get(key)?.reserve ?? 0n) + reserveOf(contract);
      markets.set(key, { match, currency, scale, reserve });
    }
    await tx.execute(
      `with locked as (
         select user_id from open_count where user_id = any($1::bigint[]) order by user_id for update)
       update open_count o set contracts = o.contracts - n.count
       from unnest($1::bigint[], $2::int[]) as n(user_id, count), locked l
       where o.user_id = n.user_id and l.user_id = n.user_id`,
      [[...people.keys()], [...people.values()]],
    );
    const rows = [...markets.values()].sort((a, b) => a.match - b.match || a.currency - b.currency);
    for (const { match, currency, scale, reserve } of rows)
      await tx.execute(
        'update market_reserve set reserved = reserved - $3::numeric where match_id = $1 and currency_id = $2',
        [match, currency, formatTrimmed(reserve, scale)],
      );
  }

  async insert(tx: Tx, contract: Agreement): Promise<void> {
    const amount = (units: bigint): string => formatTrimmed(units, contract.scale);
    await tx.execute(
      `insert into contract (id, user_id, match_id, symbol, price_scale, currency_id, currency_name, scale, direction,
         seconds, stake, fee, reserve, ratio, policy_id, state)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, 'waiting')`,
      [
        contract.id,
        contract.userId,
        contract.matchId,
        contract.symbol,
        contract.priceScale,
        contract.currencyId,
        contract.currencyName,
        contract.scale,
        contract.direction,
        contract.seconds,
        amount(contract.stake),
        amount(contract.fee),
        amount(reserveOf(contract)),
        formatTrimmed(contract.ratio, PERCENT_SCALE),
        contract.policyId,
      ],
    );
  }

  async accept(tx: Tx, id: string, acceptedAt: number): Promise<Contract> {
    const [row] = await tx.query<Row>(
      `update contract c set state = 'opening', accepted_at = ${AT('$2')}
       where id = $1 and state = 'waiting' returning ${CONTRACT_COLUMNS}`,
      [id, acceptedAt],
    );
    if (!row) throw new Error(`invariant: contract ${id} does not wait for the ledger`);
    return contractOf(row);
  }

  async drop(tx: Tx, id: string): Promise<Contract> {
    const [row] = await tx.query<Row>(
      `delete from contract c where id = $1 and state = 'waiting' returning ${CONTRACT_COLUMNS}`,
      [id],
    );
    if (!row) throw new Error(`invariant: contract ${id} does not wait for the ledger`);
    return contractOf(row);
  }

  /** Opened by a tick later than the acceptance, or void once none can come. */
  takeOpening(tx: Tx, known: readonly Known[], limit: number): Promise<readonly Contract[]> {
    return this.take(
      tx,
      known,
      limit,
      `c.state = 'opening' and (c.accepted_at <= ${AT(`(k.through - ${OPENING_MS})`)} or exists (
         select 1 from tick t where t.symbol = c.symbol and t.time > c.accepted_at
           and t.time <= c.accepted_at + interval '${OPENING_MS} milliseconds'))`,
      'c.accepted_at, c.id',
    );
  }

  takeExpired(tx: Tx, known: readonly Known[], limit: number): Promise<readonly Contract[]> {
    return this.take(
      tx,
      known,
      limit,
      `c.state = 'running' and c.expire_time <= ${AT('k.through')}`,
      'c.expire_time, c.id',
    );
  }

  private async take(
    tx: Tx,
    known: readonly Known[],
    limit: number,
    condition: string,
    order: string,
  ): Promise<readonly Contract[]> {
    const rows = await tx.query<Row>(
      `select ${CONTRACT_COLUMNS} from contract c
       join unnest($1::text[], $2::bigint[]) as k(symbol, through) on k.symbol = c.symbol
       where ${condition} order by ${order} limit $3 for update of c skip locked`,
      [known.map(({ symbol }) => symbol), known.map(({ through }) => through), limit],
    );
    return rows.map(contractOf);
  }

  async saveOpened(tx: Tx, contracts: readonly Contract[]): Promise<void> {
    const changed = await tx.execute(
      `update contract c set state = 'running', open_tick_id = n.tick, open_time = ${AT('n.open')},
         open_price = n.price, expire_time = ${AT('n.expire')}
       from unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::text[], $5::bigint[])
         as n(id, tick, open, price, expire)
       where c.id = n.id and c.state = 'opening'`,
      [
        contracts.map(({ id }) => id),
        contracts.map(({ openTickId }) => String(openTickId)),
        contracts.map(({ openTime }) => openTime),
        contracts.map(({ openPrice }) => openPrice),
        contracts.map(({ expireTime }) => expireTime),
      ],
    );
    if (changed !== contracts.length) throw new Error('invariant: a contract was opened that was not waiting for it');
  }

  async saveClosed(tx: Tx, contracts: readonly Closed[]): Promise<void> {
    const changed = await tx.execute(
      `update contract c set state = 'closed', end_tick_ids = string_to_array(n.ticks, ',')::bigint[],
         end_price = n.price, result = n.result, profits = n.profits, handled_at = ${AT('n.handled')}
       from unnest($1::bigint[], $2::text[], $3::text[], $4::text[], $5::numeric[], $6::bigint[])
         as n(id, ticks, price, result, profits, handled)
       where c.id = n.id and c.state in ('opening', 'running')`,
      [
        contracts.map(({ id }) => id),
        contracts.map(({ endTickIds }) => endTickIds.join(',')),
        contracts.map(({ endPrice }) => endPrice),
        contracts.map(({ result }) => result),
        contracts.map(({ profits, scale }) => formatTrimmed(profits, scale)),
        contracts.map(({ handledAt }) => handledAt),
      ],
    );
    if (changed !== contracts.length) throw new Error('invariant: a contract was closed twice');
    const outcomes = new Map<string, number>();
    for (const { currencyName, result } of contracts) {
      const key = `${currencyName} ${result}`;
      outcomes.set(key, (outcomes.get(key) ?? 0) + 1);
    }
    for (const [key, count] of [...outcomes].sort(([a], [b]) => (a < b ? -1 : 1)))
      await tx.execute(
        `insert into outcome (currency_name, result, contracts) values ($1, $2, $3)
         on conflict (currency_name, result) do update set contracts = outcome.contracts + excluded.contracts`,
        [...key.split(' '), count],
      );
  }

  async list({ userId, isClosed, matchId }: ContractFilter, page: Page): Promise<Rows<Contract>> {
    const conditions = new Conditions().addText(`c.state <> 'waiting'`);
    if (isClosed !== undefined)
      conditions.addText(isClosed ? `c.state = 'closed'` : `c.state in ('opening', 'running')`);
    const { where, params } = conditions.add('c.user_id = ?', userId).add('c.match_id = ?', matchId);
    const orderBy = 'c.accepted_at desc, c.id desc';
    const list = { columns: CONTRACT_COLUMNS, from: 'contract c', where, params, orderBy };
    const { rows, total } = await readPage<Row>(this.database, list, page);
    return { rows: rows.map(contractOf), total };
  }

  async find(id: string): Promise<Contract | null> {
    const [row] = await this.database.query<Row>(
      `select ${CONTRACT_COLUMNS} from contract c where c.id = $1 and c.state <> 'waiting'`,
      [id],
    );
    return row ? contractOf(row) : null;
  }
}
