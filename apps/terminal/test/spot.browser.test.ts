import { expect, funded, test, type Person } from '@bourse/web/testing';
import { BASE } from './browser.js';
import { visitAt } from './spot-visit.js';

const USDT = 3;
let person: Person;
test.beforeAll(async () => {
  person = await funded({ change: { [USDT]: '10000' } });
});
const trader = (stored: Readonly<Record<string, string>> = {}): Readonly<Record<string, string>> => ({
  token: person.token,
  user_id: String(person.id),
  ...stored,
});
/**
 * A price that nobody meets, whole and half of the last one: other tests move the clock, and the recorded market with
 * it.
 */
async function farBelow(): Promise<bigint> {
  const { message } = (await (
    await fetch(`${BASE}/api/transaction/deal`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ legal_id: '3', currency_id: '1' }),
    })
  ).json()) as { message: { last_price: string } };
  return BigInt(message.last_price.split('.')[0] ?? '') / 2n;
}
const refusal = (type: string, key: string) => ({
  contentType: 'application/json',
  body: JSON.stringify({ type, key, message: `refused ${key}`, request_id: 'r' }),
});

test.describe('the deal centre for guests', () => {
  test('shows book, trades and chart, and the way in, in place of the forms [TERM-010]', async () => {
    const { page, errors } = await visitAt('/dealCenter');
    const book = page.getByRole('table', { name: 'Order book' });
    await book
      .getByText(/^\d[\d,]*\.\d{2}$/)
      .first()
      .waitFor();
    // Numbered from the middle outwards, eight on each side where the house has so many levels standing; while a market
    // runs there are fewer.
    await book.getByRole('rowheader').nth(5).waitFor();
    const numbers = (await book.getByRole('rowheader').allTextContents()).map(Number);
    const asks = numbers.indexOf(1) + 1;
    expect(numbers).toEqual([
      ...Array.from({ length: asks }, (_, at) => asks - at),
      ...Array.from({ length: numbers.length - asks }, (_, at) => at + 1),
    ]);
    expect(Math.max(...numbers)).toBeLessThanOrEqual(8);
    expect(asks).toBeGreaterThan(0);
    expect(numbers.length).toBeGreaterThan(asks);
    await page.getByRole('main').getByRole('link', { name: 'Register' }).waitFor();
    expect(await page.getByRole('form').count()).toBe(0);
    await page.getByText('Log in to see your orders and balances.').waitFor();
    await page.locator('canvas').first().waitFor();
    expect(errors).toEqual([]);
  });
});

test.describe('the ticket', () => {
  test('fields refuse what is no number, and errors stand beside the field [TERM-030]', async () => {
    const { page } = await visitAt('/dealCenter', { stored: trader() });
    const form = page.getByRole('form', { name: 'Buy BTC/USDT' });
    const amount = form.getByLabel('Amount', { exact: true });
    await amount.pressSequentially('1e-2,5');
    expect(await amount.inputValue()).toBe('12.5');
    await amount.fill('');
    await form.getByRole('button', { name: 'Buy BTC' }).click();
    const error = form.getByRole('alert');
    expect(await error.textContent()).toBe('Please enter the buying amount');
    expect(await amount.getAttribute('aria-describedby')).toContain(await error.getAttribute('id'));
  });

  test('one press makes one order: a second press while the first is on its way sends nothing [TERM-031]', async () => {
    const { page } = await visitAt('/dealCenter', { stored: trader() });
    const keys: (string | undefined)[] = [];
    let answer = (): void => undefined;
    const answered = new Promise<void>((resolve) => (answer = resolve));
    await page.route('**/api/coin/trade*', async (route) => {
      keys.push(route.request().headers()['idempotency-key']);
      await answered;
      await route.fulfill(refusal('error', 'balance.insufficient'));
    });
    const form = page.getByRole('form', { name: 'Buy BTC/USDT' });
    await form.getByLabel('Price', { exact: true }).fill(String(await farBelow()));
    await form.getByLabel('Amount', { exact: true }).fill('0.01');
    await form.getByRole('button', { name: 'Buy BTC' }).click();
    await page.getByText('This price differs by', { exact: false }).waitFor();
    await page.keyboard.press('Enter');
    const busy = form.getByRole('button', { name: 'Sending…' });
    await busy.waitFor();
    expect(await busy.isDisabled()).toBe(true);
    await page.keyboard.press('Enter');
    answer();
    await form.getByRole('alert').filter({ hasText: 'refused balance.insufficient' }).waitFor();
    expect(keys).toHaveLength(1);
    expect(keys[0]).toMatch(/^[0-9a-f]{32}$/);
    // A refused form keeps its values.
    expect(await form.getByLabel('Amount', { exact: true }).inputValue()).toBe('0.01');
  });
});

test.describe('orders', () => {
  test('a resting order shows in the list and on the chart, and leaves when it is cancelled [TERM-040]', async () => {
    const { page } = await visitAt('/dealCenter', { stored: trader() });
    const form = page.getByRole('form', { name: 'Buy BTC/USDT' });
    const whole = await farBelow();
    await form.getByLabel('Price', { exact: true }).fill(`${whole}.01`);
    await form.getByLabel('Amount', { exact: true }).fill('0.011');
    await form.getByRole('button', { name: 'Buy BTC' }).click();
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Enter');
    const row = page
      .getByRole('region', { name: 'Open orders' })
      .getByRole('row')
      .filter({ hasText: `${whole.toLocaleString('en-US')}.01` });
    await row.getByRole('button', { name: /Cancel/ }).click();
    await row.waitFor({ state: 'detached' });
  });
});
