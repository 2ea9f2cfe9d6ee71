import { SAVINGS_DAY_MS } from '@bourse/formulas';
import type { Part } from '@bourse/settings';
import { SavingsAdminController } from '../adapters/http/savings-admin.controller.js';
import { SavingsController } from '../adapters/http/savings.controller.js';
import { LedgerHouseInterest } from '../adapters/messaging/ledger-house-interest.js';
import { DepositConfigList, PostgresDepositConfigs } from '../adapters/persistence/deposit-config-list.js';
import { PostgresSubscriptions } from '../adapters/persistence/postgres-subscriptions.js';
import { SavingsPartAudit } from '../adapters/persistence/savings-audit.js';
import { SAVINGS_MIGRATIONS } from '../adapters/persistence/savings-migrations.js';
import { Cancels } from '../application/cancels.js';
import { Maturities } from '../application/maturities.js';
import { SavingsLists } from '../application/savings-lists.js';
import { FreeBalances } from '../application/free-balances.js';
import { Days, DepositConfigs, HouseInterest, SubscriptionStore } from '../application/savings-ports.js';
import { SAVINGS_SETTINGS } from '../application/savings-settings.js';
import { Subscriptions } from '../application/subscriptions.js';

/**
 * At most 2,100 terms a second: 100,000 of one midnight are paid in 55 s while the exchange takes 700 orders a second
 * (docs/proofs/savings.md).
 */
const SETS = { batch: 300, everyMs: 140, restMs: 25 };

/** Fixed terms with reserved interest (rules §9). */
export const SAVINGS: Part = {
  controllers: [SavingsController, SavingsAdminController],
  providers: [
    { provide: SubscriptionStore, useClass: PostgresSubscriptions },
    { provide: DepositConfigs, useClass: PostgresDepositConfigs },
    FreeBalances,
    { provide: HouseInterest, useClass: LedgerHouseInterest },
    { provide: Days, useValue: { ms: SAVINGS_DAY_MS, ...SETS } satisfies Days },
    SavingsPartAudit,
    DepositConfigList,
    Maturities,
    Subscriptions,
    Cancels,
    SavingsLists,
  ],
  migrations: SAVINGS_MIGRATIONS,
  settings: SAVINGS_SETTINGS,
  rules: [],
  audit: [SavingsPartAudit],
};
