import type { Migration } from '@bourse/persistence';
import { hardeningMigrations } from './hardening-migrations.js';
import { accountMigrations } from './ledger/adapters/persistence/account-migrations.js';
import { ledgerMigrations } from './ledger/adapters/persistence/ledger-migrations.js';
import { recordMigrations } from './ledger/adapters/persistence/record-migrations.js';
import { depositMigrations } from './wallet/deposits/persistence/deposit-migrations.js';
import { networkMigrations } from './wallet/shared/persistence/network-migrations.js';
import { sweepMigrations } from './wallet/treasury/persistence/sweep-migrations.js';
import { withdrawalMigrations } from './wallet/withdrawals/persistence/withdrawal-migrations.js';

/** The migrations of schema `ledger`, in the order in which they run. The ledger and the wallet share the schema. */
export const migrations: readonly Migration[] = [
  ...ledgerMigrations,
  ...depositMigrations,
  ...recordMigrations,
  ...withdrawalMigrations,
  ...sweepMigrations,
  ...hardeningMigrations,
  ...accountMigrations,
  ...networkMigrations,
];
