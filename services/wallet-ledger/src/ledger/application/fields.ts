import type { Product } from '@bourse/contract';
import { ACCOUNT_FACTS, accountsWhere } from '@bourse/events';
import {
  Amount,
  CatalogId,
  Default,
  Field,
  Flag,
  Given,
  Id,
  Means,
  OneOf,
  PageOf,
  Reason,
  RowId,
  Text,
  Time,
  UnderKey,
  wordReader,
  type Page,
  type WrittenAmount,
} from '@bourse/platform';
import type { BookFormat } from './accounting/plain-text.js';
import type { TaxFormat } from './accounting/tax-rows.js';

/* Fields of the ledger's calls (api §2.2, §2.12), each class in the order of rules §8.2 and §12.9. */

/** Personal accounts between which money can be transferred, and that operators may adjust. */
const PRODUCTS = accountsWhere(({ transfers }) => transfers) as readonly Product[];
const WORD = { max: 40, pattern: /^[a-z_]+$/ } as const;

/** Both accounts by name, or by `type` as older screens do; checked by `TransferBetweenAccounts.read`. */
@UnderKey()
export class TransferBody {
  @Amount('transfer.amountRequired', { field: 'number' }) amount!: WrittenAmount;
  @CatalogId({ field: 'currency_id' }) currencyId!: number;
  @OneOf(PRODUCTS, { field: 'from_field', optional: true }) from?: Product;
  @OneOf(PRODUCTS, { field: 'to_field', optional: true }) to?: Product;
  @Given({ about: '3 change to lever, 4 lever to change; in place of the two accounts' }) type?: string;
}
export class TransferListQuery {
  @PageOf(30) page!: Page;
}

/** Accounts as `legal_log` numbers them. */
const ACCOUNTS: Readonly<Record<string, string>> = Object.fromEntries(
  [...ACCOUNT_FACTS].flatMap(([account, { statementType }]) =>
    statementType === null ? [] : [[String(statementType), account] as const],
  ),
);
export class CoinLogBody {
  @Means(ACCOUNTS, { field: 'type' }) account!: string;
  @CatalogId() currency!: number;
  @PageOf(10) page!: Page;
}
export class WholeLogBody {
  @PageOf(20) page!: Page;
}
export class StatementFilter {
  @Text({ max: 20, pattern: /^[a-z_]+$/, optional: true }) account?: string;
  @CatalogId({ optional: true }) currency?: number;
  @Time({ optional: true }) from?: number;
  @Time({ optional: true, about: 'The named second belongs to it' }) to?: number;
  @Text({ ...WORD, optional: true }) causeType?: string;
  @Text({ max: 100, optional: true }) causeId?: string;
}
export class StatementQuery extends StatementFilter {
  @PageOf(50) page!: Page;
}
export class StatementJournalsQuery extends StatementFilter {
  @Flag({ optional: true, about: '1: also journals that only hold funds or return them' }) holds?: boolean;
  @PageOf(50) page!: Page;
}
export type StatementFormat = 'csv' | BookFormat | TaxFormat;
const FORMATS: Readonly<Record<StatementFormat, StatementFormat>> = {
  csv: 'csv',
  beancount: 'beancount',
  hledger: 'hledger',
  koinly: 'koinly',
  cointracking: 'cointracking',
};
export class StatementExportQuery extends StatementFilter {
  @Default<StatementFormat>('csv', wordReader(FORMATS, {})) format!: StatementFormat;
}
export class HoldsQuery {
  @CatalogId({ optional: true }) currency?: number;
}

/** The coin's id, or its name in the snapshot. */
export class ProofQuery {
  @Field(
    {
      read: (text) => text,
      schema: { type: 'string', description: 'Id of the coin, or its name' },
      keys: ['common.fieldRequired', 'common.fieldInvalid'],
    },
    { field: 'currency' },
  )
  coin?: string;
  @CatalogId({ field: 'currency', late: true }) currency!: number;
  @CatalogId({ optional: true, late: true }) snapshotId?: number;
}
export class SnapshotBody {
  @Reason() reason!: string;
}

const STATES = ['waiting', 'approved', 'rejected'] as const;
export class AdjustmentListQuery {
  @OneOf(STATES, { optional: true }) state?: (typeof STATES)[number];
  @RowId({ optional: true }) userId?: number;
  @PageOf(20) page!: Page;
}
@UnderKey()
export class NewAdjustmentBody {
  @RowId('common.fieldInvalid', { min: 1, missing: 'common.fieldRequired' }) userId!: number;
  @CatalogId() currencyId!: number;
  @OneOf(PRODUCTS) account!: Product;
  @Given({ about: 'Decimal with its sign, at the scale of the coin' }) amount?: string;
  @Text({ max: 40, pattern: /^[A-Za-z0-9_.-]+$/, late: true }) reasonCode!: string;
  @Text({ max: 500, late: true }) note!: string;
  @Reason() reason!: string;
}
export class DecideAdjustmentBody {
  @Id() id!: string;
  @Reason() reason!: string;
}
/**
 * House accounts that operators move money between, and the outside; the other accounts balance the partitions or a
 * deposit.
 */
const HOUSE = [...accountsWhere(({ funded }) => funded), 'h.outside'] as const;
@UnderKey()
export class FundHouseBody {
  @OneOf(HOUSE) from!: (typeof HOUSE)[number];
  @OneOf(HOUSE) to!: (typeof HOUSE)[number];
  @CatalogId() currencyId!: number;
  @Amount() amount!: WrittenAmount;
  @Text({ max: 500, late: true }) note!: string;
  @Reason() reason!: string;
}
