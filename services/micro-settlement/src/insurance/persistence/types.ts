import { Injectable } from '@nestjs/common';
import type { Tx } from '@bourse/persistence';
import { Refused } from '@bourse/platform';
import { CatalogList, type SavedRow } from '@bourse/settings';
import { MicroDatabase } from '../../shared/application/database.js';
import { moneyText, percentText, requireRange, text } from '../../shared/persistence/catalog-texts.js';
import { InsuranceTypes, type InsuranceTypeRow } from '../application/ports.js';
import { InsuranceTypeBody, type CatalogInsuranceType } from '../application/type-rows.js';

const AMOUNTS = ['min_amount', 'max_amount', 'premium_rate', 'end_profit_rate', 'claim_loss_rate', 'claim_rate'];
const TYPES = `id, currency_id, name, ${[...AMOUNTS, 'stake_rate', 'quota', 'used'].map(text).join(', ')},
  claims_per_day, max_open`;

type StoredType = CatalogInsuranceType & { readonly used: string } & Record<string, unknown>;

/** Types of insurance, read from their table each time. */
@Injectable()
export class PostgresInsuranceTypes extends InsuranceTypes {
  constructor(private readonly database: MicroDatabase) {
    super();
  }

  async all(): Promise<readonly InsuranceTypeRow[]> {
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
    requireRange({
      min: ['min_amount', body.minAmount, before.min_amount],
      max: ['max_amount', body.maxAmount, before.max_amount],
    });
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
