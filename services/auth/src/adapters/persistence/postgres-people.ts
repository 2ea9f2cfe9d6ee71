import { randomBytes, randomInt } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Language } from '@bourse/contract';
import type { Tx } from '@bourse/persistence';
import {
  People,
  Seal,
  type Bank,
  type NewPerson,
  type PaymentSettings,
  type PeopleFilter,
  type Person,
  type RegionUser,
  type Sql,
  type StoredPassword,
} from '../../application/ports.js';
import type { AccountName } from '../../domain/account-name.js';
import {
  BANK_COLUMNS,
  bankOf,
  nameOf,
  PAYMENT_COLUMNS,
  paymentOf,
  sealedBank,
  sealedPayment,
  type BankRow,
  type PaymentRow,
} from './sealed-rows.js';

interface PersonRow {
  id: string;
  email: string;
  phone: string;
  area_code: string;
  password_hash: string;
  can_sign_in: boolean;
  fund_hash: string | null;
  fund_must_reset: boolean;
  hint_salt: string;
  hints: string[];
  lang: Language;
  nationality: string;
  account_number: string;
  extension_code: string;
  review_status: 0 | 1 | 2;
  review_reason: string;
  name: string;
  name_sealed: string;
  card_sealed: string;
  frozen: Person['frozen'];
  is_seller: boolean;
  is_acceptor: boolean;
  region: string;
  in_points: boolean;
  totp_sealed: string | null;
  totp_step: string;
  totp_pending: string | null;
  phishing_sealed: string | null;
  withdrawals_blocked_until: Date | null;
  email_bound_at: Date | null;
  phone_bound_at: Date | null;
  created_at: Date;
}
const COLUMNS = `id, email, phone, area_code, password_hash, can_sign_in, fund_hash, fund_must_reset, hint_salt, hints, lang, nationality, account_number, extension_code,
  review_status, review_reason, name, name_sealed, card_sealed, frozen, is_seller, is_acceptor, region, in_points, totp_sealed, totp_step, totp_pending, phishing_sealed, withdrawals_blocked_until, email_bound_at, phone_bound_at,
  created_at`;
/** Without letters that look like digits. */
const LETTERS = '23456789ABCDEFGHJKMNPQRSTUVWXYZ';
const ATTEMPTS = 5;

@Injectable()
export class PostgresPeople extends People {
  constructor(private readonly seal: Seal) {
    super();
  }

  async byName(sql: Sql, name: AccountName): Promise<Person | null> {
    const column = name.kind === 'email' ? 'email_key' : 'phone_key';
    const [row] = await sql.query<PersonRow>(`select ${COLUMNS} from account where ${column} = $1`, [name.key]);
    return row ? this.person(row) : null;
  }

  async byId(sql: Sql, id: number): Promise<Person | null> {
    const [row] = await sql.query<PersonRow>(`select ${COLUMNS} from account where id = $1`, [id]);
    return row ? this.person(row) : null;
  }

