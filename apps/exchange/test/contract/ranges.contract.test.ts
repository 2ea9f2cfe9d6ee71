import { beforeAll, expect, jest, test } from '@jest/globals';
import { testTimeoutMs } from '@bourse/testing/eventually';
import { each, malformed, send, type KnownCall } from './attack.js';
import { get, post } from './client.js';
import { cancel, offShelf, sellAd, taken } from './deal-room.js';
import { createMerchant, done, FUND, operator, type Person } from './people.js';

/*
 * Numbers beyond the range of their columns, in every field of every call: the list is the exchange's own document, so
 * a new field is tested from its first day.
 */
jest.setTimeout(testTimeoutMs(150_000));

/** One more than 31 bits hold, the greatest integer that can be sent, one more than 63 bits hold. */
const BEYOND = ['2147483648', '9007199254740991', '9223372036854775808'] as const;

interface FieldSchema {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly pattern?: string;
  readonly minimum?: number;
}
interface Field {
  readonly name: string;
  readonly schema: FieldSchema;
  readonly required: boolean;
}
interface Operation {
  readonly 'x-call'?: { readonly auth: KnownCall['auth'] };
  readonly parameters?: readonly (Field & { readonly in: string })[];
  readonly requestBody?: {
    readonly content: Readonly<
      Record<string, { readonly schema: { properties?: Record<string, FieldSchema>; required?: string[] } }>
    >;
  };
}
interface Swept extends Pick<KnownCall, 'name' | 'method' | 'path' | 'auth'> {
  readonly fields: readonly Field[];
}

/** Other fields of a call, so that the number is validated. */
const USUAL: Readonly<Record<string, string>> = {
  legal_id: '3',
  currency_id: '3',
  currency: '3',
  match_id: '1',
  id: '1',
  type: '1',
  page: '1',
  amount: '1',
  number: '1',
  total_number: '1',
  target_price: '1',
  price: '1',
  share: '1',
  multiple: '20',
  seconds: '30',
  status: '1',
  from: '0',
  to: '1',
  from_field: 'change',
  to_field: 'micro',
  account: 'abc',
  address: 'T1',
  password: FUND,
  pay_password: FUND,
  direction: 'in',
  way: 'bank',
  coin_code: 'CNY',
  symbol: 'BTC/USDT',
  period: '1min',
  base_currency: 'BTC',
  quote_currency: 'USDT',
  day: '2026-01-01',
};
/** Calls that would end the test: sessions, passwords and the clock of the exchange. */
const LEFT_OUT =
  /logout|session_revoke|set\/lang|\/dev\/|\/upload$|password|totp|freeze|breaker|clock|admin\/login|solvency\/snapshot/;
/** A field that can name a row or a number, although its schema is a text. */
const NUMBERED = /(^|_)(id|ids|type|seq|before|after|currency|count|number|key|code|sort|status)$/;

function isNumeric({ name, schema: { type, enum: choices, pattern = '' } }: Field): boolean {
  if (choices) return false;
  return type === 'integer' || (type === 'string' && (/\\d|\[1-9\]/.test(pattern) || NUMBERED.test(name)));
}
function plausible({ name, schema: { type, enum: choices, minimum = 1 } }: Field, { auth, path }: Swept): string {
  if (choices) return String(choices[0]);
  // Only an object of the caller leads to the fields that are read after it.
  if (name === 'id' && path === '/api/c2c/chat') return deal;
  // Operators' calls name objects that do not exist.
  if (auth === 'operator' && /(^|_)id$/.test(name)) return '999999999';
  return USUAL[name] ?? (type === 'integer' ? String(minimum) : 'abcdef');
}

