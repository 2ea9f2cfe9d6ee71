import type { GuardedRow } from '@bourse/contract';
import type { ActField } from '../../parts/act-model.js';
import { textsIn, textsWritten } from '../../parts/texts-model.js';

type Kind = ActField['kind'];
/** The fields of each table that an operator may change, as its call takes them (api §2.12). */
const TABLES = {
  currencies: {
    full_name: 'text',
    logo: 'text',
    publish_date: 'text',
    total_supply: 'amount',
    circulation: 'amount',
    website: 'text',
    explorer: 'text',
    white_paper: 'text',
    description: 'long',
  },
  pairs: {
    maker_fee: 'amount',
    taker_fee: 'amount',
    market_band: 'amount',
    min_total: 'amount',
    open_spot: 'flag',
    open_lever: 'flag',
    open_micro: 'flag',
    is_display: 'flag',
  },
  protocols: {
    min_number: 'amount',
    rate: 'amount',
    min_deposit: 'amount',
    confirmations: 'amount',
    open_deposit: 'flag',
    open_withdraw: 'flag',
    note: 'texts',
  },
  micro_seconds: { profit_ratio: 'amount', min_money: 'amount', max_money: 'amount', is_open: 'flag' },
  insurance_types: {
    name: 'text',
    min_amount: 'amount',
    max_amount: 'amount',
    premium_rate: 'amount',
    end_profit_rate: 'amount',
    claim_loss_rate: 'amount',
    claim_rate: 'amount',
    claims_per_day: 'amount',
    stake_rate: 'amount',
    max_open: 'amount',
    quota: 'amount',
  },
  deposit_configs: { interest_rate: 'amount', save_min: 'amount', is_open: 'flag' },
  countries: { area_code: 'text', name_cn: 'text', name_en: 'text', is_display: 'flag' },
} as const satisfies Record<string, Readonly<Record<string, Kind>>>;

export type TableName = keyof typeof TABLES;
export const TABLE_NAMES = Object.keys(TABLES) as readonly TableName[];
export const isTable = (name: string | undefined): name is TableName => name !== undefined && name in TABLES;

/** A row as the call answers it: names of the contract. */
export type CatalogRow = Readonly<Record<string, unknown>> & Partial<GuardedRow>;

/** Facts about a row, which are shown beside it: no columns of its table. */
const FACTS: readonly string[] = ['guarded', 'guarded_fields', 'pending'] satisfies (keyof GuardedRow)[];

/** Columns of a table: all fields of its rows, the identifying ones first. */
export function columnsOf(rows: readonly CatalogRow[]): readonly string[] {
  const first = ['id', 'symbol', 'name', 'currency_name'];
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))].filter((name) => !FACTS.includes(name));
  const rank = (name: string): number => (first.includes(name) ? first.indexOf(name) : first.length);
  return names.sort((one, other) => rank(one) - rank(other));
}

/** A value of a row as text; flags stay 1 and 0, objects are written as JSON. */
export function cellText(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'string') return value;
  return JSON.stringify(value);
}

/** The form of a row: its fields that may be changed, with their present values. */
export function formOf(table: TableName, row: CatalogRow): { fields: ActField[]; initial: Record<string, string> } {
  const kinds = Object.entries<Kind>(TABLES[table]).filter(([name]) => name in row);
  return {
    fields: kinds.map(([name, kind]) => ({
      name,
      label: columnLabel(row, name),
      kind,
    })),
    initial: Object.fromEntries(
      kinds.map(([name, kind]) => [name, kind === 'texts' ? textsWritten(textsIn(row[name])) : cellText(row[name])]),
    ),
  };
}

/** The name of a column, with a mark (not by colour alone) if its changes need a second operator. */
export const columnLabel = (row: CatalogRow | undefined, name: string): string =>
  row?.guarded_fields?.includes(name) ? `${name} ²` : name;

/** Columns of a waiting change, with their values in force. */
export const waitingColumns = (row: CatalogRow): object =>
  Object.fromEntries(Object.keys(row.pending?.value ?? {}).map((name) => [name, row[name]]));