  async inviter(sql: Sql, extensionCode: string): Promise<number | null> {
    const [row] = await sql.query<{ id: string }>('select id from account where extension_code = $1', [
      extensionCode.toUpperCase(),
    ]);
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
        [
          id,
          email?.address ?? '',
          email?.key ?? null,
          mobile?.address ?? '',
          mobile?.areaCode ?? '',
          mobile?.key ?? null,
          password.hash,
          password.hintSalt,
          password.hints,
          lang,
          nationality,
          `B${randomLetters(9)}`,
          randomLetters(8),
          inviterId,
          new Date(now),
        ],
      );
      if (added === 1) {
        await addAncestors(tx, id, inviterId);
        return id;
      }
      if (await this.byName(tx, name)) return null;
    }
    throw new Error(`no free id, account number or invite code in ${ATTEMPTS} draws`);
  }

  async setPassword(
    tx: Tx,
    id: number,
    { hash, hintSalt, hints }: StoredPassword,
    blockedUntil: number,
  ): Promise<void> {
    await tx.execute(
      'update account set password_hash = $2, hint_salt = $3, hints = $4, withdrawals_blocked_until = greatest(withdrawals_blocked_until, $5) where id = $1',
      [id, hash, hintSalt, hints, new Date(blockedUntil)],
    );
  }

  async rehash(tx: Tx, id: number, old: string, { hash, hintSalt, hints }: StoredPassword): Promise<void> {
    await tx.execute(
      'update account set password_hash = $3, hint_salt = $4, hints = $5 where id = $1 and password_hash = $2',
      [id, old, hash, hintSalt, hints],
    );
  }

  async rehashFund(tx: Tx, id: number, old: string, hash: string): Promise<void> {
    await tx.execute('update account set fund_hash = $3 where id = $1 and fund_hash = $2', [id, old, hash]);
  }

  async setFundPassword(tx: Tx, id: number, hash: string, blockedUntil: number | null): Promise<void> {
    await tx.execute(
      'update account set fund_hash = $2, fund_must_reset = false, withdrawals_blocked_until = greatest(withdrawals_blocked_until, $3) where id = $1',
      [id, hash, blockedUntil === null ? null : new Date(blockedUntil)],
    );
  }

  async requireFundReset(tx: Tx, id: number): Promise<void> {
    await tx.execute('update account set fund_must_reset = true where id = $1', [id]);
  }

  async setLang(sql: Sql, id: number, lang: Language): Promise<void> {
    await sql.execute('update account set lang = $2 where id = $1', [id, lang]);
  }

  async useTotpStep(tx: Tx, id: number, step: number): Promise<boolean> {
    return (await tx.execute('update account set totp_step = $2 where id = $1 and totp_step < $2', [id, step])) === 1;
  }

  async setTotpPending(tx: Tx, id: number, sealed: string): Promise<void> {
    await tx.execute('update account set totp_pending = $2 where id = $1', [id, sealed]);
  }

  async enableTotp(tx: Tx, id: number, sealed: string, step: number): Promise<boolean> {
    return (
      (await tx.execute(
        'update account set totp_sealed = totp_pending, totp_pending = null, totp_step = $3 where id = $1 and totp_pending = $2 and totp_sealed is null',
        [id, sealed, step],
      )) === 1
    );
  }

  async disableTotp(tx: Tx, id: number): Promise<void> {
    await tx.execute('update account set totp_sealed = null, totp_pending = null where id = $1', [id]);
  }

  async blockWithdrawals(tx: Tx, id: number, until: number): Promise<void> {
    await tx.execute(
      'update account set withdrawals_blocked_until = greatest(withdrawals_blocked_until, $2) where id = $1',
      [id, new Date(until)],
    );
  }

  async setPhishingWord(tx: Tx, id: number, sealed: string): Promise<void> {
    await tx.execute('update account set phishing_sealed = $2 where id = $1', [id, sealed]);
  }

  async setFrozen(tx: Tx, id: number, scope: Person['frozen']): Promise<void> {
    await tx.execute('update account set frozen = $2 where id = $1', [id, scope]);
  }

  async frozenAmong(
    sql: Sql,
    ids: readonly number[],
  ): Promise<{ readonly id: number; readonly scope: Person['frozen'] }[]> {
    const rows = await sql.query<{ id: string; frozen: Person['frozen'] }>(
      `select id, frozen from account where id = any($1::bigint[]) and frozen <> 'none'`,
      [ids],
    );
    return rows.map(({ id, frozen }) => ({ id: Number(id), scope: frozen }));
  }

  async setContact(tx: Tx, id: number, name: AccountName, now: number, blockedUntil: number | null): Promise<boolean> {
    const blocked = blockedUntil === null ? null : new Date(blockedUntil);
    try {
      await tx.savepoint(() =>
        name.kind === 'email'
          ? tx.execute(
              'update account set email = $2, email_key = $3, withdrawals_blocked_until = greatest(withdrawals_blocked_until, $4), email_bound_at = $5 where id = $1',
              [id, name.address, name.key, blocked, new Date(now)],
            )
          : tx.execute(
              'update account set phone = $2, phone_key = $3, withdrawals_blocked_until = greatest(withdrawals_blocked_until, $4), area_code = $5, phone_bound_at = $6 where id = $1',
              [id, name.address, name.key, blocked, name.areaCode, new Date(now)],
            ),
      );
      return true;
    } catch (error) {
      // Two people may bind one address at the same moment: the index decides.
      if (isUniqueViolation(error)) return false;
      throw error;
    }
  }

  async setBank(tx: Tx, id: number, bank: Bank): Promise<void> {
    const { sealed, cityMark, areaMark } = sealedBank(this.seal, id, bank);
    await tx.execute(
      `insert into bank (user_id, real_name, bank_no, bank_name, region, phone, sealed, city_mark, area_mark) values ($1, '', '', '', '', '', $2, $3, $4)
       on conflict (user_id) do update set real_name = '', bank_no = '', bank_name = '', region = '', phone = '', sealed = excluded.sealed,
         city_mark = excluded.city_mark, area_mark = excluded.area_mark`,
      [id, sealed, cityMark, areaMark],
    );
  }

  async paymentOf(sql: Sql, id: number): Promise<PaymentSettings | null> {
    const [row] = await sql.query<PaymentRow>(`select ${PAYMENT_COLUMNS} from payment_settings where user_id = $1`, [
      id,
    ]);
    return row ? paymentOf(this.seal, row) : null;
  }

  async setPayment(tx: Tx, id: number, payment: PaymentSettings): Promise<void> {
    await tx.execute(
      `insert into payment_settings (user_id, real_name, bank_name, bank_account, alipay_account, alipay_collect, wechat_account, wechat_nickname, wechat_collect, sealed)
       values ($1, '', '', '', '', '', '', '', '', $2)
       on conflict (user_id) do update set real_name = '', bank_name = '', bank_account = '', alipay_account = '', alipay_collect = '', wechat_account = '',
         wechat_nickname = '', wechat_collect = '', sealed = excluded.sealed`,
      [id, sealedPayment(this.seal, id, payment)],
    );
  }

  async search(
    sql: Sql,
    { keyword, role }: PeopleFilter,
    { size, offset }: { size: number; offset: number },
  ): Promise<{ total: number; rows: Person[] }> {
    const where = `can_sign_in and ($1::text is null or id::text = $1 or upper(account_number) = upper($1) or extension_code = upper($1) or name_marks && $4::text[] or email ilike $2 or phone like $2)
      and ($3::text is null or case $3 when 'seller' then is_seller when 'acceptor' then is_acceptor when 'region' then region <> '' when 'points' then in_points else frozen <> 'none' end)`;
    const filter = [
      keyword ?? null,
      keyword === undefined ? null : `%${keyword.replace(/[\\%_]/g, '\\$&')}%`,
      role ?? null,
      // Names lie sealed: whole words and the whole name are found, in any case.
      keyword === undefined ? [] : this.seal.marks('name', keyword),
    ];
    const [[count], rows] = await Promise.all([
      sql.query<{ count: string }>(`select count(*) as count from account where ${where}`, filter),
      sql.query<PersonRow>(
        `select ${COLUMNS} from account where ${where} order by created_at desc, id desc limit $5 offset $6`,
        [...filter, size, offset],
      ),
    ]);
    return { total: Number(count?.count ?? 0), rows: rows.map((row) => this.person(row)) };
  }

  async registered(
    sql: Sql,
    { from, to }: { from: number; to: number },
    afterId: number,
    limit: number,
  ): Promise<Person[]> {
    return (
      await sql.query<PersonRow>(
        `select ${COLUMNS} from account where can_sign_in and id > $1 and created_at >= $2 and created_at < $3 order by id limit $4`,
        [afterId, new Date(from), new Date(to), limit],
      )
    ).map((row) => this.person(row));
  }

  async openWork(sql: Sql): Promise<{ kyc: number; frozen: number }> {
    const [row] = await sql.query<{ kyc: string; frozen: string }>(
      `select (select count(*) from account where review_status = 1) as kyc, (select count(*) from account where frozen <> 'none') as frozen`,
    );
    return { kyc: Number(row?.kyc ?? 0), frozen: Number(row?.frozen ?? 0) };
  }

  async setRole(
    tx: Tx,
    id: number,
    { isSeller, isAcceptor, region, inPoints }: Pick<Person, 'isSeller' | 'isAcceptor' | 'region' | 'inPoints'>,
  ): Promise<void> {
    await tx.execute('update account set is_seller = $2, is_acceptor = $3, region = $4, in_points = $5 where id = $1', [
      id,
      isSeller,
      isAcceptor,
      region,
      inPoints,
    ]);
  }

  async inRegion(
    sql: Sql,
    { city, district }: { city: string; district: string | null },
    { size, offset }: { size: number; offset: number },
  ): Promise<{ total: number; rows: RegionUser[] }> {
    const where = `b.city_mark = any($1) and ($2::text[] is null or b.area_mark = any($2))`;
    const marks = [
      this.seal.marks('region', city),
      district === null ? null : this.seal.marks('region', `${city}/${district}`),
    ];
    const [[count], rows] = await Promise.all([
      sql.query<{ count: string }>(`select count(*) as count from bank b where ${where}`, marks),
      sql.query<BankRow & { own_phone: string; created_at: Date }>(
        `select b.*, a.phone as own_phone, a.created_at from bank b join account a on a.id = b.user_id where ${where} order by a.created_at desc, a.id desc limit $3 offset $4`,
        [...marks, size, offset],
      ),
    ]);
    return {
      total: Number(count?.count ?? 0),
      rows: rows.map((row) => {
        const { region, phone } = bankOf(this.seal, row);
        return { region, phone: row.own_phone === '' ? phone : row.own_phone, createdAt: row.created_at.getTime() };
      }),
    };
  }

  async bankOf(sql: Sql, id: number): Promise<Bank | null> {
    const [row] = await sql.query<BankRow>(`select ${BANK_COLUMNS} from bank where user_id = $1`, [id]);
    return row ? bankOf(this.seal, row) : null;
  }

  async profiles(sql: Sql, ids: readonly number[]): Promise<Person[]> {
    const rows = await sql.query<PersonRow>(`select ${COLUMNS} from account where id = any($1::bigint[])`, [ids]);
    return rows.map((row) => this.person(row));
  }

  private person(row: PersonRow): Person {
    return {
      id: Number(row.id),
      email: row.email,
      phone: row.phone,
      areaCode: row.area_code,
      passwordHash: row.password_hash,
      canSignIn: row.can_sign_in,
      fundHash: row.fund_hash,
      fundMustReset: row.fund_must_reset,
      hintSalt: row.hint_salt,
      hints: row.hints,
      lang: row.lang,
      nationality: row.nationality,
      accountNumber: row.account_number,
      extensionCode: row.extension_code,
      reviewStatus: row.review_status,
      reviewReason: row.review_reason,
      name: nameOf(this.seal, row),
      cardSealed: row.card_sealed,
      frozen: row.frozen,
      isSeller: row.is_seller,
      isAcceptor: row.is_acceptor,
      region: row.region,
      inPoints: row.in_points,
      totpSealed: row.totp_sealed,
      totpStep: Number(row.totp_step),
      totpPending: row.totp_pending,
      phishingSealed: row.phishing_sealed,
      withdrawalsBlockedUntil: row.withdrawals_blocked_until?.getTime() ?? null,
      emailBoundAt: row.email_bound_at?.getTime() ?? null,
      phoneBoundAt: row.phone_bound_at?.getTime() ?? null,
      createdAt: row.created_at.getTime(),
    };
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

const isUniqueViolation = (error: unknown): boolean =>
  (error as { code?: unknown }).code === '23505' ||
  (error as { driverError?: { code?: unknown } }).driverError?.code === '23505';

/** A random id below 2^53, above those of the demo people. */
function randomId(): number {
  for (;;) {
    const id = Number(randomBytes(8).readBigUInt64BE() >> 11n);
    if (id > 1_000_000_000) return id;
  }
}
const randomLetters = (count: number): string =>
  Array.from({ length: count }, () => LETTERS[randomInt(LETTERS.length)]).join('');
