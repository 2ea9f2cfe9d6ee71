import { DEMO_FUND_PASSWORD, DEMO_PASSWORD, FIRST_PRICES, SEED_CURRENCIES, SEED_PAIRS } from '@bourse/contract';
import { available, ledgerPartition, LedgerCommandV1, TOPICS, type Leg, type Product } from '@bourse/events';
import { divide, formatTrimmed, toUnits } from '@bourse/money';
import type { AuthDatabase } from '../shared/application/ports/database.js';
import type { Passwords } from '../shared/application/ports/passwords.js';
import type { Tokens } from '../shared/application/ports/session-tokens.js';
import { publishFact } from '../shared/application/people-facts.js';
import { readEmail } from '../shared/domain/account-name.js';

/** Ids of load-test people are above those of the demo people and below those of registered people. */
const FIRST_LOAD_ID = 500_000_000;
const PEOPLE_MAX = 1_000_000;
const PIECE = 250;
const AGENT = 'load generator';
const QUOTE = 'USDT';
const WORTH = '1000000';
/** Decimals of the division of worth by price. */
const EXACT = 8;

/** A trader of a load test; the token belongs to a session opened for them. */
export interface LoadPerson {
  readonly id: number;
  readonly account: string;
  readonly token: string;
}

/** Id of `load<number>@demo.bourse`, counted from 1. */
export const loadPersonId = (number: number): number => FIRST_LOAD_ID + number;
const accountOf = (number: number): string => `load${number}@demo.bourse`;
function keyOf(number: number): string {
  const name = readEmail(accountOf(number));
  if (!name) throw new Error(`invariant: ${accountOf(number)} is not an e-mail address`);
  return name.typedKey;
}

/**
 * First balances of each load-test person (rules §17): change USDT 1,000,000 and the same worth of each coin traded
 * against it, lever and micro USDT 100,000. Keys are `product.COIN`.
 */
export function loadBalances(): Readonly<Record<string, string>> {
  const bases = SEED_PAIRS.filter(({ legalName }) => legalName === QUOTE).map(
    ({ symbol, currencyName }) => [`change.${currencyName}`, worthOf(symbol)] as const,
  );
  return {
    [`change.${QUOTE}`]: WORTH,
    ...Object.fromEntries(bases),
    [`lever.${QUOTE}`]: '100000',
    [`micro.${QUOTE}`]: '100000',
  };
}

function worthOf(symbol: string): string {
  const price = FIRST_PRICES[symbol];
  if (price === undefined) throw new Error(`invariant: ${symbol} has no first price`);
  return formatTrimmed(divide(toUnits(WORTH, 2 * EXACT), toUnits(price, EXACT), 'down'), EXACT);
}

/**
 * Adds the first `count` load-test people that do not exist yet, each in one transaction with the journal that pays
 * them from `h.outside`: a second run adds nothing and pays nobody twice. They can deal with one another, so they have
 * payment settings. They share one hash of the public demo password: ten thousand separate hashes would take minutes
 * and protect no secret. Returns the number added. `now` is business time, ms.
 */
export async function addLoadPeople(
  database: AuthDatabase,
  passwords: Passwords,
  count: number,
  partitions: number,
  now: number,
): Promise<number> {
  if (!Number.isSafeInteger(count) || count < 1 || count > PEOPLE_MAX)
    throw new RangeError(`a count of people from 1 to ${PEOPLE_MAX}, not ${count}`);
  const password = await passwords.hashLogin(DEMO_PASSWORD);
  const fundHash = await passwords.hash(DEMO_FUND_PASSWORD);
  const balances = Object.entries(loadBalances());
  let added = 0;
  for (let from = 1; from <= count; from += PIECE) {
    const numbers = Array.from({ length: Math.min(PIECE, count - from + 1) }, (_, index) => from + index);
    added += await database.transaction(async (tx) => {
      const fresh = await tx.query<{ id: string }>(
        `insert into account (id, email, email_key, password_hash, hint_salt, hints, fund_hash, account_number,
          extension_code, review_status, name, created_at, registered_told, certified_told)
         select id, email, key, $3, $4, $5, $6, 'B' || id, 'H' || id, 2, 'Load ' || id, $7, true, true
         from unnest($1::bigint[], $2::text[], $8::text[]) as given (id, email, key)
         on conflict (id) do nothing returning id`,
        [
          numbers.map(loadPersonId),
          numbers.map(accountOf),
          password.hash,
          password.hintSalt,
          password.hints,
          fundHash,
          new Date(now),
          numbers.map(keyOf),
        ],
      );
      const ids = fresh.map(({ id }) => Number(id));
      await tx.execute(
        `insert into payment_settings (user_id, real_name, bank_name, bank_account, alipay_account, alipay_collect,
           wechat_account, wechat_nickname, wechat_collect)
         select id, 'Load ' || id, 'Harbour Bank', '0000 1234 ' || id, 'ali-' || id, '', 'wx-' || id, 'Load ' || id, ''
         from unnest($1::bigint[]) as given (id)`,
        [ids],
      );
      for (const user of ids) {
        tx.emit(TOPICS.ledgerCommands, ledgerPartition(user, partitions), payment(user, balances));
        publishFact(tx, { fact: 'registered', userId: user, inviterId: null, at: now });
        publishFact(tx, { fact: 'certified', userId: user, at: now });
      }
      return fresh.length;
    });
  }
  return added;
}

function payment(
  user: number,
  balances: readonly (readonly [string, string])[],
): ReturnType<typeof LedgerCommandV1.encode> {
  const legs = balances.map(([name, amount]): Leg => {
    const [product = '', coin = ''] = name.split('.');
    const currency = SEED_CURRENCIES.find((one) => one.name === coin);
    if (!currency) throw new Error(`invariant: unknown coin ${coin}`);
    return { from: 'h.outside', to: available(user, product as Product), currency: currency.id, amount };
  });
  return LedgerCommandV1.encode({
    issuer: 'seed',
    userId: user,
    journals: [{ id: `seed:${user}`, causeType: 'seed', causeId: String(user), legs }],
  });
}

/**
 * Opens one session for each of the first `count` and ends those of earlier runs; the load generator then need not sign
 * in thousands of people. `now` is the time of sessions, ms.
 */
export async function openLoadSessions(
  database: AuthDatabase,
  tokens: Tokens,
  count: number,
  now: number,
): Promise<LoadPerson[]> {
  const people = Array.from({ length: count }, (_, index) => ({
    id: loadPersonId(index + 1),
    account: accountOf(index + 1),
    issued: tokens.issue(loadPersonId(index + 1)),
  }));
  await database.transaction(async (tx) => {
    await tx.execute('delete from session where user_id between $1 and $2 and agent = $3', [
      loadPersonId(1),
      loadPersonId(PEOPLE_MAX),
      AGENT,
    ]);
    for (let from = 0; from < people.length; from += PIECE) {
      const piece = people.slice(from, from + PIECE);
      await tx.execute(
        `insert into session (token_hash, public_id, user_id, ip, agent, created_at, last_at)
          select hash, public_id, id, '127.0.0.1', $4, $5, $5
          from unnest($1::text[], $2::text[], $3::bigint[]) as given (hash, public_id, id)`,
        [
          piece.map(({ issued }) => issued.tokenHash),
          piece.map(({ issued }) => issued.publicId),
          piece.map(({ id }) => id),
          AGENT,
          new Date(now),
        ],
      );
    }
  });
  return people.map(({ id, account, issued }) => ({ id, account, token: issued.token }));
}
