import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import type { OrderUpdatePush } from '@bourse/contract';
import type { Message } from '../define.js';
import type { ToldPayload } from './event.v1.js';
import { balanceUpdate, orderUpdate, readUserEvent } from './packed.v1.js';

const USER = 100_001;
const stored = (name: string): Message =>
  JSON.parse(readFileSync(new URL(`../../samples/${name}.json`, import.meta.url), 'utf8')) as Message;
const payloadOf = (message: Message): object => {
  const read = readUserEvent(message);
  if (!read.ok) throw new Error(read.error);
  return read.body.payload;
};

test('an order update is read with all its fields, with and without a fill [EVENT-005]', () => {
  const update = payloadOf(stored('user.order.v1')) as Pick<OrderUpdatePush, 'order' | 'fill'>;
  expect(update).toMatchObject({
    order: { id: '4611686018427387904', client_order_id: 'mine', filled_amount: '0.200000', stop_loss: '0.00' },
    fill: { id: 'BTC/USDT-17', role: 'maker', ts: 1_795_834_801_000 },
  });
  for (const one of [update, { ...update, fill: null }])
    for (const isPacked of [true, false])
      expect(readUserEvent(orderUpdate(USER, one, { isPacked }))).toEqual({
        ok: true,
        body: { userId: USER, event: 'order_update', payload: one },
      });
  expect(orderUpdate(USER, update, { isPacked: true })).toEqual(stored('user.order.v1'));
});

test('a balance update is read with all its fields, and so is the form of earlier versions [EVENT-005]', () => {
  const before = stored('user.event.v1').body as { payload: ToldPayload<'balance_update'> };
  expect(readUserEvent(stored('user.balances.v1'))).toEqual({ ok: true, body: before });
  expect(readUserEvent(stored('user.event.v1'))).toEqual({ ok: true, body: before });
  for (const isPacked of [true, false])
    expect(readUserEvent(balanceUpdate(USER, before.payload, { isPacked }))).toEqual({ ok: true, body: before });
  expect(balanceUpdate(USER, before.payload, { isPacked: true })).toEqual(stored('user.balances.v1'));
});

test('values that are too few are a value for the reader [EVENT-005]', () => {
  const { body, ...message } = stored('user.order.v1') as Message<{ order: unknown[] }>;
  expect(readUserEvent({ ...message, body: { ...body, order: body.order.slice(1) } }).ok).toBe(false);
});
