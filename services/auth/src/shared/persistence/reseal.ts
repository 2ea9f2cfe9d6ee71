import { Injectable, Logger } from '@nestjs/common';
import { IsNull, type FindOptionsWhere, type ObjectLiteral, type QueryDeepPartialEntity } from 'typeorm';
import { Alarms, Metrics } from '@bourse/platform';
import { AuthDatabase } from '../application/ports/database.js';
import { Seal, type SealPurpose } from '../application/ports/seal.js';
import { AccountEntity } from './entities/account.entity.js';
import { ApiKeyEntity } from './entities/api-key.entity.js';
import { BankEntity } from './entities/bank.entity.js';
import { OperatorEntity } from './entities/operator.entity.js';
import { PaymentSettingsEntity } from './entities/payment-settings.entity.js';
import {
  bankOf,
  nameOf,
  NO_BANK,
  NO_PAYMENT,
  paymentOf,
  sealedBank,
  sealedCard,
  sealedName,
  sealedPayment,
} from './sealed-rows.js';

const PIECE = 500;
const ALARM = 'auth.reseal';

interface Done {
  readonly sealed: number;
  readonly broken: number;
}
/** One kind of sealed row. */
interface Kind<E extends ObjectLiteral = ObjectLiteral> {
  readonly name: string;
  readonly entity: new () => E;
  readonly key: keyof E & string;
  /**
   * Condition on row `r`: it has text in the clear, or sealed under another key than the newest; `:prefix` is the
   * prefix of a current seal.
   */
  readonly stale: string;
  /** Writes the row sealed again, unless it has changed since it was read; returns the number of rows written. */
  write(row: E): Promise<number>;
}

/**
 * Seals everything under the newest key, including texts that an earlier release left in the clear: row by row and
 * repeatably, beside the running exchange. Current rows are not touched, so a start without work reads once
 * (docs/data-keys.md) [HARD-316].
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
   * Seals texts in the clear, or sealed without a key id. Runs before the service serves calls, because sealed rows are
   * searched differently. Returns the number of rows.
   */
  clear(): Promise<number> {
    return this.each('v1.');
  }

  /**
   * Also seals texts under another key than the newest, beside the running exchange. A text that cannot be opened is
   * kept, is counted, and raises an alarm.
   */
  run(): Promise<number> {
    return this.each(this.seal.prefix);
  }

  /** `prefix`: texts that begin with it are sealed correctly. */
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
      if (done.sealed > 0) this.log.log(`${done.sealed} rows of ${kind.name} are sealed again`);
    }
    if (broken > 0) this.alarms.raise(ALARM, `${broken} sealed rows do not open: a key is missing (docs/data-keys.md)`);
    else this.alarms.clear(ALARM);
    return sealed;
  }

  private async runOne({ name, entity, key, stale, write }: Kind, prefix: string): Promise<Done> {
    let [sealed, broken] = [0, 0];
    for (let last: ObjectLiteral | undefined; ;) {
      const piece = this.database.manager.createQueryBuilder(entity, 'r').where(`(${stale})`, { prefix });
      if (last) piece.andWhere(`r.${key} > :last`, { last: last[key] as unknown });
      const rows = await piece.orderBy(`r.${key}`).limit(PIECE).getMany();
      for (const row of rows) {
        try {
          sealed += await write(row);
        } catch (error) {
          broken += 1;
          // One log line is enough: without the key there may be millions of rows.
          if (broken === 1) this.log.error(`${name} ${String(row[key])} does not open: ${(error as Error).message}`);
        }
      }
      if (rows.length < PIECE) return { sealed, broken };
      last = rows.at(-1);
    }
  }

  private kinds(): readonly Kind[] {
    const { seal } = this;
    return [
      this.text(AccountEntity, 'account.totp_sealed', 'id', 'totpSealed', 'totp'),
      this.text(AccountEntity, 'account.totp_pending', 'id', 'totpPending', 'totp'),
      this.text(AccountEntity, 'account.phishing_sealed', 'id', 'phishingSealed', 'phishing'),
      this.text(OperatorEntity, 'operator.totp_sealed', 'id', 'totpSealed', 'totp'),
      this.text(OperatorEntity, 'operator.totp_pending', 'id', 'totpPending', 'totp'),
      this.text(ApiKeyEntity, 'api_key.secret_sealed', 'key', 'secretSealed', 'apikey'),
      kind({
        name: 'account.card',
        entity: AccountEntity,
        key: 'id',
        stale: `r.cardId <> '' or (r.cardSealed <> '' and (r.cardMark = '' or not starts_with(r.cardSealed, :prefix)))`,
        write: ({ id, cardId, cardSealed }) =>
          this.replace(
            AccountEntity,
            { id, cardId, cardSealed },
            sealedCard(seal, cardId === '' ? seal.open('card', cardSealed) : cardId),
          ),
      }),
      kind({
        name: 'account.name',
        entity: AccountEntity,
        key: 'id',
        stale: `r.name <> '' or (r.nameSealed <> '' and not starts_with(r.nameSealed, :prefix))`,
        write: ({ id, name, nameSealed }) =>
          this.replace(
            AccountEntity,
            { id, name, nameSealed },
            { name: '', ...sealedName(seal, id, name === '' ? nameOf(seal, { id, name, nameSealed }) : name) },
          ),
      }),
      kind({
        name: 'bank',
        entity: BankEntity,
        key: 'userId',
        stale: 'r.sealed is null or not starts_with(r.sealed, :prefix)',
        write: (row) =>
          this.replace(
            BankEntity,
            { userId: row.userId, sealed: row.sealed ?? IsNull() },
            { ...NO_BANK, ...sealedBank(seal, row.userId, bankOf(seal, row)) },
          ),
      }),
      kind({
        name: 'payment_settings',
        entity: PaymentSettingsEntity,
        key: 'userId',
        stale: 'r.sealed is null or not starts_with(r.sealed, :prefix)',
        write: (row) =>
          this.replace(
            PaymentSettingsEntity,
            { userId: row.userId, sealed: row.sealed ?? IsNull() },
            { ...NO_PAYMENT, sealed: sealedPayment(seal, row.userId, paymentOf(seal, row)) },
          ),
      }),
    ];
  }

  /** A column with one sealed text. */
  private text<E extends ObjectLiteral>(
    entity: new () => E,
    name: string,
    key: keyof E & string,
    column: keyof E & string,
    purpose: SealPurpose,
  ): Kind {
    return kind({
      name,
      entity,
      key,
      stale: `r.${column} <> '' and not starts_with(r.${column}, :prefix)`,
      write: (row) => {
        const old = row[column] as string;
        return this.replace(
          entity,
          { [key]: row[key], [column]: old } as FindOptionsWhere<E>,
          { [column]: this.seal.seal(purpose, this.seal.open(purpose, old)) } as object as QueryDeepPartialEntity<E>,
        );
      },
    });
  }

  /** Writes the columns if the row is unchanged since it was read; returns 1 or 0. */
  private async replace<E extends ObjectLiteral>(
    entity: new () => E,
    asRead: FindOptionsWhere<E>,
    columns: QueryDeepPartialEntity<E>,
  ): Promise<number> {
    return (await this.database.manager.update(entity, asRead, columns)).affected ?? 0;
  }
}

/** Erases the type of a kind: each is called with rows of its own entity only. */
const kind = <E extends ObjectLiteral>(one: Kind<E>): Kind => one as unknown as Kind;
