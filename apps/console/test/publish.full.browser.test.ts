import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { BASE, call, expect, newcomer, operatorToken, test, withBank } from '@bourse/web/testing';
import { appealOf, rich } from './people.js';
import { barriers, confirm, CONSOLE, operatorAt } from './visitors.js';

// What operators write for people in several languages, and files that are refused.

test.describe('texts in several languages', () => {
  test('news keeps typed text while another language is edited [CONSOLE-320]', async () => {
    const mark = randomBytes(3).toString('hex');
    const page = await operatorAt('support1', '/news/new');
    const language = page.getByRole('main').getByLabel('Language', { exact: true });
    /** Chooses a language, and waits until the fields are those of it. */
    const choose = async (lang: string): Promise<void> => {
      await language.selectOption(lang);
      await page.locator(`main [data-lang=${lang}]`).waitFor();
    };
    const heading = page.getByLabel('Heading');
    const text = page.getByLabel('Text', { exact: true });
    await choose('zh');
    await heading.fill(`维护 ${mark}`);
    await text.fill('<p>中午恢复。</p>');
    await choose('en');
    await page.getByText('Your text in 简体中文 is kept here').waitFor();
    expect(await heading.inputValue()).toBe('');
    await heading.fill(`Maintenance ${mark}`);
    await text.fill('<p>Back at noon.</p>');
    await page.getByRole('button', { name: 'Save this language' }).click();
    await confirm(page);
    await page.waitForURL(/\/news\/\d+/);
    await choose('zh');
    expect(await heading.inputValue()).toBe(`维护 ${mark}`);
    expect(await barriers(page)).toEqual([]);
    await page.getByRole('button', { name: 'Save this language' }).click();
    await confirm(page);
    const id = /\/news\/(\d+)/.exec(page.url())?.[1] ?? '';
    // Found by its number alone, whatever place on the site it stands in.
    await page.goto(`${CONSOLE}/news/${id}?lang=zh`);
    await page.getByRole('article', { name: 'As readers see it' }).getByText('中午恢复。').waitFor();
    expect(await heading.inputValue()).toBe(`维护 ${mark}`);
    await fetch(`${BASE}/api/admin/news`, {
      method: 'DELETE',
      headers: { authorization: await operatorToken('support1') },
      body: new URLSearchParams({ id, reason: 'made in a test' }),
    });
  });

  test('a message is read in the own language, else in English, as in its preview [CONSOLE-303]', async () => {
    const person = await newcomer();
    const page = await operatorAt('support1', `/notices?user=${person.id}`);
    const language = page.getByLabel('Language of this text');
    const send = page.getByRole('button', { name: 'Send the message' });
    await language.selectOption('zh');
    await page.getByLabel('Heading').fill('你的问题');
    await page.getByLabel('Text', { exact: true }).fill('第一行');
    await language.selectOption('en');
    await page.getByLabel('Heading').fill('Your question');
    await send.click();
    await page.getByText('Write the text').waitFor();
    await page.getByLabel('Text', { exact: true }).fill('First line');
    await page.getByText('Written in: en zh').waitFor();
    await language.selectOption('de');
    const preview = page.getByRole('article', { name: 'As readers see it' });
    await preview.getByText('First line').waitFor();
    await page.getByText('Readers of this language see the text in English.').waitFor();
    expect(await barriers(page)).toEqual([]);
    await send.click();
    await confirm(page);
    const titles = async (lang: string): Promise<string[]> => {
      const response = await fetch(`${BASE}/api/notice/list`, {
        method: 'POST',
        headers: { authorization: person.token, lang },
      });
      const { message } = (await response.json()) as { message: { list: { title: string }[] } };
      return message.list.map(({ title }) => title);
    };
    expect([await titles('zh'), await titles('de')]).toEqual([
      expect.arrayContaining(['你的问题']),
      expect.arrayContaining(['Your question']),
    ]);
  });

  test('a note of a network is written by language, and emptied again [CONSOLE-300]', async () => {
    const mark = randomBytes(3).toString('hex');
    const admin = await operatorToken('operator');
    interface Network {
      readonly id: number;
      readonly note: string;
      readonly rate: string;
    }
    const last = async (): Promise<Network> => {
      const response = await fetch(`${BASE}/api/admin/catalog/protocols`, { headers: { authorization: admin } });
      return ((await response.json()) as { message: Network[] }).message.at(-1) as Network;
    };
    const { id, note, rate } = await last();
    const page = await operatorAt('operator', '/catalog/protocols');
    const change = page.locator(`tr[data-key="${id}"]`).getByRole('button', { name: 'Change' });
    const dialog = page.getByRole('dialog');
    await change.click();
    await dialog.getByLabel('Language', { exact: true }).selectOption('zh');
    await dialog.locator('textarea[name="note.zh"]').fill(`请先小额测试 ${mark}\n第二行`);
    expect(await barriers(page)).toEqual([]);
    await confirm(page);
    const written = JSON.parse((await last()).note) as Record<string, string>;
    expect(written['zh']).toBe(`请先小额测试 ${mark}\n第二行`);
    expect((await last()).rate).toBe(rate);
    await page.reload();
    await change.click();
    await dialog.getByLabel('Language', { exact: true }).selectOption('zh');
    await dialog.locator('textarea[name="note.zh"]').fill('');
    await confirm(page);
    expect((await last()).note).not.toContain(mark);
    await call('/api/admin/catalog/protocols/save', { id, note, reason: 'as it was before a test' }, admin);
  });
});

test.describe('files', () => {
  test('that are refused say why, and the end of the session leads to the way in [CONSOLE-321]', async () => {
    const page = await operatorAt('finance1', '/exports');
    const save = page.getByRole('button', { name: 'Save as CSV' });
    const refusal = { type: 'error', key: 'common.tooMany', message: 'Too many, wait 7 seconds', request_id: 'r' };
    await page.route('**/api/admin/export*', (route) => route.fulfill({ status: 429, json: refusal }));
    await save.click();
    await page.getByRole('status').getByText('Too many, wait 7 seconds').waitFor();
    await page.unroute('**/api/admin/export*');
    const ended = { type: '999', key: 'auth.required', message: 'Please sign in', request_id: 'r' };
    await page.route('**/api/admin/export*', (route) => route.fulfill({ status: 401, json: ended }));
    await save.click();
    await page.locator('input[name=username]').waitFor();
  });

  test('a picture that is none is refused in the language of the page [CONSOLE-321]', async () => {
    const page = await operatorAt('support1', '/news/new', { locale: 'zh' });
    const asked = page.waitForRequest((request) => request.url().includes('/api/admin/upload'));
    const buffer = Buffer.from('no picture at all');
    await page.locator('input[type=file]').first().setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer });
    expect((await asked).headers()['lang']).toBe('zh');
    const told = page.getByRole('alert').first();
    await told.waitFor();
    expect(await told.innerText()).toMatch(/[\u4e00-\u9fff]/);
  });

  test('an appeal is saved as the document that its sides can have [CONSOLE-322]', async () => {
    const [owner, taker] = [await rich('100'), await rich('100')];
    await Promise.all([withBank(owner), withBank(taker)]);
    const { id, deal } = await appealOf(owner, taker);
    const page = await operatorAt('support1', `/appeals/${id}`);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Signed transcript' }).click(),
    ]);
    expect(download.suggestedFilename()).toBe(`deal-${deal}.html`);
    expect(readFileSync(await download.path(), 'utf8')).toContain('<!doctype html>');
  });
});
