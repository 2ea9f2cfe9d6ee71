import type { Migration } from '@bourse/persistence';

/** Tables of fiat shops. */
export const SHOP_MIGRATIONS: readonly Migration[] = [
  {
    id: 'shops-0001-shops',
    sql: `
      create sequence shop_id as bigint start 101;
      create table shop (
        id bigint primary key, user_id bigint not null, name text not null check (length(name) between 2 and 30),
        currency_id integer not null, currency_name text not null, level text not null check (level in ('verified', 'advanced')),
        state text not null check (state in ('waiting', 'review', 'open', 'refused')),
        deposit_currency_id integer not null, deposit_scale smallint not null,
        deposit numeric not null check (deposit >= 0 and deposit < 1e20),
        created_at timestamptz not null, decided_at timestamptz,
        check ((decided_at is null) = (state in ('waiting', 'review'))), check (state <> 'refused' or deposit = 0)
      );
      -- One per person and coin, but for those that were refused.
      create unique index shop_of_owner on shop (user_id, currency_id) where state <> 'refused';
      create index shop_of_user on shop (user_id, id desc);
      create index shop_by_state on shop (state, id desc);
    `,
  },
  {
    id: 'shops-0002-closed',
    sql: `
      -- Its owner closes it; while the ledger gives everything back it is 'closing'.
      alter table shop drop constraint shop_state_check;
      alter table shop add constraint shop_state_check
        check (state in ('waiting', 'review', 'open', 'closing', 'refused', 'closed'));
      alter table shop add check (state <> 'closed' or deposit = 0);
      -- One per person and coin, but for those that were refused or closed.
      drop index shop_of_owner;
      create unique index shop_of_owner on shop (user_id, currency_id) where state not in ('refused', 'closed');
    `,
  },
];
