import { beforeAll, describe, expect, test } from '@jest/globals';
import type { MessageOf } from '@bourse/contract';
import { get, signIn } from './client.js';
import { createNewcomer, operator, type Person } from './people.js';

type Found = MessageOf<'GET /api/admin/search'>;

let person: Person, support: string, finance: string, trader: string;
beforeAll(async () => {
  [person, support, finance, trader] = await Promise.all([
    createNewcomer(),
    operator('support1'),
    operator('finance1'),
    signIn('trader1@demo.bourse'),
  ]);
});

const search = async (text: string, token = support): Promise<Found> => {
  const { status, body } = await get('/api/admin/search', { text }, { token });
  expect([status, body.type]).toEqual([200, 'ok']);
  return body.message as unknown as Found;
};

describe('one search over everything [CONSOLE-330]', () => {
  test('finds a person by id and by contact, and nothing by a text that names nothing', async () => {
    const found = { kind: 'user', id: String(person.id), user_id: person.id, title: expect.any(String) };
    expect(await search(String(person.id))).toEqual({ found: [found], missing: [] });
    expect((await search(` ${person.account} `)).found).toEqual([found]);
    expect(await search('no such thing')).toEqual({ found: [], missing: [] });
    expect((await search('9'.repeat(40))).found).toEqual([]);
  });

  test.each(['', 'ab', 'a'.repeat(101)])('refuses the text %j', async (text) => {
    expect((await get('/api/admin/search', { text }, { token: support })).body).toMatchObject({
      type: 'error',
      field: 'text',
    });
  });

  test('is for operators alone', async () => {
    expect((await get('/api/admin/search', { text: 'abc' })).body).toMatchObject({ type: '999' });
    expect((await get('/api/admin/search', { text: 'abc' }, { token: trader })).status).toBe(403);
  });
});

test('people are named by their ids, unknown ids are left out [CONSOLE-331]', async () => {
  const named = async (ids: string, token = support) => (await get('/api/admin/people', { ids }, { token })).body;
  expect(await named(`${person.id},100001,${person.id},7777777`)).toMatchObject({
    type: 'ok',
    message: expect.arrayContaining([
      expect.objectContaining({ id: person.id, email: person.account }),
      expect.objectContaining({ id: 100001, name: expect.stringMatching(/\S/) }),
    ]),
  });
  for (const ids of ['', 'x', '0', '-1', '1,,2', Array.from({ length: 101 }, (_, at) => at + 1).join(',')])
    expect(await named(ids)).toMatchObject({ type: 'error', field: 'ids' });
  expect((await get('/api/admin/people', { ids: '1' }, { token: trader })).status).toBe(403);
});

test('assets against liabilities are for finance, and are even in every coin [ADJUST-030]', async () => {
  expect((await get('/api/admin/house/sums', {}, { token: support })).status).toBe(403);
  const { body } = await get('/api/admin/house/sums', {}, { token: finance });
  const sums = body.message as unknown as MessageOf<'GET /api/admin/house/sums'>;
  const usdt = sums.coins.find(({ currency }) => currency === 'USDT');
  expect(Number(usdt?.people)).toBeGreaterThan(0);
  expect(sums.coins.filter(({ difference }) => !/^-?0(\.0+)?$/.test(difference))).toEqual([]);
  expect(sums.usd).toEqual({
    assets: expect.stringMatching(/^\d+\.\d{8}$/),
    liabilities: expect.stringMatching(/^\d+\.\d{8}$/),
    own: expect.stringMatching(/^-?\d+\.\d{8}$/),
  });
});
