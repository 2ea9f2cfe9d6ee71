import { randomBytes, randomInt } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { And, In, IsNull, LessThan, MoreThan, MoreThanOrEqual, Not, type QueryDeepPartialEntity } from 'typeorm';
import type { Language, Preferences, ReferenceCurrency, Rows } from '@bourse/contract';
import { insertMissing, type Tx } from '@bourse/persistence';
import type { CheckedAccess, Sql } from '../application/ports/database.js';
import {
  People,
  type Bank,
  type NewPerson,
  type PaymentSettings,
  type PeopleFilter,
  type Person,
  type RegionUser,
  type StoredPassword,
} from '../application/ports/people.js';
import { Seal } from '../application/ports/seal.js';
import type { AccountName } from '../domain/account-name.js';
import { WITHDRAWAL_BLOCK_MS } from '../domain/session.js';
import { AccountEntity } from './entities/account.entity.js';
import { BankEntity } from './entities/bank.entity.js';
import { PaymentSettingsEntity } from './entities/payment-settings.entity.js';
import { lockUnchanged } from './lock-unchanged.js';
import { bankOf, nameOf, NO_BANK, NO_PAYMENT, paymentOf, sealedBank, sealedPayment } from './sealed-rows.js';

/** Without letters that look like digits. */
const LETTERS = '23456789ABCDEFGHJKMNPQRSTUVWXYZ';
const ATTEMPTS = 5;
const MARKS = [false, true];
/** The texts by which an operator can find a person `a`. */
const MATCHES = `(a.id::text = :keyword
  or upper(a.account_number) = upper(:keyword) or a.extension_code = upper(:keyword)
  or a.name_marks && :marks::text[] or a.email ilike :part or a.phone like :part
  or a.phone_form = 'mobile:' || :keyword)`;
const HAS_ROLE: Readonly<Record<NonNullable<PeopleFilter['role']>, string>> = {
  seller: 'a.is_seller',
  acceptor: 'a.is_acceptor',
  region: `a.region <> ''`,
  points: 'a.in_points',
  frozen: `a.frozen <> 'none'`,
  same_contact: '(a.email_shared or a.phone_shared)',
};

@Injectable()
export class PostgresPeople extends People {
  constructor(private readonly seal: Seal) {
    super();
  }

  async byName(sql: Sql, name: AccountName): Promise<Person | null> {
    const { kind, key, typedKey } = name;
    const found = await sql.manager.findBy(
      AccountEntity,
      kind === 'email'
        ? [{ emailKey: typedKey }, { emailForm: key, emailShared: false }]
        : [{ phoneKey: typedKey }, { phoneForm: key, phoneShared: false }],
    );
    // Older accounts that share a form are found only by the contact as typed.
    const row = found.find((each) => (kind === 'email' ? each.emailKey : each.phoneKey) === typedKey) ?? found[0];
    return row ? this.person(row) : null;
  }

  async isTaken(sql: Sql, { kind, key, typedKey }: AccountName): Promise<boolean> {
    // For each form one partial index covers the shared rows and one the others: without the mark neither is used.
    return sql.manager.existsBy(
      AccountEntity,
      kind === 'email'
        ? [{ emailKey: typedKey }, ...MARKS.map((emailShared) => ({ emailForm: key, emailShared }))]
        : [{ phoneKey: typedKey }, ...MARKS.map((phoneShared) => ({ phoneForm: key, phoneShared }))],
    );
  }

  async byId(sql: Sql, id: number): Promise<Person | null> {
    const row = await sql.manager.findOneBy(AccountEntity, { id });
    return row && this.person(row);
  }

  async lock(tx: Tx, id: number): Promise<Person | null> {
    const row = await tx.manager.findOne(AccountEntity, { where: { id }, lock: { mode: 'for_no_key_update' } });
    return row && this.person(row);
  }

  lockUnchanged(tx: Tx, checked: CheckedAccess): Promise<boolean> {
    return lockUnchanged(tx, 'account', checked);
  }

  async inviter(sql: Sql, extensionCode: string): Promise<number | null> {
    const row = await sql.manager.findOne(AccountEntity, {
      select: { id: true },
      where: { extensionCode: extensionCode.toUpperCase() },
    });
    return row?.id ?? null;
  }

