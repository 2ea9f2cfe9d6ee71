// The users of a run: given API keys or accounts, else users that the run creates by the API of a demo install.
import http from 'k6/http';
import encoding from 'k6/encoding';
import { sleep } from 'k6';
import { units } from './amounts.js';
import { answers, ask, granted, patiently } from './calls.js';
import { ACCOUNTS, BASE_URL, HEADS, INSTANCE, INSTANCES, KEYS } from './settings.js';

/** @typedef {import('./calls.js').Person} Person */
/** @typedef {Person & { account: string }} Signed */

const PASSWORD = 'Harbor-2468';
/** Fund password of the people of a demo install. */
export const FUND = 'fund66';
export const USDT = 3;
/** Amount moved to an account other than spot, USDT. */
const MOVED = '5000';
/** Money is booked after a few blocks; one comes by itself every two seconds. */
const MONEY_MS_MAX = 120_000;
const BLOCKS = 10;
/** Smallest picture there is: one grey pixel. */
const PIXEL = encoding.b64decode(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNoAAAAggCBd81ytgAAAABJRU5ErkJggg==',
  'std',
);

/**
 * Returns users with the right to trade, and with money if the run can deposit it.
 * @param {Record<number, string>} money how much of each coin a user has at least, on a demo install
 * @param {{ pay?: boolean, account?: string }} [needs] `pay`: payment settings too, for deals between people;
 *   `account`: USDT on that account of the person too
 * @returns {Person[]}
 */
export function gather(money, needs = {}) {
  if (KEYS.length > 0) return [...KEYS];
  if (ACCOUNTS.length > 0) return moveTo(needs.account, signedIn([...ACCOUNTS]));
  if (patiently(() => http.get(`${BASE_URL}/dev/clock`)).status !== 200)
    throw new Error(
      `${BASE_URL} is no demo install: name people with -e ACCOUNTS=<file of account,password> or -e KEYS=<file of key,secret>, or run read.js, which needs nobody.`,
    );
  const people = demoPeople();
  makeAble(people);
  if (needs.pay) setPayment(people);
  fund(people, money);
  return moveTo(needs.account, people);
}

/**
 * Moves USDT to an account of every user with less than half of the usual amount there.
 * @param {string | undefined} account
 * @param {Signed[]} people
 */
function moveTo(account, people) {
  if (account === undefined) return people;
  const had = free(
    people.map((person) => ({ person, currency: USDT })),
    account,
  );
  const poor = people.filter((_, index) => had[index] < units(MOVED) / 2n);
  granted(
    poor.map((person) => ({
      person,
      method: 'POST',
      path: '/api/wallet/change',
      fields: { currency_id: USDT, number: MOVED, from_field: 'change', to_field: account },
    })),
  );
  return people;
}

/**
 * Sessions of accounts that exist.
 * @param {{ account: string, password: string }[]} accounts
 * @returns {Signed[]}
 */
function signedIn(accounts) {
  const found = granted(
    accounts.map(({ account, password }) => ({
      method: 'POST',
      path: '/api/user/login',
      fields: { user_string: account, password },
    })),
  );
  return found.map(({ message, id }, index) => ({ account: accounts[index].account, token: message, id }));
}

/**
 * The same people in each run on one install: those of an earlier one are signed in, new ones are registered.
 * @returns {Signed[]}
 */
function demoPeople() {
  const accounts = Array.from({ length: HEADS }, (_, index) => `k6-${index * INSTANCES + INSTANCE}@example.org`);
  const known = answers(accounts.map((account) => signIn(account)));
  const absent = accounts.filter((_, index) => known[index].type !== 'ok' && !known[index].need);
  sendCodes(absent, 'register');
  granted(
    absent.map((account) => ({
      method: 'POST',
      path: '/api/user/register',
      fields: {
        type: 'email',
        user_string: account,
        code: codeFor(account, 'register'),
        password: PASSWORD,
        re_password: PASSWORD,
      },
    })),
  );
  // A sign-in from a device that is new to the exchange requires a code.
  const asked = accounts.filter((_, index) => known[index].need === 'sms_code');
  sendCodes(asked, 'login');
  const later = [...absent, ...asked];
  const sessions = granted(
    later.map((account) => signIn(account, asked.includes(account) ? codeFor(account, 'login') : undefined)),
  );
  return accounts.map((account, index) => {
    const body = later.includes(account) ? sessions[later.indexOf(account)] : known[index];
    return { account, token: body.message, id: body.id };
  });
}

/**
 * @param {string} account
 * @param {string} [code]
 * @returns {import('./calls.js').Question}
 */
const signIn = (account, code) => ({
  method: 'POST',
  path: '/api/user/login',
  fields: { user_string: account, password: PASSWORD, sms_code: code },
});

/**
 * Has a code sent to each account; one sent a moment ago is still valid.
 * @param {string[]} accounts
 * @param {string} scene
 * @param {Person[]} [people] for the sessions, if the call needs one
 */
function sendCodes(accounts, scene, people = []) {
  const told = answers(
    accounts.map((account, index) => ({
      person: people[index],
      method: 'POST',
      path: '/api/sms_mail',
      fields: { user_string: account, scene },
    })),
  );
  for (const { type, key } of told)
    if (type !== 'ok' && key !== 'code.tooSoon')
      throw new Error(
        `no code for ${scene} was sent: ${key}. An address gets 20 codes an hour, times RATE_SCALE; each new person needs two.`,
      );
}

