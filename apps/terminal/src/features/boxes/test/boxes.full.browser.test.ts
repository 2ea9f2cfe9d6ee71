import { barriersOf, expect, funded, test } from '@bourse/web/testing';
import { BASE, holdSession, visit } from '../../../../test/browser.js';

test('a person puts an amount aside and sees the box by its push, a refusal in its words [TEMPLATE-005]', async () => {
  const visitor = await visit({ locale: 'de' });
  await holdSession(visitor.context, await funded({ change: { 1: '1', 3: '1000' } }));
  const { page, complaints } = visitor;
  await page.goto(`${BASE}/box`);
  await page.getByRole('heading', { level: 1, name: 'Boxen' }).waitFor();
  await page.getByText('Keine Box ist offen').waitFor();
  await page.getByRole('button', { name: 'Zur Seite legen' }).click();
  await page.getByText('Bitte einen Betrag eingeben').waitFor();
  // Nothing but the push changes the list: the screen reads it once.
  let reads = 0;
  page.on('request', (request) => {
    if (request.url().endsWith('/api/template/boxes')) reads += 1;
  });
  for (let count = 1; count <= 3; count += 1) {
    await page.getByLabel('Betrag').fill('0.001');
    await page.getByRole('button', { name: 'Zur Seite legen' }).click();
    await page
      .locator('tbody tr')
      .nth(count - 1)
      .waitFor();
  }
  expect(reads).toBe(0);
  await page.getByLabel('Betrag').fill('0.001');
  await page.getByRole('button', { name: 'Zur Seite legen' }).click();
  await page.getByText('Sie dürfen 3 zugleich offen haben').waitFor();
  expect((await barriersOf(page)).map(({ id }) => id)).toEqual([]);
  expect(complaints).toEqual([]);
});

test('a guest is asked to sign in first [TEMPLATE-005]', async () => {
  const { page } = await visit();
  await page.goto(`${BASE}/box`);
  await page.waitForURL(/\/components\/login\?back=%2Fbox/);
});
