import { readFileSync } from 'node:fs';
import { testTimeoutMs } from '@bourse/testing/eventually';
import { expect, funded, type Person, screenBarriers, test } from '@bourse/web/testing';
import { BASE, holdSession, visit } from '../../../../test/browser.js';

async function call<T>(path: string, token = '', fields?: Record<string, string>): Promise<T> {
  const response = await fetch(`${BASE}${path}`, {
    headers: { authorization: token },
    ...(fields ? { method: 'POST', body: new URLSearchParams(fields) } : {}),
  });
  return ((await response.json()) as { message: T }).message;
}
/** Moves the exchange's clock so that the newest contract has little more than the seconds left that judge it. */
async function nearExpiry(token: string): Promise<void> {
  const { data } = await call<{ data: { expire_time: string }[] }>('/api/microtrade/lists', token);
  const expiry = Date.parse(`${data[0]!.expire_time.replace(' ', 'T')}Z`);
  const { now } = await call<{ now: number }>('/dev/clock');
  const seconds = Math.floor((expiry - now) / 1_000) - 8;
  if (seconds > 0) await call('/dev/clock', token, { advance_seconds: String(seconds) });
}

let person: Person;
test.beforeAll(async () => {
  person = await funded({ micro: { 3: '1000' } });
});

test.describe('seconds contracts', () => {
  test('a contract runs, closes, and its receipt holds; a forged one is named [MICROUI-051]', async () => {
    const { page, context, complaints } = await visit();
    await holdSession(context, person);
    await page.goto(`${BASE}/secondsOrder`);
    await page.getByRole('radio', { name: '30 seconds +40 %' }).click();
    await page.getByRole('button', { name: /^Up/ }).click();
    await page.getByText('Please enter the stake').waitFor();
    await page.getByRole('button', { name: '10', exact: true }).click();
    await page.getByRole('button', { name: /^Up/ }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('+3.98 USDT').waitFor();
    await dialog.getByText('-10.02 USDT').waitFor();
    await page.keyboard.press('Enter');
    const running = page.getByRole('region', { name: 'Running' }).locator('tbody tr');
    await running.first().waitFor();
    await running
      .first()
      .getByText(/^0:[0-2]\d$/)
      .waitFor({ timeout: testTimeoutMs(3_000) });
    expect(await screenBarriers(page)).toEqual([]);
    await nearExpiry(person.token);
    await running.first().waitFor({ state: 'detached', timeout: testTimeoutMs(12_000) });
    await page.getByRole('tab', { name: 'Closed' }).click();
    await page.getByRole('link', { name: 'Receipt' }).first().waitFor();
    expect(await screenBarriers(page)).toEqual([]);
    await page.getByRole('link', { name: 'Receipt' }).first().click();
    await page.getByText('✓ The receipt holds.').waitFor();
    expect(await screenBarriers(page)).toEqual([]);

    const saving = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download receipt.json' }).click();
    const text = readFileSync(await (await saving).path(), 'utf8');
    await page.goto(`${BASE}/fairness`);
    const check = async (what: string): Promise<void> => {
      await page.locator('textarea[name=text]').fill(what);
      await page.getByRole('button', { name: 'Check', exact: true }).click();
    };
    await check(text);
    await page.getByText('✓ The receipt holds.').waitFor();
    const forged = JSON.parse(text) as { chain: { ticks: { id: string; price: string }[] } };
    const tick = forged.chain.ticks.at(-1)!;
    tick.price = '1';
    await check(JSON.stringify(forged));
    await page.getByText('✗ The receipt does not hold.').waitFor();
    await page.getByText(`tick ${tick.id} does not have the hash of what it says: it was changed`).waitFor();
    expect(complaints).toEqual([]);
  });
});
