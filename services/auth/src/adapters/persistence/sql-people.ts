import { randomBytes, randomInt } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Language } from '@bourse/contract';
import type { Tx } from '@bourse/persistence';
import { People, type Bank, type NewPerson, type Person, type Sql, type StoredPassword } from '../../application/ports.js';
import type { AccountName } from '../../domain/account-name.js';

interface PersonRow {
  id: string; email: string; phone: string; area_code: string; password_hash: string; can_sign_in: boolean; fund_hash: string | null; fund_must_reset: boolean; hint_salt: string; hints: string[];
  lang: Language; nationality: string; account_number: string; extension_code: string; review_status: 0 | 1 | 2; review_reason: string; name: string; card_id: string;
  frozen: Person['frozen']; is_seller: boolean; is_acceptor: boolean; region: string; in_points: boolean; totp_sealed: string | null; totp_step: string;
}
const COLUMNS = `id, email, phone, area_code, password_hash, can_sign_in, fund_hash, fund_must_reset, hint_salt, hints, lang, nationality, account_number, extension_code,
  review_status, review_reason, name, card_id, frozen, is_seller, is_acceptor, region, in_points, totp_sealed, totp_step`;
/** Without letters that look like digits. */
const LETTERS = '23456789ABCDEFGHJKMNPQRSTUVWXYZ';
const ATTEMPTS = 5;

@Injectable()
export class SqlPeople extends People {
  async byName(sql: Sql, name: AccountName): Promise<Person | null> {
    const column = name.kind === 'email' ? 'email_key' : 'phone_key';
    const [row] = await sql.query<PersonRow>(`select ${COLUMNS} from account where ${column} = $1`, [name.key]);
    return row ? person(row) : null;
  }

  async byId(sql: Sql, id: number): Promise<Person | null> {
    const [row] = await sql.query<PersonRow>(`select ${COLUMNS} from account where id = $1`, [id]);
    return row ? person(row) : null;
  }

  async inviter(sql: Sql, extensionCode: string): Promise<number | null> {
    const [row] = await sql.query<{ id: string }>('select id from account where extension_code = $1', [extensionCode.toUpperCase()]);
    return row ? Number(row.id) : null;
  }

  async add(tx: Tx, { name, password, lang, nationality, inviterId }: NewPerson, now: number): Promise<number | null> {
    const email = name.kind === 'email' ? name : null;
    const mobile = name.kind === 'mobile' ? name : null;
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      const id = randomId();
      const added = await tx.execute(
        `insert into account (id, email, email_key, phone, area_code, phone_key, password_hash, hint_salt, hints, lang, nationality, account_number, extension_code, inviter_id, created_at)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15) on conflict do nothing`,
        [id, email?.address ?? '', email?.key ?? null, mobile?.address ?? '', mobile?.areaCode ?? '', mobile?.key ?? null, password.hash, password.hintSalt, password.hints,
          lang, nationality, `B${randomLetters(9)}`, randomLetters(8), inviterId, new Date(now)],
      );
      if (added === 1) {
        await addAncestors(tx, id, inviterId);
        return id;
      }
      if (await this.byName(tx, name)) return null;
    }
    throw new Error(`no free id, account number or invite code in ${ATTEMPTS} draws`);
  }

  async setPassword(tx: Tx, id: number, { hash, hintSalt, hints }: StoredPassword, blockedUntil: number): Promise<void> {
    await tx.execute('update account set password_hash = $2, hint_salt = $3, hints = $4, withdrawals_blocked_until = $5 where id = $1', [id, hash, hintSalt, hints, new Date(blockedUntil)]);
  }

  async setFundPassword(tx: Tx, id: number, hash: string, blockedUntil: number | null): Promise<void> {
    await tx.execute('update account set fund_hash = $2, fund_must_reset = false, withdrawals_blocked_until = coalesce($3, withdrawals_blocked_until) where id = $1', [id, hash, blockedUntil === null ? null : new Date(blockedUntil)]);
  }

  async requireFundReset(tx: Tx, id: number): Promise<void> {
    await tx.execute('update account set fund_must_reset = true where id = $1', [id]);
  }

  async setLang(sql: Sql, id: number, lang: Language): Promise<void> {
    await sql.execute('update account set lang = $2 where id = $1', [id, lang]);
  }

  async useTotpStep(tx: Tx, id: number, step: number): Promise<boolean> {
    return await tx.execute('update account set totp_step = $2 where id = $1 and totp_step < $2', [id, step]) === 1;
  }

  async bankOf(sql: Sql, id: number): Promise<Bank | null> {
    const [row] = await sql.query<{ real_name: string; bank_no: string; bank_name: string; region: string; phone: string }>('select real_name, bank_no, bank_name, region, phone from bank where user_id = $1', [id]);
    return row ? { realName: row.real_name, bankNo: row.bank_no, bankName: row.bank_name, region: row.region, phone: row.phone } : null;
  }

  async profiles(sql: Sql, ids: readonly number[]): Promise<Person[]> {
    const rows = await sql.query<PersonRow>(`select ${COLUMNS} from account where id = any($1::bigint[])`, [ids]);
    return rows.map(person);
  }
}

/** Fixes a new person's line of inviters: the inviter, and the inviter's own line one generation further. */
export async function addAncestors(tx: Pick<Tx, 'execute'>, id: number, inviterId: number | null): Promise<void> {
  if (inviterId === null) return;
  await tx.execute(
    `insert into ancestor (user_id, generation, ancestor_id)
     select $1::bigint, 1, $2::bigint union all select $1::bigint, generation + 1, ancestor_id from ancestor where user_id = $2`,
    [id, inviterId],
  );
}

/** A random id below 2^53, above those of the demo people. */
function randomId(): number {
  for (;;) {
    const id = Number(randomBytes(8).readBigUInt64BE() >> 11n);
    if (id > 1_000_000_000) return id;
  }
}
const randomLetters = (count: number): string => Array.from({ length: count }, () => LETTERS[randomInt(LETTERS.length)]).join('');

function person(row: PersonRow): Person {
  return {
    id: Number(row.id), email: row.email, phone: row.phone, areaCode: row.area_code, passwordHash: row.password_hash, canSignIn: row.can_sign_in,
    fundHash: row.fund_hash, fundMustReset: row.fund_must_reset, hintSalt: row.hint_salt, hints: row.hints, lang: row.lang, nationality: row.nationality,
    accountNumber: row.account_number, extensionCode: row.extension_code, reviewStatus: row.review_status, reviewReason: row.review_reason, name: row.name, cardId: row.card_id,
    frozen: row.frozen, isSeller: row.is_seller, isAcceptor: row.is_acceptor, region: row.region, inPoints: row.in_points, totpSealed: row.totp_sealed, totpStep: Number(row.totp_step),
  };
}
