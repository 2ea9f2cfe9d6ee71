import type { Migration } from '@bourse/persistence';

/** Figures of networks become rows that operators change (rules §15). */
export const networkMigrations: readonly Migration[] = [
  {
    id: '0061-network-rows',
    sql: `
      alter table network
        add column version integer not null default 0 check (version >= 0),
        add column open_deposit boolean not null default true,
        add column open_withdraw boolean not null default true,
        add column note jsonb not null default '{}';

      -- A deposit keeps the minimum under which it came: a change never touches what was agreed before it.
      alter table deposit add column min_deposit numeric not null default 0 check (min_deposit >= 0 and min_deposit < 1e20);
      update deposit set min_deposit = network.min_deposit from network where network.id = deposit.network_id;
    `,
  },
  {
    id: '0062-network-bounds',
    sql: `
      -- Rows of before come within the bounds of rules §15; withdrawals and deposits keep what they began under.
      update network set version = version + 1, min_withdrawal = least(1000, min_withdrawal), fee_rate = least(5, fee_rate),
        min_deposit = least(1000, min_deposit), confirmations = least(100, greatest(3, confirmations))
      where min_withdrawal > 1000 or fee_rate > 5 or min_deposit > 1000 or confirmations not between 3 and 100;
    `,
  },
];
