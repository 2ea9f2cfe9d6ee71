import { randomBytes, randomInt } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Language } from '@bourse/contract';
import type { Tx } from '@bourse/persistence';
import {
  People,
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
  review_status, review_reason, name, card_sealed, frozen, is_seller, is_acceptor, region, in_points, totp_sealed, totp_step, totp_pending, phishing_sealed, withdrawals_blocked_until, email_bound_at, phone_bound_at,
  created_at`;
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

  async setBank(tx: Tx, id: number, { realName, bankNo, bankName, region, phone }: Bank): Promise<void> {
    await tx.execute(
      `insert into bank (user_id, real_name, bank_no, bank_name, region, phone) values ($1, $2, $3, $4, $5, $6)
       on conflict (user_id) do update set real_name = excluded.real_name, bank_no = excluded.bank_no, bank_name = excluded.bank_name, region = excluded.region, phone = excluded.phone`,
      [id, realName, bankNo, bankName, region, phone],
    );
  }

  async paymentOf(sql: Sql, id: number): Promise<PaymentSettings | null> {
    const [row] = await sql.query<{
      real_name: string;
      bank_name: string;
      bank_account: string;
      alipay_account: string;
      alipay_collect: string;
      wechat_account: string;
      wechat_nickname: string;
      wechat_collect: string;
    }>(
      'select real_name, bank_name, bank_account, alipay_account, alipay_collect, wechat_account, wechat_nickname, wechat_collect from payment_settings where user_id = $1',
      [id],
    );
    return row
      ? {
          realName: row.real_name,
          bankName: row.bank_name,
          bankAccount: row.bank_account,
          alipayAccount: row.alipay_account,
          alipayCollect: row.alipay_collect,
          wechatAccount: row.wechat_account,
          wechatNickname: row.wechat_nickname,
          wechatCollect: row.wechat_collect,
        }
      : null;
  }

  async setPayment(tx: Tx, id: number, payment: PaymentSettings): Promise<void> {
    await tx.execute(
      `insert into payment_settings (user_id, real_name, bank_name, bank_account, alipay_account, alipay_collect, wechat_account, wechat_nickname, wechat_collect) values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
       on conflict (user_id) do update set real_name = excluded.real_name, bank_name = excluded.bank_name, bank_account = excluded.bank_account, alipay_account = excluded.alipay_account,
         alipay_collect = excluded.alipay_collect, wechat_account = excluded.wechat_account, wechat_nickname = excluded.wechat_nickname, wechat_collect = excluded.wechat_collect`,
      [
        id,
        payment.realName,
        payment.bankName,
        payment.bankAccount,
        payment.alipayAccount,
        payment.alipayCollect,
        payment.wechatAccount,
        payment.wechatNickname,
        payment.wechatCollect,
      ],
    );
  }

  async search(
    sql: Sql,
    { keyword, role }: PeopleFilter,
    { size, offset }: { size: number; offset: number },
  ): Promise<{ total: number; rows: Person[] }> {
    const where = `can_sign_in and ($1::text is null or id::text = $1 or upper(account_number) = upper($1) or extension_code = upper($1) or name ilike $2 or email ilike $2 or phone like $2)
      and ($3::text is null or case $3 when 'seller' then is_seller when 'acceptor' then is_acceptor when 'region' then region <> '' when 'points' then in_points else frozen <> 'none' end)`;
    const filter = [
      keyword ?? null,
      keyword === undefined ? null : `%${keyword.replace(/[\\%_]/g, '\\$&')}%`,
      role ?? null,
    ];
    const [[count], rows] = await Promise.all([
      sql.query<{ count: string }>(`select count(*) as count from account where ${where}`, filter),
      sql.query<PersonRow>(
        `select ${COLUMNS} from account where ${where} order by created_at desc, id desc limit $4 offset $5`,
        [...filter, size, offset],
      ),
    ]);
    return { total: Number(count?.count ?? 0), rows: rows.map(person) };
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
    ).map(person);
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
    const where = `split_part(b.region, '/', 1) = $1 and ($2::text is null or split_part(b.region, '/', 2) = $2)`;
    const [[count], rows] = await Promise.all([
      sql.query<{ count: string }>(`select count(*) as count from bank b where ${where}`, [city, district]),
      sql.query<{ region: string; phone: string; created_at: Date }>(
        `select b.region, case when a.phone <> '' then a.phone else b.phone end as phone, a.created_at from bank b join account a on a.id = b.user_id where ${where} order by a.created_at desc, a.id desc limit $3 offset $4`,
        [city, district, size, offset],
      ),
    ]);
    return {
      total: Number(count?.count ?? 0),
      rows: rows.map((row) => ({ region: row.region, phone: row.phone, createdAt: row.created_at.getTime() })),
    };
  }

  async bankOf(sql: Sql, id: number): Promise<Bank | null> {
    const [row] = await sql.query<{
      real_name: string;
      bank_no: string;
      bank_name: string;
      region: string;
      phone: string;
    }>('select real_name, bank_no, bank_name, region, phone from bank where user_id = $1', [id]);
    return row
      ? { realName: row.real_name, bankNo: row.bank_no, bankName: row.bank_name, region: row.region, phone: row.phone }
      : null;
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

function person(row: PersonRow): Person {
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
    name: row.name,
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
