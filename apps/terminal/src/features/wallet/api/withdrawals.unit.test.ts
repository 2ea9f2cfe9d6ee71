import { expect, test } from '@jest/globals';
import { ApiError, type ApiClient } from '@bourse/api-client';
import { withdraw } from './withdrawals.js';

const REQUEST = { currency: 3, type: 1, address: 'T1', number: '5', rate: '1', pay_password: '123456' };
const refusal = (key: string): ApiError => new ApiError(200, { type: 'error', key, message: key, request_id: 'r' });

/** A client whose `out` ends so, and that knows the stored answer of the command. */
function clientOf(out: () => Promise<object>): { api: ApiClient; asked: unknown[] } {
  const asked: unknown[] = [];
  const api = {
    post: out,
    get: (path: string, fields: object) => {
      asked.push([path, fields]);
      return Promise.resolve({ type: 'ok', message: 'sent', withdrawal: { id: '7' } });
    },
  };
  return { api: api as unknown as ApiClient, asked };
}

test('a withdrawal sent again with another code has the answer of the first one [WALLETVIEW-014]', async () => {
  const { api, asked } = clientOf(() => Promise.reject(refusal('common.keyReused')));
  const { message, withdrawal } = await withdraw(api, { ...REQUEST, totp_code: '222222' }, 'intent-1');
  expect([message, withdrawal?.id]).toEqual(['sent', '7']);
  expect(asked).toEqual([['/api/command', { key: 'intent-1' }]]);
});

test('another refusal of a withdrawal is its answer', async () => {
  const { api, asked } = clientOf(() => Promise.reject(refusal('balance.insufficient')));
  await expect(withdraw(api, REQUEST, 'intent-1')).rejects.toMatchObject({ key: 'balance.insufficient' });
  expect(asked).toEqual([]);
});