let calls: Swept[];
let person: Person;
let admin: string;
/** A deal of the person, which has ended. */
let deal: string;
beforeAll(async () => {
  admin = await operator('operator');
  person = await createMerchant({ change: { 3: '100' }, legal: { 3: '200' } });
  const taker = await createMerchant();
  const ad = await sellAd(person.token);
  deal = await taken(taker.token, ad);
  await done(cancel(taker.token, deal));
  await offShelf(person.token, ad);
  const { text } = await get('/api/admin/openapi.json', {}, { token: admin });
  const { paths } = JSON.parse(text) as { paths: Record<string, Record<string, Operation>> };
  calls = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, operation]): Swept[] => {
      const auth = operation['x-call']?.auth;
      if (!auth || auth === 'dev' || LEFT_OUT.test(path)) return [];
      const { properties = {}, required = [] } = Object.values(operation.requestBody?.content ?? {})[0]?.schema ?? {};
      const inBody = Object.entries(properties).map(([name, schema]) => ({
        name,
        schema,
        required: required.includes(name),
      }));
      const inQuery = (operation.parameters ?? []).filter((parameter) => parameter.in === 'query');
      const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
        name: name!,
        schema: { type: 'integer' },
        required: false,
      }));
      const fields = [...inPath, ...inQuery, ...inBody];
      return [{ name: `${method.toUpperCase()} ${path}`, method: method.toUpperCase(), path, auth, fields }];
    }),
  );
});

test('a number beyond the range of its column breaks no call of any caller [CLIENT-120]', async () => {
  const tried = calls.flatMap((call) =>
    call.fields.filter(isNumeric).flatMap((field) => BEYOND.map((value) => ({ call, field, value }))),
  );
  expect(tried.length).toBeGreaterThan(600);
  const faults = await each(tried, async ({ call, field, value }) => {
    const needed = call.fields.filter(({ name, required }) => required || name === 'password' || name === 'page');
    const fields = {
      ...Object.fromEntries(needed.map((one) => [one.name, plausible(one, call)])),
      ...(call.auth === 'operator' ? { reason: 'a sweep of the tests' } : {}),
      [field.name]: value,
    };
    const path = call.path.replaceAll(/\{\w+\}/g, value);
    // Public calls are made by all three callers with one of the numbers, and by a guest with each.
    const callers = value === BEYOND[0] ? [undefined, person.token, admin] : [undefined];
    const tokens = call.auth === 'public' ? callers : [call.auth === 'operator' ? admin : person.token];
    const wrong: string[] = [];
    for (const token of tokens) {
      const answer = await send({ method: call.method, path }, fields, token);
      const fault = answer.body.key === 'common.defect' ? 'defect' : malformed(call, answer);
      if (fault !== null) wrong.push(`${call.name} ${field.name}=${value}: ${fault}`);
    }
    return wrong;
  });
  expect(faults.flat()).toEqual([]);
});

test('an id that no row can have is not found, and a list by it is empty [CLIENT-120]', async () => {
  const { token } = person;
  for (const value of BEYOND) {
    for (const [path, field] of [
      ['/api/wallet/holds', 'currency'],
      ['/api/wallet/deposits', 'currency'],
      ['/api/wallet/charge_list', 'currency'],
      ['/api/wallet/out_list', 'currency'],
      ['/api/statement/list', 'currency'],
      ['/api/microtrade/lists', 'match_id'],
      ['/api/insurance/my', 'currency_id'],
      ['/api/insurance/claims', 'currency_id'],
      ['/api/coin/list', 'currency'],
      ['/api/coin/fills', 'currency_id'],
      ['/api/coin/fills', 'order_id'],
    ] as const) {
      const { body } = await get(path, { [field]: value }, { token });
      expect([path, value, body]).toEqual([path, value, expect.objectContaining({ type: 'ok' })]);
      const { data, list } = body.message as { data?: unknown[]; list?: unknown[] };
      expect(Array.isArray(body.message) ? body.message : (data ?? list)).toEqual([]);
    }
    const log = await post('/api/wallet/legal_log', { type: 1, currency: value }, { token });
    expect(log.body).toMatchObject({ type: 'ok', message: { list: [] } });
    expect((await post('/api/news/detail', { id: value })).body).toMatchObject({ key: 'common.notFound' });
    for (const [path, field] of [
      ['/api/coin/order', 'id'],
      ['/api/lever/order', 'id'],
      ['/api/microtrade/receipt', 'id'],
      ['/api/currency/detail', 'id'],
      ['/api/c2c_deal', 'id'],
    ] as const)
      expect([path, (await get(path, { [field]: value }, { token })).body]).toEqual([
        path,
        expect.objectContaining({ type: 'error', key: 'common.notFound' }),
      ]);
  }
});
