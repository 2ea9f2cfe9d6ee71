import type { SqlReader } from '@bourse/persistence';
import { toUnits } from '@bourse/money';
import type { BookFormat } from './ledger/application/accounting/plain-text.js';
import { writeWholeLedger, type BookedBalance, type BookedRow } from './ledger/application/accounting/whole-ledger.js';
import { commodityIn, type Commodity } from './ledger/application/currencies.js';
import { signedUnits } from './ledger/application/writer/entries.js';

export { BOOK_FORMATS } from './ledger/application/accounting/plain-text.js';

const ROWS_OF_PIECE = 2_000;

interface StoredRow {
  readonly partition: number;
  readonly number: string;
  readonly part: number;
  readonly owner: string;
  readonly id: string;
  readonly cause_type: string;
  readonly cause_id: string;
  readonly entries: string;
  readonly at: string;
}
interface StoredBalance {
  readonly owner: string;
  readonly account: string;
  readonly currency: number;
  readonly available: string;
  readonly held: string;
}

/**
 * Writes the whole ledger in one format of plain-text accounting, in pieces (`bourse export`). The reader must be in
 * one snapshot: the balances at the end are those after the last journal.
 */
export async function* exportLedger(reader: SqlReader, format: BookFormat): AsyncGenerator<string> {
  const stored = await reader.query<{ id: string; name: string; scale: number }>(
    `select id, row->>'name' as name, (row->>'scale')::int as scale from ledger.reference where kind = 'currency'`,
  );
  const catalog = new Map(stored.map(({ id, name, scale }) => [Number(id), { name, scale }]));
  const commodityOf = (currency: number): Commodity => commodityIn(currency, catalog.get(currency));
  yield* writeWholeLedger(
    format,
    commodityOf,
    piecesOf<StoredRow, BookedRow>(
      reader,
      `select partition, number, part, owner, id, cause_type, cause_id, entries::text as entries,
         floor(extract(epoch from created_at) * 1000)::bigint as at
       from ledger.journal order by created_at, partition, number, part`,
      ({ cause_type: causeType, cause_id: causeId, number, owner, at, ...row }) => ({
        ...row,
        causeType,
        causeId,
        number: Number(number),
        owner: Number(owner),
        at: Number(at),
      }),
    ),
    () =>
      piecesOf<StoredBalance, BookedBalance>(
        reader,
        `select owner, product as account, currency, trim_scale(available)::text as available,
           trim_scale(held)::text as held
         from ledger.balance order by owner, product, currency`,
        ({ owner, currency, available, held, account }) => {
          const { scale } = commodityOf(currency);
          return {
            owner: Number(owner),
            account,
            currency,
            available: signedUnits(available, scale),
            held: toUnits(held, scale),
          };
        },
      ),
  );
}

/** Reads the rows of a query by a cursor, because the history of an install does not fit into memory. */
async function* piecesOf<Stored extends object, Row>(
  reader: SqlReader,
  sql: string,
  rowOf: (stored: Stored) => Row,
): AsyncGenerator<readonly Row[]> {
  await reader.query(`declare exported no scroll cursor for ${sql}`);
  for (;;) {
    const rows = await reader.query<Stored & Record<string, unknown>>(`fetch ${ROWS_OF_PIECE} from exported`);
    if (rows.length === 0) break;
    yield rows.map(rowOf);
  }
  await reader.query('close exported');
}
