import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { readdirSync, readFileSync } from 'node:fs';
import { DEMO_PEOPLE } from '@bourse/contract';
import { eventually, testTimeoutMs } from '@bourse/testing/eventually';
import { AuthDatabase } from '../../src/shared/application/ports/database.js';
import { People, type PaymentSettings } from '../../src/shared/application/ports/people.js';
import { DemoPictures } from '../../src/seed/demo-pictures.js';
import { startAuth, type AuthProcess } from './auth-process.js';

jest.setTimeout(testTimeoutMs(24_000));

let auth: AuthProcess;
beforeAll(async () => {
  auth = await startAuth();
});
afterAll(async () => {
  await auth.end();
});
const PAID = DEMO_PEOPLE.filter(({ payment }) => payment).map(({ id }) => id);
const paymentOf = async (id: number): Promise<PaymentSettings> => {
  const payment = await auth.get$(People).paymentOf(auth.get$(AuthDatabase), id);
  if (!payment) throw new Error(`${id} has no payment settings`);
  return payment;
};
const picturesOf = async (id: number): Promise<string[]> => {
  const { alipayCollect, wechatCollect } = await paymentOf(id);
  return [alipayCollect, wechatCollect];
};
/** Puts the settings of somebody as given, as a save would. */
const set = async (id: number, pictures: Partial<PaymentSettings>): Promise<void> => {
  const payment = await paymentOf(id);
  await auth.get$(AuthDatabase).transaction((tx) => auth.get$(People).setPayment(tx, id, { ...payment, ...pictures }));
};
const whole = async (): Promise<void> => {
  await eventually(async () => !(await Promise.all(PAID.map(picturesOf))).flat().includes(''));
};

test('each of the demo people has two pictures, claimed in their own name [AUTH-143]', async () => {
  await whole();
  const named = await Promise.all(PAID.map(picturesOf));
  expect(new Set(named.flat()).size).toBe(2 * PAID.length);
  for (const [place, names] of named.entries())
    for (const name of names) expect(auth.uploads.get(name)).toEqual({ userId: PAID[place], scene: 'pay' });
});

test('an older install gets the missing pictures, and keeps those that a person has chosen [AUTH-143]', async () => {
  await whole();
  const [first = 0, second = 0] = PAID;
  await set(first, { alipayCollect: '', wechatCollect: '', bankName: 'Quay Bank' });
  await set(second, { alipayCollect: 'own-alipay.png', wechatCollect: 'own-wechat.png' });
  auth.get$(DemoPictures).start();
  await whole();
  expect(await paymentOf(first)).toMatchObject({
    bankName: 'Quay Bank',
    alipayCollect: expect.stringContaining(`demo_picture_of_${first}`),
  });
  expect(await picturesOf(second)).toEqual(['own-alipay.png', 'own-wechat.png']);
});

test('there is a picture for each of them, and no other [AUTH-143]', () => {
  const folder = new URL('../../src/seed/pictures/', import.meta.url);
  const expected = DEMO_PEOPLE.filter(({ payment }) => payment).flatMap(({ email }) =>
    ['alipay', 'wechat'].map((way) => `${way}-${email.split('@')[0]}.png`),
  );
  expect(readdirSync(folder).sort()).toEqual(expected.sort());
  const contents = expected.map((name) => readFileSync(new URL(name, folder)).toString('base64'));
  expect(new Set(contents).size).toBe(expected.length);
});
