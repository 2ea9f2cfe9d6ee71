import { call, FUND, funded, upload, type Person } from '@bourse/web/testing';

const USDT = 3;

/** Somebody certified with a fund password and this much USDT. */
export const rich = (number: string): Promise<Person> => funded({ change: { [USDT]: number } });
/** What the person can spend of USDT. */
export async function balance(token: string): Promise<string> {
  const { message } = await call('/api/wallet/detail', { currency: USDT }, token);
  return (message as { change_balance: string }).change_balance;
}

/** An ad of this person that sells a few USDT, with their fee in the fiat account; its number. */
export async function sellAd({ token }: Person): Promise<string> {
  await call('/api/wallet/change', { number: '30', currency_id: USDT, from_field: 'change', to_field: 'legal' }, token);
  const ad = { total_number: 20, price: '6.50', way: 'bank', coin_code: 'CNY', currency_id: USDT, type: 'sell' };
  return String((await call('/api/c2c_send', { ...ad, password: FUND }, token))['id']);
}
/** A deal of these two whose buyer has paid and appealed. */
export async function appealOf(
  owner: Person,
  { token }: Person,
): Promise<{ readonly id: string; readonly deal: string }> {
  const { id } = await call('/api/c2c/do_legal_deal', { id: await sellAd(owner), password: FUND }, token);
  const deal = id as string;
  await call('/api/c2c/user_legal_pay', { id: deal, password: FUND }, token);
  const said = { id: deal, reason: 'I have paid and nothing came', evidence: await upload(token, 'evidence') };
  const { appeal } = await call('/api/c2c/appeal', said, token);
  return { id: (appeal as { id: string }).id, deal };
}