  async add(tx: Tx, { name, password, lang, nationality, inviterId }: NewPerson, now: number): Promise<number | null> {
    if (await this.isTaken(tx, name)) return null;
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      const id = randomId();
      const person = {
        id,
        ...contactOf(name),
        ...columnsOf(password),
        lang,
        nationality,
        accountNumber: `B${randomLetters(9)}`,
        extensionCode: randomLetters(8),
        inviterId,
        createdAt: now,
      };
      if ((await insertMissing(tx.manager, AccountEntity, [person])) === 1) return id;
      if (await this.isTaken(tx, name)) return null;
    }
    throw new Error(`no free id, account number or invite code in ${ATTEMPTS} draws`);
  }

  async setPassword(tx: Tx, id: number, password: StoredPassword, blockedUntil: number): Promise<void> {
    await this.update(tx, id, columnsOf(password));
    await this.blockWithdrawals(tx, id, blockedUntil);
  }

  async rehash(tx: Tx, id: number, old: string, password: StoredPassword): Promise<void> {
    await tx.manager.update(AccountEntity, { id, passwordHash: old }, columnsOf(password));
  }

  async rehashFund(tx: Tx, id: number, old: string, hash: string): Promise<void> {
    await tx.manager.update(AccountEntity, { id, fundHash: old }, { fundHash: hash });
  }

  async setFundPassword(tx: Tx, id: number, hash: string, blockedUntil: number | null): Promise<void> {
    await this.update(tx, id, { fundHash: hash, fundMustReset: false });
    if (blockedUntil !== null) await this.blockWithdrawals(tx, id, blockedUntil);
  }

  requireFundReset(tx: Tx, id: number): Promise<void> {
    return this.update(tx, id, { fundMustReset: true });
  }

  setLang(sql: Sql, id: number, lang: Language): Promise<void> {
    return this.update(sql, id, { lang });
  }

  setCurrency(sql: Sql, id: number, currency: ReferenceCurrency): Promise<void> {
    return this.update(sql, id, { currency });
  }

  async setPreferences(sql: Sql, id: number, chosen: Preferences): Promise<void> {
    await sql.manager
      .createQueryBuilder()
      .update(AccountEntity)
      .set({ preferences: () => 'preferences || cast(:chosen as jsonb)' })
      .setParameter('chosen', JSON.stringify(chosen))
      .where({ id })
      .execute();
  }

  async useTotpStep(tx: Tx, id: number, step: number): Promise<boolean> {
    const { affected } = await tx.manager.update(AccountEntity, { id, totpStep: LessThan(step) }, { totpStep: step });
    return affected === 1;
  }

  setTotpPending(tx: Tx, id: number, sealed: string): Promise<void> {
    return this.update(tx, id, { totpPending: sealed });
  }

  async enableTotp(tx: Tx, id: number, sealed: string, step: number): Promise<boolean> {
    const { affected } = await tx.manager.update(
      AccountEntity,
      { id, totpPending: sealed, totpSealed: IsNull() },
      { totpSealed: sealed, totpPending: null, totpStep: step },
    );
    return affected === 1;
  }

  disableTotp(tx: Tx, id: number): Promise<void> {
    return this.update(tx, id, { totpSealed: null, totpPending: null });
  }

  async blockWithdrawals(tx: Tx, id: number, until: number): Promise<void> {
    // A block that is extended keeps its beginning: no deal that was agreed meanwhile is older than it.
    await tx.execute(
      `update account
        set withdrawals_blocked_since = case
              when withdrawals_blocked_until > $3 then coalesce(withdrawals_blocked_since, $3)
              else $3
            end,
            withdrawals_blocked_until = greatest(withdrawals_blocked_until, $2)
        where id = $1`,
      [id, new Date(until), new Date(until - WITHDRAWAL_BLOCK_MS)],
    );
  }

  setPhishingWord(tx: Tx, id: number, sealed: string): Promise<void> {
    return this.update(tx, id, { phishingSealed: sealed });
  }

  async setFrozen(tx: Tx, id: number, scope: Person['frozen'], now: number): Promise<void> {
    // The time since when money is held back: a change to another scope that holds it back too does not restart it.
    await tx.execute(
      `update account
        set frozen = $2,
            frozen_since = case
              when $2 = 'none' then null
              when frozen in ('all', 'withdraw') then coalesce(frozen_since, $3)
              else $3
            end
        where id = $1`,
      [id, scope, new Date(now)],
    );
  }

  async frozenAmong(
    sql: Sql,
    ids: readonly number[],
  ): Promise<{ readonly id: number; readonly scope: Person['frozen'] }[]> {
    const rows = await sql.manager.find(AccountEntity, {
      select: { id: true, frozen: true },
      where: { id: In([...ids]), frozen: Not('none') },
    });
    return rows.map(({ id, frozen }) => ({ id, scope: frozen }));
  }

  async setContact(tx: Tx, id: number, name: AccountName, now: number, blockedUntil: number | null): Promise<boolean> {
    if (await this.isTaken(tx, name)) return false;
    const contact = { ...contactOf(name), ...(name.kind === 'email' ? { emailBoundAt: now } : { phoneBoundAt: now }) };
    try {
      await tx.savepoint(() => this.update(tx, id, contact));
    } catch (error) {
      // Two people may bind one address at the same moment: the unique index decides.
      if (isUniqueViolation(error)) return false;
      throw error;
    }
    if (blockedUntil !== null) await this.blockWithdrawals(tx, id, blockedUntil);
    return true;
  }

  async setBank(tx: Tx, id: number, bank: Bank): Promise<void> {
    await tx.manager.upsert(BankEntity, { userId: id, ...NO_BANK, ...sealedBank(this.seal, id, bank) }, ['userId']);
  }

  async paymentOf(sql: Sql, id: number): Promise<PaymentSettings | null> {
    const row = await sql.manager.findOneBy(PaymentSettingsEntity, { userId: id });
    return row && paymentOf(this.seal, row);
  }

  async paymentsOf(sql: Sql, ids: readonly number[]): Promise<ReadonlyMap<number, PaymentSettings>> {
    const rows = await sql.manager.findBy(PaymentSettingsEntity, { userId: In([...ids]) });
    return new Map(rows.map((row) => [row.userId, paymentOf(this.seal, row)]));
  }

  async setPayment(tx: Tx, id: number, payment: PaymentSettings): Promise<void> {
    const sealed = sealedPayment(this.seal, id, payment);
    await tx.manager.upsert(PaymentSettingsEntity, { userId: id, ...NO_PAYMENT, sealed }, ['userId']);
  }

  async search(
    sql: Sql,
    { keyword, role }: PeopleFilter,
    { size, offset }: { size: number; offset: number },
  ): Promise<Rows<Person>> {
    const found = sql.manager.createQueryBuilder(AccountEntity, 'a').where('a.can_sign_in');
    if (role !== undefined) found.andWhere(HAS_ROLE[role]);
    if (keyword !== undefined)
      found.andWhere(MATCHES, {
        keyword,
        part: `%${keyword.replace(/[\\%_]/g, '\\$&')}%`,
        // Names are sealed: a search finds whole words and the whole name, in any case.
        marks: this.seal.marks('name', keyword),
      });
    const [rows, total] = await found
      .orderBy({ 'a.createdAt': 'DESC', 'a.id': 'DESC' })
      .limit(size)
      .offset(offset)
      .getManyAndCount();
    return { total, rows: rows.map((row) => this.person(row)) };
  }

  async sameContact(sql: Sql, ids: readonly number[]): Promise<ReadonlyMap<number, readonly number[]>> {
    const rows = await sql.query<{ id: string; other: string }>(
      `select a.id, b.id as other from account a
         join account b on b.id <> a.id and ((a.phone_shared and b.phone_shared and b.phone_form = a.phone_form)
           or (a.email_shared and b.email_shared and b.email_form = a.email_form))
       where a.id = any($1) and (a.phone_shared or a.email_shared) order by b.id`,
      [ids],
    );
    return grouped(rows);
  }

  async registered(
    sql: Sql,
    { from, to }: { from: number; to: number },
    afterId: number,
    limit: number,
  ): Promise<Person[]> {
    const rows = await sql.manager.find(AccountEntity, {
      where: { canSignIn: true, id: MoreThan(afterId), createdAt: And(MoreThanOrEqual(from), LessThan(to)) },
      order: { id: 'ASC' },
      take: limit,
    });
    return rows.map((row) => this.person(row));
  }

  async openWork(sql: Sql): Promise<{ kyc: number; frozen: number }> {
    return {
      kyc: await sql.manager.countBy(AccountEntity, { reviewStatus: 1 }),
      frozen: await sql.manager.countBy(AccountEntity, { frozen: Not('none') }),
    };
  }

  setRole(
    tx: Tx,
    id: number,
    { isSeller, isAcceptor, region, inPoints }: Pick<Person, 'isSeller' | 'isAcceptor' | 'region' | 'inPoints'>,
  ): Promise<void> {
    return this.update(tx, id, { isSeller, isAcceptor, region, inPoints });
  }

  async inRegion(
    sql: Sql,
    { city, district }: { city: string; district: string | null },
    { size, offset }: { size: number; offset: number },
  ): Promise<Rows<RegionUser>> {
    const [rows, total] = await sql.manager.findAndCount(BankEntity, {
      where: {
        cityMark: In([...this.seal.marks('region', city)]),
        ...(district === null ? {} : { areaMark: In([...this.seal.marks('region', `${city}/${district}`)]) }),
      },
      relations: { account: true },
      order: { account: { createdAt: 'DESC', id: 'DESC' } },
      take: size,
      skip: offset,
    });
    return {
      total,
      rows: rows.map((row) => {
        const { region, phone } = bankOf(this.seal, row);
        return {
          region,
          phone: row.account.phone === '' ? phone : row.account.phone,
          createdAt: row.account.createdAt,
        };
      }),
    };
  }

  async bankOf(sql: Sql, id: number): Promise<Bank | null> {
    const row = await sql.manager.findOneBy(BankEntity, { userId: id });
    return row && bankOf(this.seal, row);
  }

  contacts(sql: Sql, ids: readonly number[]): Promise<Pick<AccountEntity, 'id' | 'email' | 'phone'>[]> {
    return sql.manager.find(AccountEntity, {
      select: { id: true, email: true, phone: true },
      where: { id: In([...ids]) },
    });
  }

  async profiles(sql: Sql, ids: readonly number[]): Promise<Person[]> {
    const rows = await sql.manager.findBy(AccountEntity, { id: In([...ids]) });
    return rows.map((row) => this.person(row));
  }

  private async update(sql: Sql, id: number, columns: QueryDeepPartialEntity<AccountEntity>): Promise<void> {
    await sql.manager.update(AccountEntity, { id }, columns);
  }

  private person(row: AccountEntity): Person {
    return { ...row, name: nameOf(this.seal, row) };
  }
}

