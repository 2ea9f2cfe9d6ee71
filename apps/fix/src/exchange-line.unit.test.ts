import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { Stream, type OrderAnswer } from '@bourse/sdk';
import { ExchangeLine, OutcomeUnknown } from './exchange-line.js';

let line: ExchangeLine;
/** What the exchange says to one try after the other. */
let answers: (OrderAnswer | 'lost')[];
const refused = (key: string): OrderAnswer => ({ status: 200, answer: { type: 'error', key } });
const DONE: OrderAnswer = { status: 200, answer: { type: 'ok' } };

beforeEach(async () => {
  jest.spyOn(Stream.prototype, 'ready').mockResolvedValue();
  jest.spyOn(Stream.prototype, 'order').mockImplementation(() => {
    const next = answers.shift() ?? 'lost';
    return next === 'lost' ? Promise.reject(new Error('lost')) : Promise.resolve(next);
  });
  line = await ExchangeLine.open('http://127.0.0.1:1', { key: 'k', timestamp: '1', signature: 's', address: '::1' });
});
afterEach(() => {
  line.close();
  jest.restoreAllMocks();
});

test('after a lost answer refusals of gates and rates are not the outcome of a request [FIX-023]', async () => {
  answers = ['lost', refused('auth.frozen'), refused('common.tooMany'), DONE];
  expect(await line.ask('order.place', {}, 'key-of-mine')).toBe(DONE);
  answers = ['lost', refused('trade.notOpen')];
  expect((await line.ask('order.cancel', {}, 'key-of-mine')).answer.key).toBe('trade.notOpen');
  answers = ['lost', refused('kyc.required')];
  const unknown = line.ask('order.place', {}, 'key-of-mine');
  line.close();
  await expect(unknown).rejects.toBeInstanceOf(OutcomeUnknown);
});

test('a line that closes ends its requests at once [FIX-025]', async () => {
  jest.spyOn(Stream.prototype, 'order').mockImplementation(() => new Promise(() => undefined));
  const unknown = line.ask('order.place', {}, 'key-of-mine');
  line.close();
  await expect(unknown).rejects.toBeInstanceOf(OutcomeUnknown);
});

test.each(['auth.frozen', 'common.tooMany'])('without a lost answer %s is the outcome [FIX-023]', async (key) => {
  answers = [refused(key)];
  expect((await line.ask('order.place', {}, 'key-of-mine')).answer.key).toBe(key);
});

test('a defect of the exchange is not the outcome of a command; of a question it is [FIX-120]', async () => {
  const defect: OrderAnswer = { status: 500, answer: { type: 'error', key: 'common.defect' } };
  answers = [defect, refused('auth.frozen'), DONE];
  expect(await line.ask('order.place', {}, 'key-of-mine')).toBe(DONE);
  answers = [defect];
  expect(await line.ask('order.get', {})).toBe(defect);
  answers = [defect];
  const unknown = line.ask('order.place', {}, 'key-of-mine');
  line.close();
  await expect(unknown).rejects.toBeInstanceOf(OutcomeUnknown);
});
