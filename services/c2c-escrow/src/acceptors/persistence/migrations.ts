import type { Migration } from '@bourse/persistence';

export const ACCEPTOR_MIGRATIONS: readonly Migration[] = [
  {
    id: 'acceptors-0001',
    sql: `
      create table acceptor (
        id integer generated always as identity primary key, user_id bigint not null unique, name text not null,
        recharge_rate numeric not null check (recharge_rate between 0 and 20),
        cash_rate numeric not null check (cash_rate between 0 and 20),
        wechat_nickname text not null default '', wechat_account text not null default '',
        ali_nickname text not null default '', ali_account text not null default '',
        bank_name text not null default '', bank_account text not null default '', bank_address text not null default '',
        -- Cash that the house has granted; deals add to it and take from it in the ledger.
        granted numeric not null default 0 check (granted >= 0 and granted < 1e16)
      );
      create table acceptor_deal (
        id bigint primary key, type text not null check (type in ('buy', 'sell')), user_id bigint not null,
        acceptor_id bigint not null references acceptor (user_id), acceptor_name text not null,
        acceptor_account text not null, currency_id integer not null, scale smallint not null,
        coins numeric not null check (coins > 0 and coins < 1e20), cash numeric not null check (cash > 0 and cash < 1e16),
        way text not null check (way in ('ali_pay', 'we_chat', 'bank')), mobile text not null, account text not null,
        silent_ms bigint not null check (silent_ms > 0), auto_ms bigint not null check (auto_ms > 0),
        state text not null check (state in ('asking', 'holding', 'open', 'confirmed', 'rejected')),
        stage text not null default 'waiting' check (stage in ('waiting', 'transferred', 'objected')),
        proof text not null default '', evidence text not null default '', reason text not null default '',
        reason_key text not null default '', due_at timestamptz, created_at timestamptz not null,
        updated_at timestamptz not null,
        check (state <> 'holding' or type = 'sell'), check (stage <> 'transferred' or type = 'sell'),
        -- An open deal has its deadline until somebody has objected; nothing else has one.
        check ((due_at is not null) = (state = 'open' and stage <> 'objected')), check (user_id <> acceptor_id)
      );
      create index acceptor_deal_of_user on acceptor_deal (user_id, created_at desc, id desc);
      create index acceptor_deal_of_acceptor on acceptor_deal (acceptor_id, created_at desc, id desc);
      create index acceptor_deal_newest on acceptor_deal (created_at desc, id desc);
      create index acceptor_deal_open on acceptor_deal (id) where state in ('holding', 'open');
    `,
  },
  {
    id: 'acceptors-0002-grants',
    sql: `
      -- A grant that the ledger has not decided: another waits for its end.
      alter table acceptor add column granting boolean not null default false;
    `,
  },
  {
    id: 'acceptors-0003-facts',
    sql: `
      -- Phone and accounts of both sides, sealed. Empty: a release before has them in mobile, account and
      -- acceptor_account in the clear, until they are sealed beside the running exchange.
      alter table acceptor_deal add column facts text not null default '';
    `,
  },
  {
    id: 'acceptors-0004-ended',
    sql: `
      -- The auditor looks at what has ended last in every round.
      create index acceptor_deal_ended_last on acceptor_deal (updated_at desc) where state in ('confirmed', 'rejected');
    `,
  },
  {
    id: 'acceptors-0005-disputes',
    sql: `
      -- When a transfer was taken as received by time, what became of an objection to that, and what of the coins the
      -- acceptor had not when they went back.
      alter table acceptor_deal add column auto_at timestamptz,
        add column dispute text not null default 'none'
          check (dispute in ('none', 'open', 'returning', 'kept', 'returned')),
        add column missing numeric not null default 0 check (missing >= 0 and missing <= coins);
      create index acceptor_deal_disputed on acceptor_deal (id) where dispute in ('open', 'returning');
      -- What the house has paid in the place of an acceptor; 'pending': a payment that the ledger has not decided.
      create table acceptor_debt (
        deal_id bigint primary key references acceptor_deal (id), acceptor_id bigint not null references acceptor (user_id),
        currency_id integer not null, scale smallint not null, amount numeric not null check (amount > 0),
        paid numeric not null default 0 check (paid >= 0), pending numeric not null default 0 check (pending >= 0),
        created_at timestamptz not null, check (paid + pending <= amount)
      );
      create index acceptor_debt_open on acceptor_debt (acceptor_id) where paid < amount;
    `,
  },
];