/** Columns of a contact that no other account has in any spelling. */
const contactOf = (name: AccountName): Partial<AccountEntity> =>
  name.kind === 'email'
    ? { email: name.address, emailKey: name.typedKey, emailForm: name.key, emailShared: false }
    : {
        phone: name.address,
        areaCode: name.areaCode,
        phoneKey: name.typedKey,
        phoneForm: name.key,
        phoneShared: false,
      };

const columnsOf = ({
  hash,
  hintSalt,
  hints,
}: StoredPassword): Pick<AccountEntity, 'passwordHash' | 'hintSalt' | 'hints'> => ({
  passwordHash: hash,
  hintSalt,
  hints: [...hints],
});

const isUniqueViolation = (error: unknown): boolean =>
  (error as { code?: unknown }).code === '23505' ||
  (error as { driverError?: { code?: unknown } }).driverError?.code === '23505';

function grouped(rows: readonly { id: string; other: string }[]): ReadonlyMap<number, readonly number[]> {
  const groups = new Map<number, number[]>();
  for (const { id, other } of rows) groups.set(Number(id), [...(groups.get(Number(id)) ?? []), Number(other)]);
  return groups;
}

/** A random id below 2^53, above those of the demo people. */
function randomId(): number {
  for (;;) {
    const id = Number(randomBytes(8).readBigUInt64BE() >> 11n);
    if (id > 1_000_000_000) return id;
  }
}
const randomLetters = (count: number): string =>
  Array.from({ length: count }, () => LETTERS[randomInt(LETTERS.length)]).join('');
