import { DEMO_FUND_PASSWORD, DEMO_PASSWORD, DEMO_PEOPLE, type DemoPerson } from '@bourse/contract';
import type { Tx } from '@bourse/persistence';
import type { AuthDatabase } from '../shared/application/ports/database.js';
import type { Passwords } from '../shared/application/ports/passwords.js';
import type { StoredPassword } from '../shared/application/ports/people.js';
import type { Seal } from '../shared/application/ports/seal.js';
import { readEmail, readMobile } from '../shared/domain/account-name.js';
import { publishFact } from '../shared/application/people-facts.js';

const SEEDED = 'seed.people';

/**
 * Adds the people of rules §17 to a demo install that has none; runs once. Each gets hashes with separate salts. `now`
 * is business time, ms.
 */
export async function seedDemoPeople(
  database: AuthDatabase,
  passwords: Passwords,
  seal: Seal,
  now: number,
): Promise<void> {
  if ((await database.query('select 1 from meta where name = $1', [SEEDED])).length > 0) return;
  const secrets = new Map<number, { password: StoredPassword; fundHash: string | null }>();
  for (const person of DEMO_PEOPLE) {
    secrets.set(person.id, {
      password: await passwords.hashLogin(DEMO_PASSWORD),
      fundHash: person.fundPassword ? await passwords.hash(DEMO_FUND_PASSWORD) : null,
    });
  }
  await database.transaction(async (tx) => {
    if ((await tx.execute(`insert into meta (name, value) values ($1, 'done') on conflict do nothing`, [SEEDED])) === 0)
      return;
    // Inviters come before those they invited.
    for (const person of DEMO_PEOPLE) {
      const secret = secrets.get(person.id);
      if (!secret) throw new Error(`invariant: no password for ${person.email}`);
      await add(tx, person, secret.password, secret.fundHash, seal, now);
    }
  });
}

async function add(
  tx: Tx,
  person: DemoPerson,
  password: StoredPassword,
  fundHash: string | null,
  seal: Seal,
  now: number,
): Promise<void> {
  const email = readEmail(person.email);
  const mobile = person.phone ? readMobile(person.phone.number, person.phone.areaCode) : null;
  if (!email) throw new RangeError(`${person.email} is not an e-mail address`);
  const realName = fullName(person);
  await tx.execute(
    `insert into account (id, email, email_key, phone, area_code, phone_key, password_hash, can_sign_in, hint_salt,
      hints, fund_hash, account_number, extension_code, inviter_id, review_status, name, card_sealed, is_seller,
      is_acceptor, region, created_at, registered_told, certified_told)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21,
      true, $22)`,
    [
      person.id,
      email.address,
      email.typedKey,
      person.phone?.number ?? '',
      person.phone?.areaCode ?? '',
      mobile?.typedKey ?? null,
      password.hash,
      !person.cannotSignIn,
      password.hintSalt,
      password.hints,
      fundHash,
      `B${person.id}`,
      `H${person.id}`,
      person.invitedBy ?? null,
      person.certified ? 2 : 0,
      person.certified ? realName : '',
      person.certified ? seal.seal('card', `DEMO${person.id}`) : '',
      person.isSeller === true,
      person.isAcceptor === true,
      person.region ?? '',
      new Date(now),
      person.certified,
    ],
  );
  publishFact(tx, { fact: 'registered', userId: person.id, inviterId: person.invitedBy ?? null, at: now });
  if (person.certified) publishFact(tx, { fact: 'certified', userId: person.id, at: now });
  if (person.payment) {
    await tx.execute(
      `insert into payment_settings (user_id, real_name, bank_name, bank_account, alipay_account, alipay_collect,
          wechat_account, wechat_nickname, wechat_collect)
        values ($1, $2, 'Harbour Bank', $3, $4, '', $5, $6, '')`,
      [person.id, realName, `0000 1234 ${person.id}`, email.address, `wx-${person.id}`, realName],
    );
  }
  if (person.bankRegion) {
    await tx.execute(
      `insert into bank (user_id, real_name, bank_no, bank_name, region, phone)
        values ($1, $2, $3, 'Harbour Bank', $4, $5)`,
      [person.id, realName, `0000 1234 ${person.id}`, person.bankRegion, person.phone?.number ?? `5550${person.id}`],
    );
  }
}

/** `trader1@demo.bourse` is called `Demo Trader1`. */
function fullName({ email }: DemoPerson): string {
  const local = email.split('@')[0] ?? '';
  return `Demo ${local.charAt(0).toUpperCase()}${local.slice(1)}`;
}
