import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { eventuallySatisfied, testTimeoutMs } from '@bourse/testing';
import {
  auditUnderLoad,
  begin,
  breaker,
  call,
  database,
  end,
  expectAuditorFinds,
  expectRoundFinds,
  one,
  operator,
  order,
  trader,
  type Fault,
} from './audited-exchange.js';

jest.setTimeout(testTimeoutMs(120_000));

beforeAll(() => begin('audit'));
afterAll(end);

test('under load no round finds anything: rows in flight are no differences [AUDIT-001]', auditUnderLoad);

/** Columns of such a name that choose nothing, with their contents. */
const HARMLESS: Readonly<Record<string, string>> = {
  'auth.account.card_mark': 'a keyed hash of an id number, by which operators see equal ones',
  'auth.account.name_marks': 'words of a name by which support finds it',
  'auth.approval.in_force_at': 'when an approved change of a guarded row comes into force',
  'auth.bank.area_mark': 'a district, findable while it lies sealed',
  'auth.bank.city_mark': 'a city, the same',
  'gateway.audit_round.result': 'what a round of the auditor has found',
  'lever.lever_position.origin_caution': 'the margin that it was opened with',
  'lever.lever_position.origin_price': 'its price without the spread',
  'micro.contract.result': 'win, loss, tie or void, as the settlement has found it by recorded ticks',
  'micro.outcome.result': 'the same, counted',
  'spot.orders.time_in_force': 'GTC, IOC or FOK, as its owner has asked',
  'spot.orders.trigger_by': 'which price starts a stop, as its owner has asked',
  'spot.orders.triggered': 'whether that price has reached the stop',
};
test('no table has a place for odds, a wanted result, an override or a delay [FAIR-013]', async () => {
  const { rows } = await database.query<{ name: string }>(
    `select c.table_schema || '.' || c.table_name || '.' || c.column_name as name
      from information_schema.columns c
        join pg_class t on t.oid = format('%I.%I', c.table_schema, c.table_name)::regclass
      where c.table_schema not in ('pg_catalog', 'information_schema') and not t.relispartition
        and c.column_name ~* '(win|odds|luck|bias|rig|force|wanted|override|manip|fake|delay|chance|result|mark)'`,
  );
  expect(rows.map(({ name }) => name).sort()).toEqual(Object.keys(HARMLESS).sort());
});

describe('the auditor itself finds one wrong unit within 60 s, and stops the exchange [AUDIT-002]', () => {
  test.each<[string, () => Promise<Fault>]>([
    [
      'a balance',
      async () => ({
        plant: `update ledger.balance
          set available = available + 0.00000001
          where owner = 100002 and product = 'change' and currency = 3`,
        mend: `update ledger.balance
          set available = available - 0.00000001
          where owner = 100002 and product = 'change' and currency = 3`,
        check: 'wallet-ledger.sums',
        named: '100002.change.3',
      }),
    ],
  ])('%s', (_, of) => expectAuditorFinds(of));
});

describe('whatever row it is in, it is named [AUDIT-003]', () => {
  test.each<[string, () => Promise<Fault>]>([
    [
      'money moved between two people',
      async () => ({
        plant: `update ledger.balance
          set available = available + case owner when 100001 then 0.00000001 else -0.00000001 end
          where owner in (100001, 100002) and product = 'legal' and currency = 3`,
        mend: `update ledger.balance
          set available = available - case owner when 100001 then 0.00000001 else -0.00000001 end
          where owner in (100001, 100002) and product = 'legal' and currency = 3`,
        check: 'wallet-ledger.sums',
        named: '100001.legal.3',
      }),
    ],
    [
      'a hold',
      async () => {
        const { owner, name } = await one('select owner, name from ledger.hold order by name limit 1');
        const change = (sign: string): string =>
          `update ledger.hold set remaining = remaining ${sign} 0.00000001 where owner = ${owner} and name = '${name}'`;
        return { plant: change('+'), mend: change('-'), check: 'gateway.holds', named: String(name) };
      },
    ],
    [
      'a trade',
      async () => ({
        plant: `update spot.trades set quote = quote + 0.00000001 where symbol = 'BTC/USDT' and sequence = 7`,
        mend: `update spot.trades set quote = quote - 0.00000001 where symbol = 'BTC/USDT' and sequence = 7`,
        check: 'gateway.settlement',
        named: 'trade 7 of BTC/USDT',
      }),
    ],
  ])('%s', (_, of) => expectRoundFinds(of));
});

test('only operators with the role reopen, in order [AUDIT-004]', async () => {
  expect((await breaker('all', 'normal', trader)).status).toBe(403);
  expect((await breaker('all', 'normal', '')).body).toMatchObject({ type: '999' });
  const finance = (await call('POST', '/api/admin/login', { username: 'finance1', password: 'Harbor-2468' })).body
    .message as string;
  expect((await breaker('all', 'halted', finance)).status).toBe(403);
  expect(
    (await call('POST', '/api/admin/breaker', { scope: 'all', mode: 'halted', reason: 'why' }, operator)).body,
  ).toMatchObject({ key: 'admin.reason' });
  expect((await breaker('BTC/USDT', 'halted')).body.type).toBe('ok');
  expect((await order()).body.key).toBe('market.paused');
  expect((await breaker('BTC/USDT', 'normal')).body).toMatchObject({ type: 'error', key: 'admin.cancelOnlyFirst' });
  expect((await breaker('BTC/USDT', 'cancel_only')).body.type).toBe('ok');
  expect((await breaker('BTC/USDT', 'normal')).body.type).toBe('ok');
  await eventuallySatisfied(
    () => order(),
    ({ body }) => body.type === 'ok',
    1_000,
  );
  expect((await breaker('NO/SUCH', 'normal')).body).toMatchObject({ type: 'error', key: 'common.fieldInvalid' });
  const rows = (
    await database.query<{ operator: string; target: string; after: string; reason: string }>(
      `select operator, target, after, reason from gateway.operator_action where target = 'BTC/USDT' order by id`,
    )
  ).rows;
  expect(rows).toEqual(
    ['halted', 'cancel_only', 'normal'].map((after) => ({
      operator: 'operator',
      target: 'BTC/USDT',
      after,
      reason: 'a test of the auditor',
    })),
  );
  await expect(database.query(`update gateway.operator_action set reason = 'another'`)).rejects.toThrow(
    'never changed',
  );
});
