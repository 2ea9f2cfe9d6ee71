import { appendFileSync } from 'node:fs';
import { describe, expect, jest, test } from '@jest/globals';
import { eventuallySatisfied, testTimeoutMs } from '@bourse/testing/eventually';
import { balanceOf, connect, get, post, type Fields } from './client.js';
import { offShelf, sellAd, taken } from './deal-room.js';
import { createCertified, createMerchants, createTrader, createTraders, done, FUND } from './people.js';

jest.setTimeout(testTimeoutMs(30_000));

const USDT = 3;
/** Markets that no file beside this one trades or feeds. */
const ADA = 7;
const ADA_USDT = { legal_id: USDT, currency_id: ADA };
const XRP_USDT = { legal_id: USDT, currency_id: 4 };
interface Notice {
  id: number;
  title: string;
  content: string;
}
interface Pushed extends Notice {
  kind: string;
  user_seq: number;
}
const place = async (token: string, fields: Record<string, string | number>): Promise<string> => {
  const { body } = await post('/api/coin/trade', { ...ADA_USDT, ...fields }, { token });
  expect(body).toMatchObject({ type: 'ok' });
  return body.id;
};
const filledOf = async (token: string): Promise<Notice[]> => {
  const { body } = await post('/api/notice/list', { limit: 50 }, { token });
  return body.message.list.filter(({ title }) => title.startsWith('Order filled'));
};

/** Two users trade with each other: each owner gets one notice per order, when it is completely filled. */
test('an order notifies its owner once, when it is filled completely, and pushes it [NOTICE-022]', async () => {
  const people = await createTraders(2, { change: { [USDT]: '1000', [ADA]: '1000' } });
  const [seller, buyer] = people.map(({ token }) => token) as [string, string];
  const before = { seller: (await filledOf(seller)).length, buyer: (await filledOf(buyer)).length };
  const socket = await connect(seller);
  const pushed: Pushed[] = [];
  socket.on('notice', (notice: Pushed) => pushed.push(notice));
  const { body } = await get('/api/user/info', {}, { token: seller });
  await socket.emitWithAck('login', body.message.id);
  try {
    await place(seller, { type: 2, target_price: '0.5', amount: '30' });
    await place(buyer, { type: 1, target_price: '0.5', amount: '10' });
    await eventuallySatisfied(
      () => filledOf(buyer),
      (list) => list.length === before.buyer + 1,
    );
    expect(await filledOf(seller)).toHaveLength(before.seller);
    await place(buyer, { type: 1, target_price: '0.5', amount: '20' });
    const [notice] = await eventuallySatisfied(
      () => filledOf(seller),
      (list) => list.length === before.seller + 1,
    );
    expect(notice).toMatchObject({ title: 'Order filled: ADA/USDT' });
    expect(notice?.content).toMatch(/30(\.0+)? ADA at an average price of 0\.50* USDT/);
    await eventuallySatisfied(
      () => Promise.resolve(pushed),
      (all) => all.some(({ id, kind }) => id === notice?.id && kind === 'orderFilled'),
    );
  } finally {
    socket.close();
  }
});

interface Shown extends Notice {
  is_read: 0 | 1;
}
async function inbox(token: string, lang = 'en'): Promise<{ list: Shown[]; unread: number }> {
  const body = await done(post('/api/notice/list', { limit: 50 }, { token, headers: { lang } }));
  return { list: body.message.list, unread: body['unread'] };
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
  const found = await eventuallySatisfied(
    () => inbox(token),
    (box) => fresh(box).length > 0,
    15_000,
  );
  const [notice, ...more] = fresh(found);
  expect([notice!.is_read, more]).toEqual([0, []]);
  const opened = await done(post('/api/notice/detail', { id: notice!.id }, { token, headers: { lang: 'de' } }));
  expect(opened.message).toMatchObject({ id: notice!.id, lang: 'de', title: german.title, is_read: 1 });
  expect(opened.message.content).toContain(german.says);
  const after = await inbox(token);
  expect(after.list.find(({ id }) => id === notice!.id)).toMatchObject({ is_read: 1 });
  const isOld = ({ id }: Shown): boolean => found.list.some((one) => one.id === id);
  const newer = after.list.filter((one) => !isOld(one) && one.is_read === 0).length;
  expect(after.unread).toBe(found.unread - 1 + newer);
}
const idsOf = async (token: string): Promise<number[]> => (await inbox(token)).list.map(({ id }) => id);

