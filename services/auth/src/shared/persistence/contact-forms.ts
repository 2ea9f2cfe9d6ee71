import { Injectable, Logger } from '@nestjs/common';
import type { Tx } from '@bourse/persistence';
import { AuthDatabase } from '../application/ports/database.js';
import { readWrittenEmail, readWrittenMobile, type AccountName } from '../domain/account-name.js';

const PIECE = 500;

interface Row extends Record<string, unknown> {
  readonly id: string;
  readonly email: string;
  readonly email_form: string | null;
  readonly phone: string;
  readonly area_code: string;
  readonly phone_form: string | null;
}

/**
 * Fills the normalized form of mailbox and telephone in accounts that are older than it. Two accounts with the same
 * form are both marked: each signs in only with the contact as registered, and operators see both in a list (rules §12)
 * [CLIENT-201].
 */
@Injectable()
export class ContactForms {
  private readonly log = new Logger('Auth');

  constructor(private readonly database: AuthDatabase) {}

  /** Fills missing forms; runs before the service is ready. */
  async fill(): Promise<void> {
    for (let last = '0'; ;) {
      const rows = await this.database.query<Row>(
        `select id, email, email_form, phone, area_code, phone_form from account
         where id > $1 and ((email <> '' and email_form is null) or (phone <> '' and phone_form is null))
         order by id limit $2`,
        [last, PIECE],
      );
      if (rows.length > 0) await this.database.transaction((tx) => this.fillPiece(tx, rows));
      if (rows.length < PIECE) return;
      last = rows.at(-1)?.id ?? last;
    }
  }

  private async fillPiece(tx: Tx, rows: readonly Row[]): Promise<void> {
    // Two instances that start at the same time must not both write the same form without a mark.
    await tx.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', ['contact forms']);
    for (const { id, email, email_form: emailForm, phone, area_code: areaCode, phone_form: phoneForm } of rows) {
      if (email !== '' && emailForm === null) await this.write(tx, id, 'email', readWrittenEmail(email));
      if (phone !== '' && phoneForm === null) await this.write(tx, id, 'phone', readWrittenMobile(phone, areaCode));
    }
  }

  private async write(tx: Tx, id: string, column: 'email' | 'phone', name: AccountName | null): Promise<void> {
    const form = name?.key ?? '';
    const others =
      form === ''
        ? 0
        : await tx.execute(`update account set ${column}_shared = true where ${column}_form = $1 and id <> $2`, [
            form,
            id,
          ]);
    if (others > 0) this.log.warn(`account ${id} has the ${column} of ${others} other accounts in another spelling`);
    await tx.execute(
      `update account set ${column}_form = $2, ${column}_shared = $3 where id = $1 and ${column}_form is null`,
      [id, form, others > 0],
    );
  }
}
