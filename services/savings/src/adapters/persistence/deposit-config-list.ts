import { Injectable } from '@nestjs/common';
import { PERCENT_SCALE } from '@bourse/formulas';
import { formatTrimmed, type Units } from '@bourse/money';
import type { Tx } from '@bourse/persistence';
import { Refused } from '@bourse/platform';
import { CatalogList, type SavedRow } from '@bourse/settings';
import { DepositConfigBody, MONEY_SCALE, type CatalogDepositConfig } from '../../application/catalog-rows.js';
import { SavingsDatabase } from '../../application/ports.js';
import { DepositConfigs, type DepositConfig } from '../../application/savings-ports.js';

const COLUMNS = `id, currency_id, day, trim_scale(interest_rate)::text as interest_rate,
  trim_scale(save_min)::text as save_min, is_open`;

interface Stored extends Record<string, unknown> {
  readonly id: number;
  readonly currency_id: number;
  readonly day: number;
  readonly interest_rate: string;
  readonly save_min: string;
  readonly is_open: boolean;
}
const configOf = (row: Stored): DepositConfig => ({
  id: row.id,
  currencyId: row.currency_id,
  day: row.day,
  interestRate: row.interest_rate,
  saveMin: row.save_min,
  isOpen: row.is_open,
});
const catalogRow = ({ id, currency_id, day, interest_rate, save_min, is_open }: Stored): CatalogDepositConfig => ({
  ...{ id, currency_id, day, interest_rate, save_min },
  is_open: is_open ? 1 : 0,
});
const textOf = (value: Units | undefined, scale: number, before: string): string =>
  value === undefined ? before : formatTrimmed(value, scale);

/** Terms, read from their table each time. */
@Injectable()
export class PostgresDepositConfigs extends DepositConfigs {
  constructor(private readonly database: SavingsDatabase) {
    super();
  }

  async all(): Promise<readonly DepositConfig[]> {
    const sql = `select ${COLUMNS} from deposit_config order by currency_id, day`;
    return (await this.database.query<Stored>(sql)).map(configOf);
  }
}

/** The list `deposit_configs` of the catalog. Subscriptions have their own copies of the terms. */
@Injectable()
export class DepositConfigList extends CatalogList<DepositConfigBody> {
  readonly name = 'deposit_configs';
  readonly body = DepositConfigBody;

  constructor(private readonly database: SavingsDatabase) {
    super();
  }

  async rows(): Promise<readonly CatalogDepositConfig[]> {
    const sql = `select ${COLUMNS} from deposit_config order by id`;
    return (await this.database.query<Stored>(sql)).map(catalogRow);
  }

  async save(tx: Tx, body: DepositConfigBody): Promise<SavedRow> {
    const [before] = await tx.query<Stored>(`select ${COLUMNS} from deposit_config where id = $1 for update`, [
      body.id,
    ]);
    if (!before) throw new Refused('common.notFound', {}, { field: 'id' });
    const [after] = await tx.query<Stored>(
      `update deposit_config set interest_rate = $2, save_min = $3, is_open = $4 where id = $1 returning ${COLUMNS}`,
      [
        body.id,
        textOf(body.interestRate, PERCENT_SCALE, before.interest_rate),
        textOf(body.saveMin, MONEY_SCALE, before.save_min),
        body.isOpen ?? before.is_open,
      ],
    );
    return { id: String(body.id), before: catalogRow(before), after: catalogRow(after!) };
  }
}
