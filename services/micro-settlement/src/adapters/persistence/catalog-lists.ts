import { Injectable } from '@nestjs/common';
import { PERCENT_SCALE } from '@bourse/formulas';
import { formatTrimmed, type Units } from '@bourse/money';
import type { Tx } from '@bourse/persistence';
import { Refused } from '@bourse/platform';
import { CatalogList, type SavedRow } from '@bourse/settings';
import {
  InsuranceTypeBody,
  MONEY_SCALE,
  SecondsBody,
  type CatalogInsuranceType,
  type CatalogSeconds,
} from '../../application/catalog-rows.js';
import { CatalogStore, MicroDatabase, type InsuranceTypeRow, type SecondsRow } from '../../application/ports.js';

const text = (name: string): string => `trim_scale(${name})::text as ${name}`;
const SECONDS = `id, seconds, ${['profit_ratio', 'min_money', 'max_money'].map(text).join(', ')}, is_open`;
const AMOUNTS = ['min_amount', 'max_amount', 'premium_rate', 'end_profit_rate', 'claim_loss_rate', 'claim_rate'];
const TYPES = `id, currency_id, name, ${[...AMOUNTS, 'stake_rate', 'quota', 'used'].map(text).join(', ')},
  claims_per_day, max_open`;

interface StoredSeconds extends Record<string, unknown> {
  readonly id: number;
  readonly seconds: number;
  readonly profit_ratio: string;
  readonly min_money: string;
  readonly max_money: string;
  readonly is_open: boolean;
}
type StoredType = CatalogInsuranceType & { readonly used: string } & Record<string, unknown>;

/** Durations and types of insurance, read from their tables each time. */
@Injectable()
export class PostgresCatalog extends CatalogStore {
  constructor(private readonly database: MicroDatabase) {
    super();
  }

  async seconds(): Promise<readonly SecondsRow[]> {
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

  async insuranceTypes(): Promise<readonly InsuranceTypeRow[]> {
    const rows = await this.database.query<StoredType>(`select ${TYPES} from insurance_type order by id`);
    return rows.map((row) => ({
      id: row.id,
      currencyId: row.currency_id,
      name: row.name,
      minAmount: row.min_amount,
      maxAmount: row.max_amount,
      premiumRate: row.premium_rate,
      endProfitRate: row.end_profit_rate,
      claimLossRate: row.claim_loss_rate,
      claimRate: row.claim_rate,
      claimsPerDay: row.claims_per_day,
      stakeRate: row.stake_rate,
      maxOpen: row.max_open,
      quota: row.quota,
      used: row.used,
    }));
  }
}

const percentText = (value: Units | undefined, before: string): string =>
  value === undefined ? before : formatTrimmed(value, PERCENT_SCALE);
const moneyText = (value: Units | undefined, before: string): string =>
  value === undefined ? before : formatTrimmed(value, MONEY_SCALE);

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

/** Types of insurance. A policy has its own copy of the terms. */
@Injectable()
export class InsuranceTypeList extends CatalogList<InsuranceTypeBody> {
  readonly name = 'insurance_types';
  readonly body = InsuranceTypeBody;

  constructor(private readonly database: MicroDatabase) {
    super();
  }

  async rows(): Promise<readonly CatalogInsuranceType[]> {
    return (await this.database.query<StoredType>(`select ${TYPES} from insurance_type order by id`)).map(shownType);
  }

  async save(tx: Tx, body: InsuranceTypeBody): Promise<SavedRow> {
    const [before] = await tx.query<StoredType>(`select ${TYPES} from insurance_type where id = $1 for update`, [
      body.id,
    ]);
    if (!before) throw new Refused('common.notFound', {}, { field: 'id' });
    const [after] = await tx.query<StoredType>(
      `update insurance_type set name = $2, min_amount = $3, max_amount = $4, premium_rate = $5, end_profit_rate = $6,
         claim_loss_rate = $7, claim_rate = $8, claims_per_day = $9, stake_rate = $10, max_open = $11, quota = $12
       where id = $1 returning ${TYPES}`,
      [
        body.id,
        body.name ?? before.name,
        moneyText(body.minAmount, before.min_amount),
        moneyText(body.maxAmount, before.max_amount),
        percentText(body.premiumRate, before.premium_rate),
        percentText(body.endProfitRate, before.end_profit_rate),
        percentText(body.claimLossRate, before.claim_loss_rate),
        percentText(body.claimRate, before.claim_rate),
        body.claimsPerDay ?? before.claims_per_day,
        percentText(body.stakeRate, before.stake_rate),
        body.maxOpen ?? before.max_open,
        moneyText(body.quota, before.quota),
      ],
    );
    return { id: String(body.id), before: shownType(before), after: shownType(after!) };
  }
}
const shownType = ({ used: _used, ...row }: StoredType): CatalogInsuranceType => row;
