import type { Migration } from '@bourse/persistence';

/** The columns' conditions from the table of accounts; a test compares the two [LEDGER-051]. */
export const accountMigrations: readonly Migration[] = [
  {
    id: '0060-negative-by-currency',
    sql: `
      -- Below zero is a right of account and currency: the house's points in points (900001) only.
      alter table balance drop constraint balance_check;
      alter table balance add constraint balance_available_check check (available < 1e20 and (available >= 0 or (available > -1e20 and
        (owner < 0 and (product in ('h.outside', 'h.clearing', 'h.quota') or (product = 'h.points' and currency in (900001)))))));
    `,
  },
];
