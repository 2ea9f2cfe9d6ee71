import { appendFileSync } from 'node:fs';
import { describe, expect, jest, test } from '@jest/globals';
import { balanceOf, connect, eventually, get, post, trader, type Fields } from './client.js';
import { offShelf, sellAd, taken } from './deal-room.js';
import { certified, done, FUND } from './people.js';

jest.setTimeout(120_000);

const BTC_USDT = { legal_id: 3, currency_id: 1 };
interface Notice {
  id: number;
  title: string;
  content: string;
}
interface Pushed extends Notice {
  user_seq: number;
}
const place = async (token: string, fields: Record<string, string | number>): Promise<string> => {
  const { body } = await post('/api/coin/trade', { ...BTC_USDT, ...fields }, { token });
  expect(body).toMatchObject({ type: 'ok' });
  return body['id'] as string;
};
const filledOf = async (token: string): Promise<Notice[]> => {
  const { body } = await post('/api/notice/list', { limit: 50 }, { token });
  return (body.message as { list: Notice[] }).list.filter(({ title }) => title.startsWith('Order filled'));
};

/** Two people trade with one another: each order tells its owner once, when it is filled completely. */
test('an order tells its owner once, when it is filled completely, and pushes it [NOTICE-022]', async () => {
  const [seller, buyer] = [await trader(1), await trader(2)];
  for (const token of [seller, buyer]) await post('/api/coin/cancel_all', BTC_USDT, { token });
  const before = { seller: (await filledOf(seller)).length, buyer: (await filledOf(buyer)).length };
  const socket = await connect(seller);
  const pushed: Pushed[] = [];
  socket.on('notice', (notice: Pushed) => pushed.push(notice));
  const { body } = await get('/api/user/info', {}, { token: seller });
  await socket.emitWithAck('login', (body.message as { id: number }).id);
  try {
    await place(seller, { type: 2, target_price: '56000', amount: '0.03' });
    await place(buyer, { type: 1, target_price: '56000', amount: '0.01' });
    await eventually(
      () => filledOf(buyer),
      (list) => list.length === before.buyer + 1,
    );
    expect(await filledOf(seller)).toHaveLength(before.seller);
    await place(buyer, { type: 1, target_price: '56000', amount: '0.02' });
    const [notice] = await eventually(
      () => filledOf(seller),
      (list) => list.length === before.seller + 1,
    );
    expect(notice).toMatchObject({ title: 'Order filled: BTC/USDT' });
    expect(notice?.content).toMatch(/0\.0300* BTC at an average price of 56000\.\d+ USDT/);
    await eventually(
      () => Promise.resolve(pushed.map(({ id }) => id)),
      (ids) => ids.includes(notice?.id ?? 0),
    );
  } finally {
    socket.close();
  }
});

interface Shown extends Notice {
  is_read: 0 | 1;
}
async function inbox(token: string, lang = 'en'): Promise<{ list: Shown[]; unread: number }> {
  const body = await done(() => post('/api/notice/list', { limit: 50 }, { token, headers: { lang } }));
  return { list: (body.message as { list: Shown[] }).list, unread: body['unread'] as number };
}
/**
 * Waits for a notice that was not there before, of this title; then it is read as people do: one more is unread until
 * it is opened, in German.
 */
async function arrives(
  token: string,
  known: readonly number[],
  title: string,
  german: { readonly title: string; readonly says: string },
): Promise<void> {
  const fresh = ({ list }: { list: Shown[] }): Shown[] =>
    list.filter((notice) => notice.title === title && !known.includes(notice.id));
  const found = await eventually(
    () => inbox(token),
    (box) => fresh(box).length > 0,
    30_000,
  );
  const [notice, ...more] = fresh(found);
  expect([notice!.is_read, more]).toEqual([0, []]);
  const opened = await done(() => post('/api/notice/detail', { id: notice!.id }, { token, headers: { lang: 'de' } }));
  expect(opened.message).toMatchObject({ id: notice!.id, title: german.title, is_read: 1 });
  expect((opened.message as Notice).content).toContain(german.says);
  const after = await inbox(token);
  expect(after.list.find(({ id }) => id === notice!.id)).toMatchObject({ is_read: 1 });
  const isOld = ({ id }: Shown): boolean => found.list.some((one) => one.id === id);
  const newer = after.list.filter((one) => !isOld(one) && one.is_read === 0).length;
  expect(after.unread).toBe(found.unread - 1 + newer);
}
const idsOf = async (token: string): Promise<number[]> => (await inbox(token)).list.map(({ id }) => id);

