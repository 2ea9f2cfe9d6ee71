import { Injectable } from '@nestjs/common';
import type { Tx } from '@bourse/persistence';
import { Refused } from '@bourse/platform';
import { CatalogList, type SavedRow } from '@bourse/settings';
import { MicroDatabase } from '../../shared/application/database.js';
import { moneyText, percentText, requireRange, text } from '../../shared/persistence/catalog-texts.js';
import { SecondsBody, type CatalogSeconds } from '../application/duration-rows.js';
import { Durations, type SecondsRow } from '../application/ports.js';

const SECONDS = `id, seconds, ${['profit_ratio', 'min_money', 'max_money'].map(text).join(', ')}, is_open`;

interface StoredSeconds extends Record<string, unknown> {
  readonly id: number;
  readonly seconds: number;
  readonly profit_ratio: string;
  readonly min_money: string;
  readonly max_money: string;
  readonly is_open: boolean;
}

/** Durations, read from their table each time. */
@Injectable()
export class PostgresDurations extends Durations {
  constructor(private readonly database: MicroDatabase) {
    super();
  }

  async all(): Promise<readonly SecondsRow[]> {
    const rows = await this.database.query<StoredSeconds>(`select ${SECONDS} from seconds_row order by seconds`);
    return rows.map((row) => ({
      id: row.id,
      seconds: row.seconds,
      profitRatio: row.profit_ratio,
      minMoney: row.min_money,
      maxMoney: row.max_money,
      isOpen: row.is_open,
    }));
  }
}

/** Durations. A contract has its own copy of the terms: a change applies to later contracts. */
@Injectable()
export class SecondsList extends CatalogList<SecondsBody> {
  readonly name = 'micro_seconds';
  readonly body = SecondsBody;

  constructor(private readonly database: MicroDatabase) {
    super();
  }

  async rows(): Promise<readonly CatalogSeconds[]> {
    return (await this.database.query<StoredSeconds>(`select ${SECONDS} from seconds_row order by seconds`)).map(
      shownSeconds,
    );
  }

  async save(tx: Tx, body: SecondsBody): Promise<SavedRow> {
    const [before] = await tx.query<StoredSeconds>(`select ${SECONDS} from seconds_row where id = $1 for update`, [
      body.id,
    ]);
    if (!before) throw new Refused('common.notFound', {}, { field: 'id' });
    requireRange({
      min: ['min_money', body.minMoney, before.min_money],
      max: ['max_money', body.maxMoney, before.max_money],
    });
    const [after] = await tx.query<StoredSeconds>(
      `update seconds_row set profit_ratio = $2, min_money = $3, max_money = $4, is_open = $5 where id = $1
       returning ${SECONDS}`,
      [
        body.id,
        percentText(body.profitRatio, before.profit_ratio),
        moneyText(body.minMoney, before.min_money),
        moneyText(body.maxMoney, before.max_money),
        body.isOpen ?? before.is_open,
      ],
    );
    return { id: String(body.id), before: shownSeconds(before), after: shownSeconds(after!) };
  }
}
const shownSeconds = ({
  id,
  seconds,
  profit_ratio,
  min_money,
  max_money,
  is_open: isOpen,
}: StoredSeconds): CatalogSeconds => ({
  id,
  seconds,
  profit_ratio,
  min_money,
  max_money,
  is_open: isOpen ? 1 : 0,
});
