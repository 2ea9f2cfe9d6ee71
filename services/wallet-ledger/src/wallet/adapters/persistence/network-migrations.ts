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
];
