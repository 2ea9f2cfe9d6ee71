import { Injectable, Logger } from '@nestjs/common';
import { Alarms, Metrics } from '@bourse/platform';
import { AuthDatabase, Seal, type SealPurpose } from '../../application/ports.js';
import {
  BANK_COLUMNS,
  bankOf,
  nameOf,
  PAYMENT_COLUMNS,
  paymentOf,
  sealedBank,
  sealedName,
  sealedPayment,
  type BankRow,
  type NameRow,
  type PaymentRow,
} from './sealed-rows.js';

const PIECE = 500;
const ALARM = 'auth.reseal';

/** One kind of row that lies sealed. */
interface Kind {
  readonly name: string;
  readonly key: string;
  readonly table: string;
  readonly columns: string;
  /** What is in the clear, or under another key than the newest; `$1` is what a good seal begins with. */
  readonly stale: string;
  /** Writes the row sealed anew, unless somebody has changed it since it was read. */
  write(row: Readonly<Record<string, unknown>>): Promise<number>;
}

/**
 * Brings everything that lies sealed under the newest key, and what an earlier release left in the clear with it: row
 * by row, as often as it is called, beside the running exchange. What is done already is not touched, so a start that
 * finds nothing to do reads once (docs/data-keys.md) [HARD-316].
 */
@Injectable()
export class Reseal {
  private readonly log = new Logger('Reseal');

  constructor(
    private readonly database: AuthDatabase,
    private readonly seal: Seal,
    private readonly alarms: Alarms,
    private readonly metrics: Metrics,
  ) {}

  /**
   * Seals what is in the clear, or names no key: before anybody is served, because sealed rows are searched otherwise.
   * Answers how many rows.
   */
  clear(): Promise<number> {
    return this.each('v1.');
  }

  /**
   * The same, and what lies under another key than the newest, beside the running exchange. What cannot be opened stays
   * as it is, is counted, and raises an alarm.
   */
  run(): Promise<number> {
    return this.each(this.seal.prefix);
  }

  /** `prefix`: what begins with it is well sealed. */
  private async each(prefix: string): Promise<number> {
    const left = this.metrics.gauge('bourse_data_stale_rows', 'Rows in the clear or sealed under an earlier key', [
      'what',
    ]);
    let [sealed, broken] = [0, 0];
    for (const kind of this.kinds()) {
      const done = await this.runOne(kind, prefix);
      left.set({ what: kind.name }, done.broken);
      sealed += done.sealed;
      broken += done.broken;
      if (done.sealed > 0) this.log.log(`${done.sealed} rows of ${kind.name} are sealed anew`);
    }
    if (broken > 0) this.alarms.raise(ALARM, `${broken} sealed rows do not open: a key is missing (docs/data-keys.md)`);
    else this.alarms.clear(ALARM);
    return sealed;
  }

  private async runOne(kind: Kind, prefix: string): Promise<{ sealed: number; broken: number }> {
    let [sealed, broken] = [0, 0];
    for (let after: string | null = null; ;) {
      const rows: Record<string, unknown>[] = await this.database.query(
        `select ${kind.columns} from ${kind.table}
         where (${kind.stale}) and ($2::text is null or ${kind.key}::text collate "C" > $2) order by ${kind.key}::text collate "C" limit ${PIECE}`,
        [prefix, after],
      );
      for (const row of rows) {
        try {
          sealed += await kind.write(row);
        } catch (error) {
          broken += 1;
          // One line is enough: without a key there may be millions.
          if (broken === 1)
            this.log.error(`${kind.name} ${String(row[kind.key])} does not open: ${(error as Error).message}`);
        }
      }
      if (rows.length < PIECE) return { sealed, broken };
      after = String(rows.at(-1)?.[kind.key]);
    }
  }

  private kinds(): readonly Kind[] {
    return [
      this.text('account', 'id', 'totp_sealed', 'totp'),
      this.text('account', 'id', 'totp_pending', 'totp'),
      this.text('account', 'id', 'phishing_sealed', 'phishing'),
      this.text('operator', 'id', 'totp_sealed', 'totp'),
      this.text('operator', 'id', 'totp_pending', 'totp'),
      this.text('api_key', 'key', 'secret_sealed', 'apikey'),
      {
        name: 'account.card',
        key: 'id',
        table: 'account',
        columns: 'id, card_id, card_sealed',
        stale: `card_id <> '' or (card_sealed <> '' and not starts_with(card_sealed, $1))`,
        write: (row) =>
          this.database.execute(
            `update account set card_sealed = $2, card_id = '' where id = $1 and card_sealed = $3 and card_id = $4`,
            [
              row['id'],
              this.seal.seal(
                'card',
                row['card_id'] === ''
                  ? this.seal.open('card', row['card_sealed'] as string)
                  : (row['card_id'] as string),
              ),
              row['card_sealed'],
              row['card_id'],
            ],
          ),
      },
      {
        name: 'account.name',
        key: 'id',
        table: 'account',
        columns: 'id, name, name_sealed',
        stale: `name <> '' or (name_sealed <> '' and not starts_with(name_sealed, $1))`,
        write: (raw) => {
          const row = raw as unknown as NameRow;
          const { sealed, marks } = sealedName(this.seal, row.id, row.name === '' ? nameOf(this.seal, row) : row.name);
          return this.database.execute(
            `update account set name = '', name_sealed = $2, name_marks = $3 where id = $1 and name = $4 and name_sealed = $5`,
            [row.id, sealed, marks, row.name, row.name_sealed],
          );
        },
      },
      {
        name: 'bank',
        key: 'user_id',
        table: 'bank',
        columns: BANK_COLUMNS,
        stale: 'sealed is null or not starts_with(sealed, $1)',
        write: (raw) => {
          const row = raw as unknown as BankRow;
          const { sealed, cityMark, areaMark } = sealedBank(this.seal, row.user_id, bankOf(this.seal, row));
          return this.database.execute(
            `update bank set real_name = '', bank_no = '', bank_name = '', region = '', phone = '', sealed = $2, city_mark = $3, area_mark = $4
             where user_id = $1 and sealed is not distinct from $5`,
            [row.user_id, sealed, cityMark, areaMark, row.sealed],
          );
        },
      },
      {
        name: 'payment_settings',
        key: 'user_id',
        table: 'payment_settings',
        columns: PAYMENT_COLUMNS,
        stale: 'sealed is null or not starts_with(sealed, $1)',
        write: (raw) => {
          const row = raw as unknown as PaymentRow;
          return this.database.execute(
            `update payment_settings set real_name = '', bank_name = '', bank_account = '', alipay_account = '', alipay_collect = '', wechat_account = '',
               wechat_nickname = '', wechat_collect = '', sealed = $2 where user_id = $1 and sealed is not distinct from $3`,
            [row.user_id, sealedPayment(this.seal, row.user_id, paymentOf(this.seal, row)), row.sealed],
          );
        },
      },
    ];
  }

  /** A column of one sealed text. */
  private text(table: string, key: string, column: string, purpose: SealPurpose): Kind {
    return {
      name: `${table}.${column}`,
      key,
      table,
      columns: `${key}, ${column}`,
      stale: `${column} <> '' and not starts_with(${column}, $1)`,
      write: (row) => {
        const old = row[column] as string;
        return this.database.execute(`update ${table} set ${column} = $2 where ${key} = $1 and ${column} = $3`, [
          row[key],
          this.seal.seal(purpose, this.seal.open(purpose, old)),
          old,
        ]);
      },
    };
  }
}