describe('what money does is told, unread until it is opened, in the language of the reader', () => {
  test('a deposit is seen and credited, a withdrawal received, sent and completed [NOTICE-023]', async () => {
    const [usdt, tron] = [3, 4];
    const { token } = await certified();
    const { message: address } = await done(() =>
      post('/api/wallet/get_in_address', { currency: usdt, type: tron }, { token }),
    );
    const before = await idsOf(token);
    await done(() =>
      post('/dev/chain/deposit', { address: address as string, number: '500', currency: usdt, type: tron }),
    );
    await done(() => post('/dev/chain/blocks', { count: 1 }));
    await arrives(token, before, 'Deposit on its way', { title: 'Einzahlung unterwegs', says: '500 USDT' });
    await done(() => post('/dev/chain/blocks', { count: 7 }));
    await eventually(
      () => balanceOf(token, usdt),
      ({ change_balance }) => Number(change_balance) === 500,
      60_000,
    );
    await arrives(token, before, 'Deposit credited', { title: 'Einzahlung gutgeschrieben', says: '500 USDT' });
    const known = await idsOf(token);
    const fields: Fields = { address: 'TLa2f6VPqDgRE67v1736s7bJ8Ray5wYjU7', number: '150', currency: usdt, type: tron };
    await done(() => post('/api/wallet/out', { ...fields, pay_password: FUND }, { token }));
    await arrives(token, known, 'Withdrawal received', { title: 'Auszahlung angenommen', says: '150 USDT' });
    await eventually(
      async () =>
        (await done(() => get('/api/wallet/out_list', {}, { token }))).message as { data: { tx_id: string }[] },
      ({ data }) => data[0]?.tx_id !== '',
      60_000,
    );
    await arrives(token, known, 'Withdrawal sent', { title: 'Auszahlung gesendet', says: '150 USDT' });
    await done(() => post('/dev/chain/blocks', { count: 8 }));
    await arrives(token, known, 'Withdrawal completed', { title: 'Auszahlung abgeschlossen', says: '150 USDT' });
  });

  test('a position that its take-profit has closed [NOTICE-024]', async () => {
    const token = await trader(1);
    const markIs = async (price: string): Promise<void> => {
      appendFileSync(process.env['BOURSE_FEED']!, `${JSON.stringify({ symbol: 'BTC/USDT', price })}\n`);
      await eventually(
        async () =>
          ((await post('/api/lever/deal', BTC_USDT, { token })).body.message as { mark_price: string }).mark_price,
        (mark) => mark === price,
        10_000,
      );
    };
    await markIs('60000.00');
    const known = await idsOf(token);
    try {
      await done(() =>
        post(
          '/api/wallet/change',
          { currency_id: 3, number: '500', from_field: 'change', to_field: 'lever' },
          { token },
        ),
      );
      const position: Fields = { ...BTC_USDT, type: 1, status: 1, multiple: 20, share: 1 };
      await done(() => post('/api/lever/submit', { ...position, target_profit_price: '61000' }, { token }));
      await markIs('61010.00');
      await arrives(token, known, 'Take-profit reached: BTC/USDT', {
        title: 'Take-Profit erreicht: BTC/USDT',
        says: 'USDT',
      });
    } finally {
      await post('/api/lever/batch_close', { type: 0 }, { token });
      await markIs('56637.56');
    }
  });

  test('a deal that somebody opens on an ad [NOTICE-025]', async () => {
    const [owner, taker] = [await trader(1), await trader(2)];
    const [known, others] = [await idsOf(owner), await idsOf(taker)];
    const ad = await sellAd(owner);
    try {
      const id = await taken(taker, ad);
      await arrives(owner, known, 'New deal', { title: 'Neuer Handel', says: '10 USDT' });
      // Who opened it knows.
      const ofTaker = (await inbox(taker)).list.filter((one) => !others.includes(one.id));
      expect(ofTaker.map(({ title }) => title)).not.toContain('New deal');
      await done(() => post('/api/c2c/user_legal_pay_cancel', { id, password: FUND }, { token: taker }));
      await arrives(owner, known, 'Deal cancelled', { title: 'Handel storniert', says: '10 USDT' });
    } finally {
      await offShelf(owner, ad);
    }
  });
});
