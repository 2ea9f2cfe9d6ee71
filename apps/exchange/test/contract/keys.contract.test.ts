import { randomUUID } from 'node:crypto';
import { beforeAll, expect, jest, test } from '@jest/globals';
import { testTimeoutMs } from '@bourse/testing/eventually';
import { get, post, type Fields } from './client.js';
import { createTrader, done, FUND, type Person } from './people.js';

jest.setTimeout(testTimeoutMs(30_000));

const USDT = 3;
let person: Person;
beforeAll(async () => {
  person = await createTrader({ change: { [USDT]: '500' }, lever: { [USDT]: '100' } });
});
const under = (key: string, path: string, fields: Fields) =>
  post(path, fields, { token: person.token, headers: { 'idempotency-key': key } });
const transfer = (from_field: string, to_field: string, number = '10'): Fields => ({
  currency_id: USDT,
  from_field,
  to_field,
  number,
});

test('a key belongs to one command, across the services that own the calls [HARD-417]', async () => {
  const calls: readonly (readonly [string, Fields])[] = [
    ['/api/wallet/change', transfer('change', 'legal')],
    ['/api/wallet/change', transfer('lever', 'change')],
    ['/api/coin/trade', { legal_id: USDT, currency_id: 1, type: 1, target_price: '20000', amount: '0.001' }],
    ['/api/microtrade/submit', { match_id: 1, currency: USDT, seconds: 60, number: '10', type: 1 }],
    ['/api/lever/submit', { legal_id: USDT, currency_id: 1, type: 1, share: 1, multiple: 20, status: 1 }],
    ['/api/currency/lhDeposit', { config_id: 1, amount: '100', password: FUND }],
  ];
  for (const first of calls.slice(0, 3)) {
    const key = randomUUID();
    const { command_id: id } = await done(under(key, ...first));
    for (const other of calls)
      if (other !== first) expect((await under(key, ...other)).body).toMatchObject({ key: 'common.keyReused' });
    const again = await done(under(key, ...first));
    const named = await get('/api/command', { key }, { token: person.token });
    expect([named.body['command_id'], again.command_id ?? id]).toEqual([id ?? named.body['command_id'], id]);
  }
});

test('a refusal holds its key too; a refusal by a gate does not [HARD-417]', async () => {
  const key = randomUUID();
  const refused = await under(key, '/api/wallet/change', transfer('change', 'legal', '100000'));
  expect(refused.body).toMatchObject({ type: 'error', key: 'balance.insufficient' });
  expect((await under(key, '/api/wallet/change', transfer('change', 'legal'))).body.key).toBe('common.keyReused');
  const gate = randomUUID();
  const out = { address: 'TLa2f6VPqDgRE67v1736s7bJ8Ray5wYjU7', number: '20', currency: USDT, type: 4 };
  expect((await under(gate, '/api/wallet/out', out)).body).toMatchObject({ type: '996', key: 'fund.required' });
  await done(under(gate, '/api/wallet/change', transfer('change', 'legal')));
});
