import type { Appeal, ChatLine, Deal } from '@bourse/contract';
import { eventuallySatisfied } from '@bourse/testing/eventually';
import { balanceOf, get, post, type Fields } from './client.js';
import { advance } from './dev-clock.js';
import { done, FUND, operator, saveSetting } from './people.js';

/*
 * Deals between two people of a demo install, for tests of deals, appeals and chats. Runs where the clock may be moved.
 */

export const USDT = 3;
export const REASON = 'a contract test of appeals';

/** Publishes a sell ad; the test withdraws it. */
export async function sellAd(owner: string, fields: Fields = {}): Promise<number> {
  const { id } = await done(
    post(
      '/api/c2c_send',
      {
        ...{ total_number: '100', price: '6.50', way: 'bank', coin_code: 'CNY', currency_id: USDT, type: 'sell' },
        ...{ password: FUND, ...fields },
      },
      { token: owner },
    ),
  );
  return id;
}
export const offShelf = (owner: string, id: number) =>
  done(post('/api/c2c/back_send', { id, password: FUND }, { token: owner }));
export async function taken(taker: string, id: number, number = '10'): Promise<string> {
  const body = await done(post('/api/c2c/do_legal_deal', { id, number, password: FUND }, { token: taker }));
  return body.id;
}
const act =
  (call: string) =>
  (token: string, id: string, fields: Fields = {}) =>
    post(`/api/c2c/${call}`, { id, password: FUND, ...fields }, { token });
export const pay = act('user_legal_pay');
export const cancel = act('user_legal_pay_cancel');
export const confirm = act('legal_deal_sure');
export const appeal = (token: string, id: string, fields: Fields = {}, key?: string) =>
  post(
    '/api/c2c/appeal',
    { id, reason: 'I have paid and nothing came', ...fields },
    { token, ...(key === undefined ? {} : { headers: { 'idempotency-key': key } }) },
  );
export const evidence = act('appeal_evidence');
export const takeBack = act('appeal_cancel');
export const say = (token: string, id: string, fields: Fields) => post('/api/c2c/chat', { id, ...fields }, { token });

export const dealOf = async (token: string, id: string): Promise<Deal> =>
  (await done(get('/api/c2c_deal', { id }, { token }))).message;
export const appealOf = async (token: string, id: string): Promise<Appeal> =>
  (await done(get('/api/c2c/appeal', { id }, { token }))).message;
export const chatOf = async (token: string, id: string, fields: Fields = {}): Promise<ChatLine[]> =>
  (await done(get('/api/c2c/chat', { id, ...fields }, { token }))).message.list;

/** Opens a deal on a new ad of the owner, and pays it. */
export async function paidDeal(owner: string, taker: string, fields: Fields = {}): Promise<{ ad: number; id: string }> {
  const ad = await sellAd(owner, fields);
  const id = await taken(taker, ad);
  await done(pay(taker, id));
  return { ad, id };
}
/** Opens a deal and lets its deadline cancel it; the ad stays on the shelf. */
export async function expiredDeal(owner: string, taker: string): Promise<{ ad: number; id: string }> {
  const ad = await sellAd(owner, { limit_minutes: 15 });
  const id = await taken(taker, ad);
  await advance(15 * 60);
  await eventuallySatisfied(
    () => dealOf(taker, id),
    ({ is_sure: state }) => state === 2,
  );
  return { ad, id };
}

export const decide = async (id: string, outcome: 'buyer' | 'seller', who = 'finance1') =>
  post('/api/admin/appeals/decide', { id, outcome, reason: REASON }, { token: await operator(who) });

/** Free and held coins of the legal account. */
export async function legal(token: string): Promise<readonly [free: bigint, held: bigint]> {
  const found = await balanceOf(token, USDT);
  const units = (name: 'legal_balance' | 'lock_legal_balance'): bigint => BigInt(found[name].replace('.', ''));
  return [units('legal_balance'), units('lock_legal_balance')];
}
/** Returns the changes since then, in hundred-millionths. */
export async function changed(token: string, before: readonly [bigint, bigint]): Promise<readonly [bigint, bigint]> {
  const [free, held] = await legal(token);
  return [free - before[0], held - before[1]];
}
export const COIN = 100_000_000n;

/** Changes a setting and waits until it is in force; returns a function that restores it. */
export async function setting(key: string, value: string): Promise<() => Promise<void>> {
  const token = await operator('operator');
  const rows = async (): Promise<{ key: string; value: string }[]> =>
    (await done(get('/api/admin/settings', {}, { token }))).message;
  const put = async (wanted: string): Promise<void> => {
    await done(saveSetting(key, wanted));
    await eventuallySatisfied(rows, (found) => found.find((row) => row.key === key)?.value === wanted);
  };
  const before = (await rows()).find((row) => row.key === key)?.value;
  if (before === undefined) throw new Error(`no setting is named ${key}`);
  await put(value);
  return () => put(before);
}
