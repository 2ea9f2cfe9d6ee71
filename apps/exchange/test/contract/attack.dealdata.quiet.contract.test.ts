import { createHash, createHmac } from 'node:crypto';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { io, type Socket } from 'socket.io-client';
import { eventuallySatisfied, testTimeoutMs } from '@bourse/testing/eventually';
import { BASE, call, get, post } from './client.js';
import * as room from './deal-room.js';
import { createMerchants, done, FUND, PAYMENT, type Person } from './people.js';

/* Only the two sides of a deal read its chat and personal data, and only while it runs (attack L1, L11). */
jest.setTimeout(testTimeoutMs(75_000));

interface Key {
  readonly key: string;
  readonly secret: string;
}
interface Event {
  readonly event: string;
  readonly payload: { readonly user_seq: number; readonly line: { id: number; text: string; image: string } };
}
let [seller, buyer]: [Person, Person] = [] as never;
let key: Key;
let socket: Socket;
let [ad, id] = [0, ''];
const SECRET_TEXT = 'my account is 4000 9999';

const sign = ({ secret }: Key, path: string, timestamp: string): string =>
  createHmac('sha256', secret)
    .update(['GET', path, timestamp, createHash('sha256').update('').digest('hex')].join('\n'))
    .digest('hex');
async function byKey(path: string): Promise<string> {
  const timestamp = String(Date.now());
  const headers = { 'x-api-key': key.key, 'x-api-timestamp': timestamp, 'x-api-signature': sign(key, path, timestamp) };
  return (await fetch(`${BASE}${path}`, { headers })).text();
}

beforeAll(async () => {
  [seller, buyer] = (await createMerchants(2, { legal: { [room.USDT]: '5000' } })) as unknown as [Person, Person];
  const fields = { label: 'deals', permissions: 'read', password: FUND };
  key = (await done(post('/api/apikey', fields, { token: buyer.token }))).message;
  const timestamp = String(Date.now());
  const auth = { key: key.key, timestamp, signature: sign(key, '/socket.io', timestamp) };
  socket = io(BASE, { auth, transports: ['websocket'], forceNew: true, reconnection: false });
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve);
    socket.once('connect_error', reject);
  });
  await new Promise((resolve) => socket.emit('login', key.key, resolve));
  ad = await room.sellAd(seller.token);
  id = await room.taken(buyer.token, ad);
});
afterAll(async () => {
  socket.close();
  await room.offShelf(seller.token, ad);
  await call('DELETE', '/api/apikey', { key: key.key, password: FUND }, { token: buyer.token });
});

test('a program is notified of a new line by its number, without text and picture [HARD-444]', async () => {
  const before = JSON.parse(await byKey('/api/stream/since?user_seq=0')) as { message: { user_seq: number } };
  const heard: Event['payload'][] = [];
  socket.on('c2c_chat', (payload: Event['payload']) => heard.push(payload));
  await done(room.say(seller.token, id, { text: SECRET_TEXT }));
  await eventuallySatisfied(
    () => heard,
    (found) => found.length > 0,
  );
  expect(heard[0]).toMatchObject({ deal_id: id, line: { from: 'seller', text: '', image: '' } });
  const path = `/api/stream/since?user_seq=${before.message.user_seq}`;
  const missed = await byKey(path);
  expect(missed).not.toContain(SECRET_TEXT);
  const { events } = (JSON.parse(missed) as { message: { events: Event[] } }).message;
  const mine = events.find(({ event }) => event === 'c2c_chat')?.payload;
  expect(mine).toEqual(heard[0]);
  // The person has all of it, under the same number.
  const { message } = await done(get(path.split('?')[0]!, { user_seq: before.message.user_seq }, buyer));
  const own = (message as { events: Event[] }).events.find(({ event }) => event === 'c2c_chat')?.payload;
  expect(own).toMatchObject({ user_seq: heard[0]!.user_seq, line: { id: heard[0]!.line.id, text: SECRET_TEXT } });
});

test('no call by an API key has the text, the pictures or the data of the other side [HARD-444]', async () => {
  const deal = await room.dealOf(buyer.token, id);
  expect(deal).toMatchObject({ seller_name: seller.account, account_number: expect.stringMatching(/^B/) });
  const personal = [seller.account, PAYMENT.bank_account, deal.seller_phone, SECRET_TEXT, '/api/upload/'];
  for (const path of [
    `/api/c2c_deal?id=${id}`,
    '/api/c2c_user_deal',
    `/api/c2c/chat?id=${id}`,
    `/api/c2c/appeal?id=${id}`,
  ])
    for (const text of personal.filter((each) => each !== '')) expect(await byKey(path)).not.toContain(text);
  expect(await byKey(`/api/c2c_deal?id=${id}`)).toContain('"deal_money":"65.00"');
});

test('after a cancel the two sides read nothing personal of each other [HARD-443] [HARD-445]', async () => {
  await done(room.cancel(buyer.token, id));
  for (const { token } of [seller, buyer]) {
    const deal = await room.dealOf(token, id);
    expect(deal).toMatchObject({ ...{ seller_phone: '', phone: '', hes_realname: '' }, sell_cash_info: null });
    expect([deal.seller_name, deal.account_number].every((name) => name.includes('****'))).toBe(true);
    const document = await (
      await fetch(`${BASE}/api/c2c/transcript?id=${id}`, { headers: { authorization: token } })
    ).text();
    expect(document).not.toContain('Test Person');
  }
});
