import type { Page } from '@playwright/test';
import { expect, newcomer, operatorToken, PIXEL, seriousBarriers, test, type Person } from '@bourse/web/testing';
import { BASE, holdSession, visit, type Looks } from '../../../../test/browser.js';

let session: Person;
let support = '';
test.beforeAll(async () => {
  session = await newcomer();
  support = await operatorToken('support1');
});

async function call<T>(token: string, path: string, fields?: Record<string, string>): Promise<T> {
  const response = await fetch(`${BASE}${path}`, {
    headers: { authorization: token },
    ...(fields ? { method: 'POST', body: new URLSearchParams(fields) } : {}),
  });
  const body = (await response.json()) as { type: string; message: T };
  if (body.type !== 'ok') throw new Error(`${path}: ${JSON.stringify(body)}`);
  return body.message;
}
async function openAt(path: string, looks: Looks = {}): Promise<Page> {
  const visitor = await visit(looks);
  await holdSession(visitor.context, session);
  await visitor.page.goto(`${BASE}${path}`);
  return visitor.page;
}

test.describe('complaints', () => {
  test('are begun at a deposit, with a picture, answered, replied to and closed [COMPLAINT-021] [UI-040]', async () => {
    const page = await openAt('/complaints?kind=deposit&about=4711');
    const dialog = page.getByRole('dialog');
    await dialog.waitFor();
    expect(await dialog.getByRole('combobox').inputValue()).toBe('deposit');
    // In a low window only the content scrolls: title and buttons stay in sight [UI-040].
    await page.setViewportSize({ width: 1280, height: 480 });
    await dialog.getByRole('button', { name: 'Add a picture' }).scrollIntoViewIfNeeded();
    for (const part of [dialog.getByRole('heading'), dialog.getByRole('button', { name: 'Send complaint' })])
      await expect(part).toBeInViewport({ ratio: 1 });
    await page.setViewportSize({ width: 1440, height: 900 });
    expect(await dialog.getByLabel(/^Number of the order/).inputValue()).toBe('4711');
    await dialog.getByRole('button', { name: 'Send complaint' }).click();
    await dialog.getByText('Enter a subject').waitFor();
    await dialog.getByText('Describe what happened').waitFor();
    await dialog.getByLabel('Subject').fill('Where is my deposit');
    await dialog.getByLabel('What happened').fill('I sent 100 USDT.\nNothing came.');
    await dialog.getByRole('button', { name: 'Add a picture' }).click();
    await dialog
      .locator('input[type=file]')
      .first()
      .setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer: PIXEL });
    await dialog.getByText('Uploaded').waitFor();
    expect(await seriousBarriers(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Send complaint' }).click();
    await page.getByRole('heading', { name: 'Where is my deposit' }).waitFor();
    await page.getByText('I sent 100 USDT. Nothing came.').waitFor();
    await page.getByRole('img', { name: 'Picture 1' }).waitFor();
    const id = new URL(page.url()).searchParams.get('id') ?? '';

    const reason = 'looked at the chain';
    await call(support, '/api/admin/complaints/answer', { id, text: 'It has 2 of 6 confirmations.', reason });
    await page.reload();
    await page.getByText('It has 2 of 6 confirmations.').waitFor();
    await page.getByText('Answered', { exact: true }).waitFor();
    await page.getByRole('textbox', { name: 'Your reply' }).fill('Thank you');
    await page.getByRole('button', { name: 'Send reply' }).click();
    await page.getByText('Thank you', { exact: true }).waitFor();
    await page.getByText('Waiting for support').waitFor();
    await page.getByRole('button', { name: 'Close complaint' }).click();
    await page.getByText('This complaint is closed.', { exact: false }).first().waitFor();
    await page.getByRole('link', { name: 'All complaints' }).click();
    await page.getByRole('list', { name: 'Complaints' }).getByText('Where is my deposit').first().waitFor();
  });

  test('keep a reply that is being written when support answers [COMPLAINT-025]', async () => {
    const fields = new URLSearchParams({ kind: 'other', subject: 'A question', text: 'How does it work?' });
    const init = { method: 'POST', headers: { authorization: session.token }, body: fields };
    const { id } = (await (await fetch(`${BASE}/api/complaint/add`, init)).json()) as { id: number };
    const page = await openAt(`/complaints?id=${id}`);
    const reply = page.getByRole('textbox', { name: 'Your reply' });
    await reply.fill('Half a sentence');
    await call(support, '/api/admin/complaints/answer', { id: String(id), text: 'As follows.', reason: 'answered' });
    await page.getByText('As follows.').waitFor();
    await expect(reply).toHaveValue('Half a sentence');
    await page.getByRole('button', { name: 'Send reply' }).click();
    await page.getByText('Half a sentence', { exact: true }).waitFor();
    await expect(reply).toHaveValue('');
  });

  test('of another, or of none, are not there [COMPLAINT-021]', async () => {
    for (const id of ['999999999999', 'x']) {
      const page = await openAt(`/complaints?id=${id}`);
      await page.getByText('There is no such complaint.').waitFor();
    }
  });

  for (const looks of [
    { theme: 'dark', locale: 'en', width: 1280 },
    { theme: 'white', locale: 'ar', width: 390 },
  ] as const)
    test(`have no barrier ${JSON.stringify(looks)} [COMPLAINT-022]`, async () => {
      const page = await openAt('/complaints', looks);
      await page.getByRole('main').getByRole('heading').first().waitFor();
      await page.getByRole('main').getByRole('list').first().waitFor();
      expect(await seriousBarriers(page)).toEqual([]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
    });
});
