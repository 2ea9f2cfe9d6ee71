import { expect, seriousBarriers, test, until } from '@bourse/web/testing';
import { BASE, demoSession, holdSession, visit } from '../../../../test/browser.js';

// Moves the business clock over a midnight: no other test is beside it.

const DAY_MS = 86_400_000;
/** Rebates are paid at 00:05 UTC. */
const PAID_MS = 5 * 60_000;
const BTC_USDT = { legal_id: '3', currency_id: '1' };

interface Told {
  readonly type: string;
  readonly message: unknown;
  readonly id?: string;
}
async function call(path: string, fields: Record<string, string> | undefined, token = ''): Promise<Told> {
  const response = await fetch(`${BASE}${path}`, {
    headers: { authorization: token },
    ...(fields ? { method: 'POST', body: new URLSearchParams(fields) } : {}),
  });
  return (await response.json()) as Told;
}

async function placeOrder(fields: Record<string, string>, token: string): Promise<string> {
  const body = await call('/api/coin/trade', fields, token);
  if (body.id === undefined) throw new Error(`the order was refused: ${JSON.stringify(body)}`);
  return body.id;
}

interface Rebate {
  readonly value: string;
  readonly currency_name: string;
  readonly info: string;
}

test('rebates of a trade are on the pages of its inviters after midnight [TERM-TEAM-012] [TIMER-010]', async () => {
  const [seller, buyer] = [await demoSession('trader3@demo.bourse'), await demoSession('trader1@demo.bourse')];
  const { last_price: price } = (await call('/api/transaction/deal', BTC_USDT)).message as { last_price: string };
  const order = { ...BTC_USDT, amount: '0.01' };
  // The best bid buys it, this one or that of a house account: the seller pays a fee to either.
  await placeOrder({ ...order, type: '1', target_price: price }, buyer.token);
  const sale = await placeOrder({ ...order, type: '2', order_type: 'market' }, seller.token);
  await until(
    async () => (await call(`/api/coin/order?id=${sale}`, undefined, seller.token)).message as { status: number },
    ({ status }) => status === 2,
  );

  const { now } = (await call('/dev/clock', undefined)).message as { now: number };
  const midnight = (Math.floor(now / DAY_MS) + 1) * DAY_MS;
  await until(
    () => call('/dev/clock', { set: String(midnight + 2 * PAID_MS) }),
    ({ type }) => type === 'ok',
  );
  for (const account of ['trader2@demo.bourse', 'trader1@demo.bourse']) {
    const session = await demoSession(account);
    const [newest] = await until(
      async () =>
        ((await call('/api/profits/show_profits?page=1', undefined, session.token)).message as { data: Rebate[] }).data,
      (rows) => rows.length > 0,
    );
    const { page, context, complaints } = await visit();
    await holdSession(context, session);
    await page.goto(`${BASE}/account/profit`);
    const value = newest!.value.replace(/\.?0+$/, '');
    const row = page
      .getByRole('row')
      .filter({ hasText: `${value} ${newest!.currency_name}` })
      .first();
    // Its words are those of the page's language, which need not be the one that the call was answered in.
    const [day = 'no day'] = /\d{4}-\d\d-\d\d/.exec(newest!.info) ?? [];
    await row.getByText(day).first().waitFor();
    expect(await page.getByText('No rebates yet.').count()).toBe(0);
    expect(await seriousBarriers(page, { without: ['region'] })).toEqual([]);
    expect(complaints).toEqual([]);
  }
});
