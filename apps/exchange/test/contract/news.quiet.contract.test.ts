import { afterAll, describe, expect, test } from '@jest/globals';
import type { News } from '@bourse/contract';
import { eventuallySatisfied } from '@bourse/testing/eventually';
import { BASE, call, get, post, trader, type Fields } from './client.js';
import { done, operator, PIXEL } from './people.js';

// No file that runs beside this one writes news: the seeded ones are counted.
const PATH = '/api/admin/news';
const REASON = 'the board has decided so';
const made: number[] = [];
const send = async (method: 'POST' | 'DELETE', fields: Fields, token?: string) =>
  (await call(method, PATH, { reason: REASON, ...fields }, { token: token ?? (await operator('support1')) })).body;
async function save(fields: Fields): Promise<number> {
  const answer = await send('POST', fields);
  expect(answer).toMatchObject({ type: 'ok', key: 'admin.newsSaved' });
  const id = answer.id as number;
  if (fields.id === undefined) made.push(id);
  return id;
}
const read = async (id: number, lang = 'en'): Promise<News> =>
  (await post('/api/news/detail', { id }, { headers: { lang } })).body.message;
async function picture(): Promise<string> {
  const form = new FormData();
  form.append('file', new Blob([new Uint8Array(PIXEL)]), 'a.png');
  const response = await fetch(`${BASE}/api/admin/upload?reason=for+the+banner`, {
    method: 'POST',
    body: form,
    headers: { authorization: await operator('support1') },
  });
  return ((await response.json()) as { message: string }).message;
}
afterAll(async () => {
  for (const id of made) await send('DELETE', { id });
});

describe('news of operators', () => {
  test('have a picture, a link, languages, and lines in the audit log [NEWS-003] [NEWS-005]', async () => {
    const address = await picture();
    const plain = address.split('?')[0] ?? '';
    expect((await get(plain)).status).toBe(404);
    const id = await save({
      ...{ c_id: 34, title: 'Harbour lights', abstract: 'Short', link: '/dealCenter', cover: address },
      content: `<p onclick="x">Text</p><img src="${address}"><img src="https://elsewhere.example/a.png"><script>x</script>`,
    });
    const content = `<p>Text</p><img src="${plain}" alt="" loading="lazy" />`;
    expect(await read(id)).toMatchObject({
      c_id: 34,
      title: 'Harbour lights',
      cover: plain,
      link: '/dealCenter',
      content,
    });
    expect((await get(plain)).status).toBe(200);
    await save({ id, lang: 'de', title: 'Hafenlichter', content: '<p>Wort</p>' });
    expect(await read(id, 'de')).toMatchObject({
      lang: 'de',
      title: 'Hafenlichter',
      content: '<p>Wort</p>',
      cover: plain,
    });
    // In a language without a text it is shown in English, and says so [NEWS-007].
    expect(await read(id, 'jp')).toMatchObject({ lang: 'en', title: 'Harbour lights', content });
    // The editor reads a single item, wherever it is in the list.
    const alone = await get(PATH, { id, lang: 'de' }, { token: await operator('support1') });
    expect(alone.body.message).toMatchObject({ total: 1, data: [{ id, c_id: 34, title: 'Hafenlichter' }] });
    const rows = async (): Promise<string[]> => {
      const fields = { target: `news ${id}` };
      const { body } = await get('/api/admin/audit', fields, { token: await operator('finance1') });
      return body.message.data.filter(({ reason }) => reason === REASON).map(({ action }) => action);
    };
    expect(await eventuallySatisfied(rows, (found) => found.length === 2)).toEqual(['news.save', 'news.save']);
    expect(await send('DELETE', { id, lang: 'de' })).toMatchObject({ type: 'ok', key: 'admin.newsRemoved' });
    expect(await read(id, 'de')).toMatchObject({ title: 'Harbour lights' });
  });

  test('are listed pinned, by place, newest first; future ones for operators only [NEWS-004]', async () => {
    const base = { c_id: 35, content: '<p>x</p>' };
    await save({ ...base, title: 'Later', publish_time: '2999-01-01 00:00:00' });
    await save({ ...base, title: 'Placed', sort: 5 });
    await save({ ...base, title: 'Pinned', pinned: 1 });
    const { list } = (await done(post('/api/news/list', { c_id: 35 }))).message;
    expect(list.map(({ title }) => title).slice(0, 2)).toEqual(['Pinned', 'Placed']);
    expect(list.map(({ title }) => title)).not.toContain('Later');
    const { body } = await get(PATH, { c_id: 35 }, { token: await operator('support1') });
    const { data, total } = body.message;
    expect(total).toBe(5);
    expect(data.find(({ title }) => title === 'Later')).toMatchObject({
      publish_time: '2999-01-01 00:00:00',
      langs: ['en'],
    });
  });

  test('are refused by field, and to everybody but support [NEWS-006]', async () => {
    const base = { c_id: 11, title: 'T', content: '<p>x</p>' };
    const fault = async (fields: Fields): Promise<unknown> => {
      const { key, field } = await send('POST', fields);
      return [key, field];
    };
    expect(await fault({ ...base, c_id: undefined })).toEqual(['common.fieldRequired', 'c_id']);
    expect(await fault({ ...base, c_id: 12 })).toEqual(['common.fieldInvalid', 'c_id']);
    expect(await fault({ ...base, lang: 'xx' })).toEqual(['common.fieldInvalid', 'lang']);
    expect(await fault({ ...base, lang: 'de' })).toEqual(['common.fieldInvalid', 'lang']);
    expect(await fault({ ...base, title: undefined })).toEqual(['common.fieldRequired', 'title']);
    expect(await fault({ ...base, content: undefined })).toEqual(['common.fieldRequired', 'content']);
    expect(await fault({ ...base, link: 'javascript:x' })).toEqual(['common.fieldInvalid', 'link']);
    expect(await fault({ ...base, link: '//elsewhere.example' })).toEqual(['common.fieldInvalid', 'link']);
    expect(await fault({ ...base, cover: 'https://elsewhere.example/a.png' })).toEqual(['upload.required', 'cover']);
    expect(await fault({ ...base, cover: `/api/upload/${'a'.repeat(32)}.png` })).toEqual(['upload.required', 'cover']);
    expect(await fault({ ...base, content: `<img src="/api/upload/${'a'.repeat(32)}.png">` })).toEqual([
      'upload.required',
      'content',
    ]);
    expect(await fault({ ...base, publish_time: 'tomorrow' })).toEqual(['common.fieldInvalid', 'publish_time']);
    expect(await fault({ id: 999_999_999_999, title: 'T' })).toEqual(['common.notFound', 'id']);
    expect(await send('DELETE', { id: 999_999_999_999 })).toMatchObject({ key: 'common.notFound' });
    expect((await send('POST', { ...base, reason: '' })).key).toBe('admin.reason');
    const person = await trader(1);
    expect((await get(PATH, {}, { token: person })).status).toBe(403);
    expect((await call('POST', PATH, { ...base, reason: REASON }, { token: person })).status).toBe(403);
    expect((await call('DELETE', PATH, { id: 1101, reason: REASON }, { token: person })).status).toBe(403);
    expect((await get(PATH)).body.type).toBe('999');
  });
});
