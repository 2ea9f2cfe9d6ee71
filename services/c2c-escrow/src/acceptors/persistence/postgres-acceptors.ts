import { Injectable } from '@nestjs/common';
import { PERCENT_SCALE } from '@bourse/formulas';
import { formatTrimmed, toUnits } from '@bourse/money';
import type { Tx } from '@bourse/persistence';
import { AcceptorStore, type AcceptorPayment, type AcceptorRates, type AcceptorRow } from '../application/ports.js';
import { C2cDatabase } from '../../shared/application/database.js';
import { CASH_SCALE } from '../domain/acceptor-deal.js';

interface StoredAcceptor extends Record<string, unknown> {
  readonly id: number;
  readonly user_id: string;
  readonly name: string;
  readonly recharge_rate: string;
  readonly cash_rate: string;
  readonly granted: string;
  readonly granting: boolean;
  readonly wechat_nickname: string;
  readonly wechat_account: string;
  readonly ali_nickname: string;
  readonly ali_account: string;
  readonly bank_name: string;
  readonly bank_account: string;
  readonly bank_address: string;
}
const text = (column: string): string => `trim_scale(${column})::text as ${column}`;
const COLUMNS = `id, user_id::text, name, ${['recharge_rate', 'cash_rate', 'granted'].map(text).join(', ')}, granting,
  wechat_nickname, wechat_account, ali_nickname, ali_account, bank_name, bank_account, bank_address`;
const toAcceptor = (stored: StoredAcceptor): AcceptorRow => ({
  id: stored.id,
  userId: Number(stored.user_id),
  name: stored.name,
  rechargeRate: toUnits(stored.recharge_rate, PERCENT_SCALE),
  cashRate: toUnits(stored.cash_rate, PERCENT_SCALE),
  granted: toUnits(stored.granted, CASH_SCALE),
  granting: stored.granting,
  payment: {
    wechatNickname: stored.wechat_nickname,
    wechatAccount: stored.wechat_account,
    aliNickname: stored.ali_nickname,
    aliAccount: stored.ali_account,
    bankName: stored.bank_name,
    bankAccount: stored.bank_account,
    bankAddress: stored.bank_address,
  },
});
const toRate = (units: bigint): string => formatTrimmed(units, PERCENT_SCALE);

@Injectable()
export class PostgresAcceptors extends AcceptorStore {
  constructor(private readonly database: C2cDatabase) {
    super();
  }

  async list(): Promise<readonly AcceptorRow[]> {
    return (await this.database.query<StoredAcceptor>(`select ${COLUMNS} from acceptor order by acceptor.id`)).map(
      toAcceptor,
    );
  }
  findById(id: number): Promise<AcceptorRow | null> {
    return this.one(this.database, 'acceptor.id = $1::bigint', id);
  }
  findByUser(userId: number): Promise<AcceptorRow | null> {
    return this.one(this.database, 'acceptor.user_id = $1', userId);
  }
  lock(tx: Tx, userId: number): Promise<AcceptorRow | null> {
    return this.one(tx, 'acceptor.user_id = $1 for update', userId);
  }
  private async one(sql: Pick<Tx, 'query'>, where: string, value: number): Promise<AcceptorRow | null> {
    const [found] = await sql.query<StoredAcceptor>(`select ${COLUMNS} from acceptor where ${where}`, [value]);
    return found ? toAcceptor(found) : null;
  }

  async save(tx: Tx, userId: number, facts: AcceptorRates & { readonly name: string }): Promise<void> {
    await tx.execute(
      `insert into acceptor (user_id, name, recharge_rate, cash_rate) values ($1, $2, $3, $4)
       on conflict (user_id) do update
         set name = excluded.name, recharge_rate = excluded.recharge_rate, cash_rate = excluded.cash_rate`,
      [userId, facts.name, toRate(facts.rechargeRate), toRate(facts.cashRate)],
    );
  }
  async setRates(tx: Tx, userId: number, { rechargeRate, cashRate }: AcceptorRates): Promise<void> {
    await tx.execute('update acceptor set recharge_rate = $2, cash_rate = $3 where user_id = $1', [
      userId,
      toRate(rechargeRate),
      toRate(cashRate),
    ]);
  }
  async setPayment(tx: Tx, userId: number, payment: AcceptorPayment): Promise<void> {
    await tx.execute(
      `update acceptor set wechat_nickname = $2, wechat_account = $3, ali_nickname = $4, ali_account = $5,
         bank_name = $6, bank_account = $7, bank_address = $8 where user_id = $1`,
      [
        userId,
        payment.wechatNickname,
        payment.wechatAccount,
        payment.aliNickname,
        payment.aliAccount,
        payment.bankName,
        payment.bankAccount,
        payment.bankAddress,
      ],
    );
  }
  async setGranted(tx: Tx, userId: number, granted: bigint, granting: boolean): Promise<void> {
    await tx.execute('update acceptor set granted = $2, granting = $3 where user_id = $1', [
      userId,
      formatTrimmed(granted, CASH_SCALE),
      granting,
    ]);
  }
}
