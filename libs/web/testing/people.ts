import { randomBytes, randomInt } from 'node:crypto';
import { call, codeFor, type Fields, PASSWORD, signIn, until, upload } from './calls.js';

/*
 * People of a test's own: what is done to them disturbs no other test, so that files run side by side on one exchange.
 */

/** Fund password of the people made here. */
export const FUND = 'fund66';
const USDT = 3;
const TRC20 = 4;
const REASON = 'a person of the tests';

export interface Person {
  readonly id: number;
  readonly account: string;
  readonly token: string;
}
/** Amounts by account (`change`, which is spot, `legal`, `lever`, `micro`) and number of the coin. */
export type Funds = Readonly<Record<string, Readonly<Record<number, string>>>>;

/** A person who has just registered, signed in. */
export async function newcomer(): Promise<Person> {
  const account = `t${randomBytes(6).toString('hex')}@example.org`;
  const code = await codeFor(account, 'register');
  const fields = { type: 'email', user_string: account, code, password: PASSWORD, re_password: PASSWORD };
  // A busy exchange that gives no answer may have registered the person all the same: then the code is used up.
  const refusal = await call('/api/user/register', fields).then(
    () => undefined,
    (error: unknown) => error,
  );
  const session = await signIn(account).catch((error: unknown) => {
    throw refusal ?? error;
  });
  return { account, ...session };
}

/** A person who may trade and withdraw: with a fund password, and documents that support has approved. */
export async function certified(): Promise<Person> {
  const person = await newcomer();
  const { account, token } = person;
  const code = await codeFor(account, 'fund', token);
  await call('/api/safe/update_password', { password: FUND, re_password: FUND, code }, token);
  const [front_pic, reverse_pic] = [await upload(token, 'kyc'), await upload(token, 'kyc')];
  const papers = { name: 'Test Person', card_id: `P${randomInt(1e8, 1e9)}`, front_pic, reverse_pic };
  await call('/api/user/real_name', papers, token);
  const decision = { user_id: person.id, pass: 1, reason: REASON };
  await call('/api/admin/kyc/decide', decision, await operatorToken('support1'));
  return person;
}

/**
 * Credits these amounts to a person: USDT by an adjustment of two operators of finance, from the capital of the house;
 * other coins, of which the house has none, by the simulated chain, into the spot account.
 */
export async function credit(person: Person, funds: Funds): Promise<void> {
  const [asking, approving] = [await operatorToken('finance1'), await operatorToken('finance2')];
  const why = { reason: REASON, reason_code: 'goodwill', note: REASON };
  for (const [account, amounts] of Object.entries(funds))
    for (const [coin, amount] of Object.entries(amounts)) {
      if (Number(coin) !== USDT) {
        if (account !== 'change') throw new Error(`Coin ${coin} comes into the spot account alone`);
        await deposit(person, amount, Number(coin));
        continue;
      }
      const fields = { user_id: person.id, currency_id: USDT, account, amount, ...why };
      const asked = await call('/api/admin/adjustments/create', fields, asking);
      await call('/api/admin/adjustments/approve', { id: asked['id'] as number, ...why }, approving);
    }
}
/** A certified person with these amounts. */
export async function funded(funds: Funds): Promise<Person> {
  const person = await certified();
  await credit(person, funds);
  return person;
}

/** A person with these amounts who trades with others. */
export async function merchant(funds: Funds): Promise<Person> {
  const person = await funded(funds);
  await withBank(person);
  return person;
}
/** Sends coins to a person by the simulated chain, and waits until they are credited. */
export async function deposit({ token }: Person, number: string, currency = USDT): Promise<void> {
  const coin: Fields = currency === USDT ? { currency, type: TRC20 } : { currency };
  const available = async (): Promise<unknown> =>
    ((await call('/api/wallet/detail', { currency }, token))['message'] as Record<string, unknown>)['change_balance'];
  const before = await available();
  const { message: address } = await call('/api/wallet/get_in_address', coin, token);
  await call('/dev/chain/deposit', { ...coin, address: address as string, number });
  await call('/dev/chain/blocks', { count: 8 });
  await until(available, (now) => now !== before);
}

/** Sets this person's payment account: a party of deals must have one. */
export async function withBank({ token }: Person): Promise<void> {
  const picture = await upload(token, 'pay');
  const bank = { real_name: 'Ines Duarte', bank_name: 'Banco do Porto', bank_account: 'PT50 0001' };
  const others = { alipay_account: 'ines', alipay_collect: picture, wechat_account: 'ines', wechat_nickname: 'Ines' };
  await call('/api/user/cash_save', { ...bank, ...others, wechat_collect: picture }, token);
}

const operators = new Map<string, Promise<string>>();
/** Session of an operator of the demo, signed in by the API once per worker. */
export function operatorToken(username: string): Promise<string> {
  const known =
    operators.get(username) ??
    call('/api/admin/login', { username, password: PASSWORD }).then(({ message }) => message as string);
  operators.set(username, known);
  return known;
}