describe('movements of money send notices, unread until opened, in the language of the reader', () => {
  test('a deposit is seen and credited, a withdrawal received, sent and completed [NOTICE-023]', async () => {
    const [usdt, tron] = [3, 4];
    const { token } = await createCertified();
    const { message: address } = await done(
      post('/api/wallet/get_in_address', { currency: usdt, type: tron }, { token }),
    );
    const before = await idsOf(token);
    await done(post('/dev/chain/deposit', { address: address, number: '500', currency: usdt, type: tron }));
    await done(post('/dev/chain/blocks', { count: 1 }));
    await arrives(token, before, 'Deposit on its way', { title: 'Einzahlung unterwegs', says: '500 USDT' });
    await done(post('/dev/chain/blocks', { count: 7 }));
    await eventuallySatisfied(
      () => balanceOf(token, usdt),
      ({ change_balance }) => Number(change_balance) === 500,
      20_000,
    );
    await arrives(token, before, 'Deposit credited', { title: 'Einzahlung gutgeschrieben', says: '500 USDT' });
    const known = await idsOf(token);
    const fields: Fields = { address: 'TLa2f6VPqDgRE67v1736s7bJ8Ray5wYjU7', number: '150', currency: usdt, type: tron };
    await done(post('/api/wallet/out', { ...fields, pay_password: FUND }, { token }));
    await arrives(token, known, 'Withdrawal received', { title: 'Auszahlung angenommen', says: '150 USDT' });
    await eventuallySatisfied(
      async () => (await done(get('/api/wallet/out_list', {}, { token }))).message,
      ({ data }) => data[0]?.tx_id !== '',
      20_000,
    );
    await arrives(token, known, 'Withdrawal sent', { title: 'Auszahlung gesendet', says: '150 USDT' });
    await done(post('/dev/chain/blocks', { count: 8 }));
    await arrives(token, known, 'Withdrawal completed', { title: 'Auszahlung abgeschlossen', says: '150 USDT' });
  });

  test('a position that its take-profit has closed [NOTICE-024]', async () => {
    const { token } = await createTrader({ lever: { [USDT]: '500' } });
    const markIs = async (price: string): Promise<void> => {
      appendFileSync(process.env['BOURSE_FEED']!, `${JSON.stringify({ symbol: 'XRP/USDT', price })}\n`);
      await eventuallySatisfied(
        async () => (await post('/api/lever/deal', XRP_USDT, { token })).body.message.mark_price,
        (mark) => mark === price,
      );
    };
    await markIs('2.00000');
    const known = await idsOf(token);
    try {
      const position: Fields = { ...XRP_USDT, type: 1, status: 1, multiple: 20, share: 1 };
      await done(post('/api/lever/submit', { ...position, target_profit_price: '2.1' }, { token }));
      await markIs('2.10100');
      await arrives(token, known, 'Take-profit reached: XRP/USDT', {
        title: 'Gewinnziel erreicht: XRP/USDT',
        says: 'USDT',
      });
    } finally {
      await post('/api/lever/batch_close', { type: 0 }, { token });
    }
  });

  test('a deal that a taker opens on an ad [NOTICE-025]', async () => {
    const people = await createMerchants(2, { legal: { [USDT]: '500' } });
    const [owner, taker] = people.map(({ token }) => token) as [string, string];
    const [known, others] = [await idsOf(owner), await idsOf(taker)];
    const ad = await sellAd(owner);
    try {
      const id = await taken(taker, ad);
      await arrives(owner, known, 'New deal', { title: 'Neuer Handel', says: '10 USDT' });
      // The user who opened it gets no notice.
      const ofTaker = (await inbox(taker)).list.filter((one) => !others.includes(one.id));
      expect(ofTaker.map(({ title }) => title)).not.toContain('New deal');
      await done(post('/api/c2c/user_legal_pay_cancel', { id, password: FUND }, { token: taker }));
      await arrives(owner, known, 'Deal cancelled', { title: 'Handel storniert', says: '10 USDT' });
    } finally {
      await offShelf(owner, ad);
    }
  });
});