/**
 * Returns the newest code that was sent to an address, from the inbox of the demo install.
 * @param {string} to
 * @param {string} scene
 */
function codeFor(to, scene) {
  for (let tries = 0; tries < 60; tries += 1) {
    const [letter] = ask({ method: 'GET', path: '/dev/inbox', fields: { to, scene, limit: 1 } }).message;
    if (letter) return letter.code;
    sleep(0.25);
  }
  throw new Error(`no code for ${scene} came to ${to}`);
}

/**
 * Sets the fund password and the identity papers, approved by support: trading requires both.
 * @param {Signed[]} people
 */
function makeAble(people) {
  const states = granted(people.map((person) => ({ person, method: 'GET', path: '/api/user/info' })));
  const poor = people.filter((_, index) => states[index].message.has_fund_password !== 1);
  sendCodes(
    poor.map(({ account }) => account),
    'fund',
    poor,
  );
  granted(
    poor.map((person) => ({
      person,
      method: 'POST',
      path: '/api/safe/update_password',
      fields: { password: FUND, re_password: FUND, code: codeFor(person.account, 'fund') },
    })),
  );
  const certified = 2;
  const strangers = people.filter((_, index) => states[index].message.review_status !== certified);
  if (strangers.length === 0) return;
  for (const person of strangers) {
    const [front, back] = [upload(person, 'kyc'), upload(person, 'kyc')];
    const [told] = answers([
      {
        person,
        method: 'POST',
        path: '/api/user/real_name',
        fields: { name: 'Load Person', card_id: `L${person.id}`, front_pic: front, reverse_pic: back },
      },
    ]);
    // Papers that an earlier run sent wait for support.
    if (told.type !== 'ok' && told.key !== 'kyc.state') throw new Error(`papers were refused: ${told.key}`);
  }
  const { message: token } = ask({
    method: 'POST',
    path: '/api/admin/login',
    fields: { username: 'support1', password: PASSWORD },
  });
  granted(
    strangers.map(({ id }) => ({
      person: { token },
      method: 'POST',
      path: '/api/admin/kyc/decide',
      fields: { user_id: id, pass: 1, reason: 'a person of a load test' },
    })),
  );
}

/**
 * Address of a new image.
 * @param {Person} person
 * @param {string} scene
 * @returns {string}
 */
function upload(person, scene) {
  const response = patiently(() =>
    http.post(
      `${BASE_URL}/api/upload`,
      { scene, file: http.file(PIXEL, 'picture.png', 'image/png') },
      { headers: { authorization: String(person.token) } },
    ),
  );
  if (response.status !== 200) throw new Error(`no upload: ${response.status} ${response.body}`);
  return String(response.json('message'));
}

/**
 * Saves payment settings: a C2C seller must have them.
 * @param {Signed[]} people
 */
function setPayment(people) {
  const states = granted(people.map((person) => ({ person, method: 'POST', path: '/api/user/cash_info' })));
  const without = people.filter((_, index) => states[index].message === null);
  granted(
    without.map((person) => {
      const picture = upload(person, 'pay');
      return {
        person,
        method: 'POST',
        path: '/api/user/cash_save',
        fields: {
          real_name: 'Load Person',
          bank_name: 'Load Bank',
          bank_account: 'L 0001',
          alipay_account: 'load',
          alipay_collect: picture,
          wechat_account: 'load',
          wechat_nickname: 'Load',
          wechat_collect: picture,
          password: FUND,
        },
      };
    }),
  );
}

/**
 * Deposits coins for every user who has less than half of the required amount, by the simulated chain, and waits until
 * they are booked.
 * @param {Signed[]} people
 * @param {Record<number, string>} money
 */
function fund(people, money) {
  const wanted = Object.entries(money).flatMap(([currency, amount]) =>
    people.map((person) => ({ person, currency: Number(currency), amount, half: units(amount) / 2n })),
  );
  const had = free(wanted);
  const poor = wanted.filter(({ half }, index) => had[index] < half);
  if (poor.length === 0) return;
  const places = granted(
    poor.map(({ person, currency }) => ({
      person,
      method: 'POST',
      path: '/api/wallet/get_in_address',
      fields: { currency },
    })),
  );
  granted(
    poor.map(({ currency, amount }, index) => ({
      method: 'POST',
      path: '/dev/chain/deposit',
      // On a shared address the memo identifies the owner of a deposit.
      fields: { address: places[index].message, memo: places[index].memo || undefined, number: amount, currency },
    })),
  );
  ask({ method: 'POST', path: '/dev/chain/blocks', fields: { count: BLOCKS } });
  for (const until = Date.now() + MONEY_MS_MAX; ; sleep(0.5)) {
    const now = free(poor);
    const waiting = poor.filter(({ half }, index) => now[index] < half);
    if (waiting.length === 0) return;
    if (Date.now() > until)
      throw new Error(
        `deposits of coins ${[...new Set(waiting.map(({ currency }) => currency))]} were not booked within ${MONEY_MS_MAX} ms`,
      );
  }
}

/**
 * Returns the available balances of a coin.
 * @param {{ person: Person, currency: number }[]} questions
 */
const free = (questions, account = 'change') =>
  granted(
    questions.map(({ person, currency }) => ({
      person,
      method: 'POST',
      path: '/api/wallet/detail',
      fields: { currency },
    })),
  ).map(({ message }) => units(message[`${account}_balance`]));
