import type { Migration } from '@bourse/persistence';

export const AUTH_MIGRATIONS: readonly Migration[] = [
  {
    id: '0001-accounts',
    sql: `
      create table account (
        id bigint primary key check (id > 0 and id < 9007199254740992),
        email text not null default '', email_key text unique,
        phone text not null default '', area_code text not null default '', phone_key text unique,
        password_hash text not null, can_sign_in boolean not null default true,
        -- Hashes of the parts of the login password that could be fund passwords (rules 8.6).
        hint_salt text not null, hints text[] not null,
        fund_hash text, fund_must_reset boolean not null default false,
        lang text not null default 'en', nationality text not null default '',
        account_number text not null unique, extension_code text not null unique check (length(extension_code) >= 4),
        inviter_id bigint references account,
        review_status smallint not null default 0 check (review_status in (0, 1, 2)), review_reason text not null default '',
        name text not null default '', card_id text not null default '',
        frozen text not null default 'none' check (frozen in ('none', 'all', 'trade', 'c2c', 'withdraw')),
        is_seller boolean not null default false, is_acceptor boolean not null default false, region text not null default '', in_points boolean not null default false,
        totp_sealed text, totp_step bigint not null default 0,
        -- Business time; the wallet asks for it.
        withdrawals_blocked_until timestamptz,
        created_at timestamptz not null,
        check (email_key is not null or phone_key is not null)
      );
      -- Fixed at registration (rules 11). Generation 1 is the inviter.
      create table ancestor (
        user_id bigint not null references account, generation integer not null check (generation > 0), ancestor_id bigint not null references account,
        primary key (user_id, generation)
      );
      create index ancestor_of on ancestor (ancestor_id, generation);
      create table bank (
        user_id bigint primary key references account,
        real_name text not null, bank_no text not null, bank_name text not null, region text not null, phone text not null
      );
      create table payment_settings (
        user_id bigint primary key references account,
        real_name text not null, bank_name text not null, bank_account text not null, alipay_account text not null, alipay_collect text not null,
        wechat_account text not null, wechat_nickname text not null, wechat_collect text not null
      );
      create table session (
        token_hash text primary key, public_id text not null unique, user_id bigint not null references account, kind text not null default 'user',
        ip text not null, agent text not null, created_at timestamptz not null, last_at timestamptz not null, ended_at timestamptz
      );
      create index session_living on session (user_id, created_at) where ended_at is null;
      create table device (user_id bigint not null references account, device text not null, last_at timestamptz not null, primary key (user_id, device));
      create table code (
        id bigint generated always as identity primary key, name_key text not null, scene text not null, kind text not null check (kind in ('email', 'mobile')),
        code_hash text not null, ip text not null, tries integer not null default 0, created_at timestamptz not null, expires_at timestamptz not null, used_at timestamptz
      );
      create index code_of on code (name_key, scene, id desc);
      create index code_from on code (ip, id desc);
      create table failure (id bigint generated always as identity primary key, bucket text not null, at timestamptz not null);
      create index failure_of on failure (bucket, at);
      create table letter (
        id bigint generated always as identity primary key, recipient text not null, scene text not null, code text not null, text text not null, at timestamptz not null
      );
      create table setting (name text primary key, value text not null);
      insert into setting (name, value) values ('login_need_code', '0'), ('invite_code_must', '0');
    `,
  },
];
