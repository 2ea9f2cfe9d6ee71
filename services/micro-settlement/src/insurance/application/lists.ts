import { Injectable } from '@nestjs/common';
import {
  toDataPage,
  type CurrencyRow,
  type Insurance,
  type InsuranceClaim,
  type InsuranceType,
} from '@bourse/contract';
import { Reference } from '@bourse/messaging';
import { formatTrimmed, toUnits } from '@bourse/money';
import type { Page } from '@bourse/platform';
import { AMOUNT_SCALE } from '../../shared/application/amounts.js';
import type { Claim } from '../domain/policy.js';
import { shownClaim, shownPolicy, shownType } from './answers.js';
import { InsuranceTypes, PolicyStore, type InsuranceTypeRow } from './ports.js';

/** The lists of types, policies and claims (api §2.6). */
@Injectable()
export class InsuranceLists {
  constructor(
    private readonly policies: PolicyStore,
    private readonly catalog: InsuranceTypes,
    private readonly reference: Reference,
  ) {}

  async types(currencyId?: number): Promise<InsuranceType[]> {
    return (await this.catalog.all())
      .filter((row) => currencyId === undefined || row.currencyId === currencyId)
      .flatMap((row) => {
        const currency = this.reference.get<CurrencyRow>('currency', String(row.currencyId));
        return currency ? [shownType(row, currency.name, quotaLeft(row))] : [];
      });
  }

  async insurances(userId: number, currencyId: number | undefined, page: Page) {
    return toDataPage(await this.policies.list(userId, currencyId, page), page, (row): Insurance => shownPolicy(row));
  }
  async claims(userId: number | undefined, currencyId: number | undefined, page: Page) {
    return toDataPage(await this.policies.claims(userId, currencyId, page), page, (row): InsuranceClaim =>
      shownClaim(row),
    );
  }
  /** As `claims`, with the person's id: for operators. */
  async allClaims(userId: number | undefined, page: Page) {
    return toDataPage(await this.policies.claims(userId, undefined, page), page, (row: Claim) => ({
      ...shownClaim(row),
      user_id: row.userId,
    }));
  }
}

const quotaLeft = ({ quota, used }: InsuranceTypeRow): string => {
  const left = toUnits(quota, AMOUNT_SCALE) - toUnits(used, AMOUNT_SCALE);
  return formatTrimmed(left > 0n ? left : 0n, AMOUNT_SCALE);
};
