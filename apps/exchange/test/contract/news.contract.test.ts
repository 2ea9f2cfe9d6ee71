import { describe, expect, test } from '@jest/globals';
import { get, post, type Answered, type Body } from './client.js';

const list = (fields: Record<string, string | number>, lang?: string) =>
  post('/api/news/list', fields, { headers: lang ? { lang } : {} });
const message = async <B extends Body>(answer: Promise<Answered<B>>): Promise<B['message']> => {
  const { status, body } = await answer;
  expect({ status, type: body.type }).toEqual({ status: 200, type: 'ok' });
  return body.message;
};

describe('news/list [NOTICE-002]', () => {
  test.each([
    [11, 3],
    [32, 1],
    [33, 1],
    [34, 3],
    [35, 2],
    [36, 4],
    [9, 3],
  ])("category %s has %s items of the contract's shape", async (category, count) => {
    const page = await message(list({ c_id: category }));
    expect(page).toMatchObject({ count, page: 1, page_size: 20, has_more: 0 });
    expect(page.list).toHaveLength(count);
    for (const item of page.list) {
      expect(Object.keys(item).sort()).toEqual([
        'abstract',
        'c_id',
        'content',
        'cover',
        'id',
        'lang',
        'link',
        'title',
        'update_time',
      ]);
      expect(item.c_id).toBe(category);
      expect(item.lang).toBe('en');
      expect(item.title).not.toBe('');
      expect(item.update_time).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
      expect(item.content).not.toMatch(/<script|onerror|javascript:/i);
    }
  });

  test('comes in pages', async () => {
    const first = await message(list({ c_id: 36, limit: 3 }));
    expect(first).toMatchObject({ count: 4, page_size: 3, has_more: 1 });
    const second = await message(list({ c_id: 36, limit: 3, page: 2 }));
    expect(second.list).toHaveLength(1);
    expect(second.has_more).toBe(0);
    expect(await message(list({ c_id: 36, page: 3 }))).toMatchObject({ list: [], has_more: 0 });
    expect(await message(list({ c_id: 12345 }))).toMatchObject({ list: [], count: 0, has_more: 0 });
  });

  test("speaks the caller's language", async () => {
    const titles = await Promise.all(
      ['en', 'zh', 'hk', 'jp', 'ar', 'cr'].map(
        async (lang) => (await message(list({ c_id: 36 }, lang))).list[0]?.title,
      ),
    );
    expect(titles).toEqual([
      'Contract management',
      '合约管理',
      '合約管理',
      '契約の管理',
      'إدارة العقود',
      'Jesyon kontra',
    ]);
    expect(
      (await message(post('/api/news/list', { c_id: 36 }, { headers: { 'accept-language': 'fr-CH, fr;q=0.9' } })))
        .list[0]?.title,
    ).toBe('Gestion des contrats');
    expect((await message(list({ c_id: 36 }, 'xx'))).list[0]?.title).toBe('Contract management');
  });

  test.each<[Record<string, string>, string, string]>([
    [{}, 'common.fieldRequired', 'c_id'],
    [{ c_id: 'x' }, 'common.fieldInvalid', 'c_id'],
    [{ c_id: '-1' }, 'common.fieldInvalid', 'c_id'],
    [{ c_id: '11', page: '0' }, 'common.fieldInvalid', 'page'],
    [{ c_id: '11', page: '1001' }, 'common.fieldInvalid', 'page'],
    [{ c_id: '11', limit: '101' }, 'common.fieldInvalid', 'limit'],
  ])('%j is refused as %s of %s', async (fields, key, field) => {
    expect((await list(fields)).body).toMatchObject({ type: 'error', key, field });
  });
});

describe('news/detail', () => {
  test('shows one item', async () => {
    const first = (await message(list({ c_id: 36 }))).list[0];
    expect(await message(post('/api/news/detail', { id: first?.id }))).toEqual(first);
  });

  test('unknown items are not found, GET is no method of it', async () => {
    expect((await post('/api/news/detail', { id: 1 })).body).toMatchObject({ type: 'error', key: 'common.notFound' });
    expect((await post('/api/news/detail', { id: '1 or 1=1' })).body).toMatchObject({
      type: 'error',
      key: 'common.fieldInvalid',
    });
    expect((await post('/api/news/detail', {})).body).toMatchObject({
      type: 'error',
      key: 'common.fieldRequired',
      field: 'id',
    });
    expect((await get('/api/news/detail', { id: 1 })).status).toBe(405);
  });
});
