import { randomInt } from 'node:crypto';
import { call, codeFor, newcomer, until, upload, type Newcomer } from './calls.js';
import { REASON } from './pages.js';
import { PASSWORD } from './visitors.js';

/** Fund password of those who are made here. */
export const FUND = 'fund66';
const USDT = 3;
const TRC20 = 4;

/** Somebody certified with a fund password and this much USDT, come by the simulated chain. */
export async function rich(number: string): Promise<Newcomer> {
  const person = await newcomer();
  const { account, token } = person;
  const code = await codeFor(account, 'fund', token);
  await call('/api/safe/update_password', { password: FUND, re_password: FUND, code }, token);
  const [front_pic, reverse_pic] = [await upload(token, 'kyc'), await upload(token, 'kyc')];
  const papers = { name: 'Cash Test', card_id: `P${randomInt(1e8, 1e9)}`, front_pic, reverse_pic };
  await call('/api/user/real_name', papers, token);
  const { message: support } = await call('/api/admin/login', { username: 'support1', password: PASSWORD });
  await call('/api/admin/kyc/decide', { user_id: person.id, pass: 1, reason: REASON }, support as string);
  const { message: address } = await call('/api/wallet/get_in_address', { currency: USDT, type: TRC20 }, token);
  await call('/dev/chain/deposit', { address: address as string, number, currency: USDT, type: TRC20 });
  await call('/dev/chain/blocks', { count: 8 });
  await until(
    () => balance(token),
    (now) => now !== '0.00000000',
  );
  return person;
}
/** What the person can spend of USDT. */
export async function balance(token: string): Promise<string> {
  const { message } = await call('/api/wallet/detail', { currency: USDT }, token);
  return (message as { change_balance: string }).change_balance;
}

/** Signs an operator in by the API. */
export const operatorToken = async (username: string): Promise<string> =>
  (await call('/api/admin/login', { username, password: PASSWORD }))['message'] as string;

/** Says where this person is paid: who trades with others must. */
export async function withBank({ token }: Newcomer): Promise<void> {
  const picture = await upload(token, 'pay');
  const bank = { real_name: 'Ines Duarte', bank_name: 'Banco do Porto', bank_account: 'PT50 0001' };
  const others = { alipay_account: 'ines', alipay_collect: picture, wechat_account: 'ines', wechat_nickname: 'Ines' };
  await call('/api/user/cash_save', { ...bank, ...others, wechat_collect: picture }, token);
}
/** An ad of this person that sells a few USDT, with their fee in the fiat account; its number. */
export async function sellAd({ token }: Newcomer): Promise<string> {
  await call('/api/wallet/change', { number: '30', currency_id: USDT, from_field: 'change', to_field: 'legal' }, token);
  const ad = { total_number: 20, price: '6.50', way: 'bank', coin_code: 'CNY', currency_id: USDT, type: 'sell' };
  return String((await call('/api/c2c_send', { ...ad, password: FUND }, token))['id']);
}
/** A deal of these two whose buyer has paid and appealed. */
export async function appealOf(
  owner: Newcomer,
  { token }: Newcomer,
): Promise<{ readonly id: string; readonly deal: string }> {
  const { id } = await call('/api/c2c/do_legal_deal', { id: await sellAd(owner), password: FUND }, token);
  const deal = id as string;
  await call('/api/c2c/user_legal_pay', { id: deal, password: FUND }, token);
  const said = { id: deal, reason: 'I have paid and nothing came', evidence: await upload(token, 'evidence') };
  const { appeal } = await call('/api/c2c/appeal', said, token);
  return { id: (appeal as { id: string }).id, deal };
}
