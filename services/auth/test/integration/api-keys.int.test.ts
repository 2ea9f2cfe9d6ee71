import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { authAsks, type ApiKeyFacts } from '@bourse/messaging';
import { testTimeoutMs } from '@bourse/testing/eventually';
import { startAuth, type Answered, type AuthProcess } from './auth-process.js';
import { FUND, heard, peopleOf, type Someone } from './people.js';

jest.setTimeout(testTimeoutMs(24_000));

let auth: AuthProcess;
let who: Someone;
const people = peopleOf(() => auth);
beforeAll(async () => {
  auth = await startAuth();
  who = await people.register();
  await people.setFund(who);
});
afterAll(async () => {
  await auth.end();
});

interface Row {
  key: string;
  secret?: string;
  label: string;
  permissions: string;
  ips: string[];
  last_at: string;
}
const make = (fields: Record<string, string>, someone = who): Promise<Answered> =>
  auth.post(
    '/api/apikey',
    { label: 'bot', permissions: 'read,trade', password: FUND, ...fields },
    { caller: someone.caller },
  );
const list = async (someone = who): Promise<Row[]> =>
  (await auth.get('/api/apikey', { caller: someone.caller })).message as Row[];
const facts = (key: string): Promise<ApiKeyFacts | null> => auth.asks.ask(authAsks.apiKey, { key });

describe('API keys [AUTH-130]', () => {
  test('refuse in the order label, permissions, addresses, fund password', async () => {
    expect(await make({ label: '' })).toMatchObject({ key: 'common.fieldRequired', field: 'label' });
    expect(await make({ label: 'x'.repeat(51) })).toMatchObject({ key: 'common.fieldInvalid', field: 'label' });
    for (const permissions of ['trade', 'withdraw', 'read,withdraw', 'read,trade,withdraw', 'READ'])
      expect(await make({ permissions })).toMatchObject({ key: 'common.fieldInvalid', field: 'permissions' });
    expect(await make({ permissions: '' })).toMatchObject({ key: 'common.fieldRequired', field: 'permissions' });
    for (const ips of [
      '1.2.3',
      '1.2.3.4,nonsense',
      '1.2.3.4/24',
      'fe80::1%eth0',
      Array.from({ length: 11 }, (_, at) => `10.0.0.${at}`).join(','),
    ])
      expect(await make({ ips, password: '' })).toMatchObject({ key: 'common.fieldInvalid', field: 'ips' });
    expect(await make({ password: '' })).toMatchObject({ type: '996', key: 'fund.required', field: 'password' });
    expect(await make({ password: 'wrong1' })).toMatchObject({ key: 'fund.wrong' });
    expect(await list()).toEqual([]);
  });

  test('the secret is shown once and stored sealed; the edge gets it, its owner and plain addresses', async () => {
    const { message, type } = await make({ label: 'desk', ips: '192.0.2.7, 2001:DB8:0:0::1,::ffff:192.0.2.7' });
    expect(type).toBe('ok');
    const made = message as Row;
    expect(made).toMatchObject({
      label: 'desk',
      permissions: 'read,trade',
      ips: ['192.0.2.7', '2001:db8::1'],
      last_at: '',
    });
    expect([made.key, made.secret]).toEqual([
      expect.stringMatching(/^[\w-]{24}$/),
      expect.stringMatching(/^[\w-]{43}$/),
    ]);
    const [shown] = await list();
    expect(shown).toEqual({
      key: made.key,
      label: 'desk',
      permissions: 'read,trade',
      ips: ['192.0.2.7', '2001:db8::1'],
      created_at: expect.any(String),
      last_at: '',
    });
    const [stored] = await auth.databases.query<{ row: string }>(
      'select api_key::text as row from auth.api_key where key = $1',
      [made.key],
    );
    expect(stored?.row).not.toContain(made.secret);
    expect(await facts(made.key)).toMatchObject({
      secret: made.secret,
      permissions: ['read', 'trade'],
      ips: ['192.0.2.7', '2001:db8::1'],
      caller: { userId: who.id, kind: 'apikey', sessionId: made.key, permissions: ['read', 'trade'] },
    });
    expect((await people.letters(who.account, 'security'))[0]).toContain('desk');
    const used = (await list())[0]?.last_at;
    expect(used).not.toBe('');
    await auth.databases.query(`update auth.api_key set last_at = now() - interval '50 seconds' where key = $1`, [
      made.key,
    ]);
    await facts(made.key);
    const [young] = await auth.databases.query<{ kept: boolean }>(
      `select last_at < now() - interval '30 seconds' as kept from auth.api_key where key = $1`,
      [made.key],
    );
    expect(young?.kept).toBe(true);
    expect(await facts('nothing_like_it')).toBeNull();
  });

  test('only its owner deletes a key, with the fund password, and the gateways are notified', async () => {
    const made = (await make({ label: 'gone' })).message as Row;
    const other = await people.signedIn('trader1@demo.bourse');
    const remove = (someone: Someone, fields: Record<string, string>): Promise<Answered> =>
      auth.remove('/api/apikey', fields, { caller: someone.caller });
    expect(await remove(who, { password: FUND })).toMatchObject({ key: 'common.fieldRequired', field: 'key' });
    expect(await remove(who, { key: made.key })).toMatchObject({ type: '996', key: 'fund.required' });
    expect((await remove(other, { key: made.key, password: FUND })).key).toBe('common.notFound');
    expect((await remove(who, { key: 'never_was', password: FUND })).key).toBe('common.notFound');
    const news = heard(auth, who.id);
    expect((await remove(who, { key: made.key, password: FUND })).key).toBe('apikey.deleted');
    expect(news.ended).toEqual([[made.key]]);
    news.stop();
    expect(await facts(made.key)).toBeNull();
    expect((await list()).some(({ key }) => key === made.key)).toBe(false);
    expect((await remove(who, { key: made.key, password: FUND })).key).toBe('common.notFound');
  });

  test('a person has at most twenty', async () => {
    const someone = await people.signedIn('nopay@demo.bourse');
    await auth.databases.query(
      `insert into auth.api_key (key, user_id, label, secret_sealed, permissions, ips, created_at)
        select 'k' || n, $1, 'many', 'x', '{read}', '{}', now()
        from generate_series(1, 19) n`,
      [someone.id],
    );
    const answers = [await make({ permissions: 'read' }, someone), await make({ permissions: 'read' }, someone)];
    expect(answers.map(({ key, type }) => key ?? type)).toEqual(['ok', 'apikey.limit']);
  });
});
