import { expect, test } from '@jest/globals';
import { connect, eventually, get, post, trader } from './client.js';

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
