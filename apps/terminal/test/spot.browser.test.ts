import { expect, funded, test, type Person } from '@bourse/web/testing';
import { readFarPrice, refusal, visitAt } from './spot-visit.js';

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

test.describe('the deal centre for guests', () => {
  test('shows book, trades and chart, and a form that leads to the sign-in [TERM-010]', async () => {
    const { page, errors } = await visitAt('/dealCenter');
    const book = page.getByRole('table', { name: 'Order book' });
    await book
      .getByText(/^\d[\d,]*\.\d{2}$/)
      .first()
      .waitFor();
    // Numbered from the middle outwards, as many on each side as fit where the house has so many levels standing; while
    // a market runs there are fewer.
    await book.getByRole('rowheader').nth(5).waitFor();
    const numbers = (await book.getByRole('rowheader').allTextContents()).map(Number);
    const asks = numbers.indexOf(1) + 1;
    expect(numbers).toEqual([
      ...Array.from({ length: asks }, (_, at) => asks - at),
      ...Array.from({ length: numbers.length - asks }, (_, at) => at + 1),
    ]);
    expect(Math.max(...numbers)).toBeLessThanOrEqual(20);
    expect(asks).toBeGreaterThan(0);
    expect(numbers.length).toBeGreaterThan(asks);
    await page.getByRole('main').getByRole('link', { name: 'Register' }).waitFor();
    const form = page.getByRole('form', { name: 'Buy BTC/USDT' });
    await form.getByRole('tab', { name: 'Market', exact: true }).click();
    await form.getByLabel('Total', { exact: true }).fill('100');
    await expect(form.getByLabel('Amount', { exact: true })).toHaveValue(/^0\.\d+$/);
    await form.getByText('Average price').waitFor();
    await page.getByText('Log in to see your orders and balances.').waitFor();
    await page.locator('canvas').first().waitFor();
    await form.getByRole('button', { name: 'Log in to buy BTC' }).click();
    await page.waitForURL(/login\?back=%2FdealCenter/);
    expect(errors).toEqual([]);
  });
});

test.describe('the ticket', () => {
  test('errors are shown beside the field [TERM-030]', async () => {
    const { page } = await visitAt('/dealCenter', { stored: trader() });
    const form = page.getByRole('form', { name: 'Buy BTC/USDT' });
    const amount = form.getByLabel('Amount', { exact: true });
    await amount.fill('');
    await form.getByRole('button', { name: 'Buy BTC' }).click();
    const error = form.getByRole('alert');
    expect(await error.textContent()).toBe('Please enter the buying amount');
    expect(await amount.getAttribute('aria-describedby')).toContain(await error.getAttribute('id'));
  });

  test('a typed text is validated as a whole: a fault beside the field, nothing is sent [ORDERS-004]', async () => {
    const { page } = await visitAt('/dealCenter', { stored: trader() });
    const form = page.getByRole('form', { name: 'Buy BTC/USDT' });
    const field = (name: string) => form.getByLabel(name, { exact: true });
    const send = form.getByRole('button', { name: 'Buy BTC' });
    await field('Price').fill(String(await readFarPrice()));
    const amount = field('Amount');
    for (const [typed, said] of [
      ['1,000', 'This can be read in two ways. Write 1000 or 1.000'],
      ['0,5', 'Write decimals with a point, as in 0.5'],
      ['1e3', 'Only digits and one decimal point'],
    ] as const) {
      await amount.fill('');
      await amount.pressSequentially(typed);
      const error = form.getByRole('alert').filter({ hasText: said });
      await error.waitFor();
      expect(await amount.inputValue()).toBe(typed);
      expect(await amount.getAttribute('aria-describedby')).toContain(await error.getAttribute('id'));
      expect(await send.isDisabled()).toBe(true);
      // Neither a step nor leaving the field makes another number of it.
      await amount.press('ArrowUp');
      await amount.press('Enter');
      await field('Total').focus();
      expect([await amount.inputValue(), await error.isVisible(), await page.getByRole('dialog').count()]).toEqual([
        typed,
        true,
        0,
      ]);
    }
    await amount.fill('');
    await expect(form.getByRole('alert')).toHaveCount(0);
    await amount.pressSequentially('1,234.5');
    expect(await amount.inputValue()).toBe('1,234.5');
    await field('Price').focus();
    expect(await amount.inputValue()).toBe('1234.5');
    await amount.fill('۱۲٫۵');
    await field('Price').focus();
    expect([await amount.inputValue(), await send.isDisabled()]).toEqual(['12.5', false]);
    // A number that another field or a button gives takes the place of a refused one.
    await amount.fill('1,000');
    await field('Total').fill('100');
    await expect(form.getByRole('alert')).toHaveCount(0);
    expect([await amount.inputValue(), await send.isDisabled()]).not.toContain('1,000');
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
    await form.getByLabel('Price', { exact: true }).fill(String(await readFarPrice()));
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

  test('armed keys send and cancel orders unasked; a field that refuses its text stops one [TERM-032]', async () => {
    const { page } = await visitAt('/dealCenter', { stored: trader() });
    const form = page.getByRole('form', { name: 'Buy BTC/USDT' });
    const amount = form.getByLabel('Amount', { exact: true });
    const sent: string[] = [];
    page.on('request', (request) => {
      if (/\/api\/coin\/(trade|cancel_all)\?/.test(request.url())) sent.push(new URL(request.url()).pathname);
    });
    await amount.fill('0.001');
    await amount.blur();
    // Not armed: the key chooses the side, as it does without Shift.
    await page.keyboard.press('Shift+S');
    await page.getByRole('form', { name: 'Sell BTC/USDT' }).waitFor();
    await page.getByRole('button', { name: 'Keyboard' }).click();
    await page.getByRole('checkbox', { name: /^Let keys send and cancel orders/ }).check({ force: true });
    await page.keyboard.press('Escape');
    const status = page.getByRole('button', { name: 'Order keys are on. Turn off' });
    await status.waitFor();
    expect(sent).toEqual([]);

    // The price of the form is the last one: the order rests, or is filled at once.
    await page.keyboard.press('Shift+B');
    await expect(amount).toHaveValue('');
    expect(sent).toEqual(['/api/coin/trade']);

    // Sent once, the form is empty: a second press finds nothing to send.
    await form.getByRole('tab', { name: 'Market', exact: true }).click();
    await form.getByLabel('Total', { exact: true }).fill('100');
    await form.getByLabel('Total', { exact: true }).blur();
    await page.keyboard.press('Shift+B');
    await expect(amount).toHaveValue('');
    await page.keyboard.press('Shift+B');
    await form.getByRole('alert').waitFor();
    expect(sent).toHaveLength(2);

    // A click on a price with Shift sends the order at that price, and neither the second click nor another width of
    // the window, which mounts the form again, sends it a second time.
    await form.getByRole('tab', { name: 'Limit', exact: true }).click();
    await amount.fill('0.001');
    await page
      .getByRole('table', { name: 'Order book' })
      .getByRole('rowgroup')
      .last()
      .getByRole('button')
      .first()
      .dblclick({ modifiers: ['Shift'] });
    await expect(amount).toHaveValue('');
    await page.setViewportSize({ width: 900, height: 900 });
    await page.getByRole('separator').first().waitFor({ state: 'detached' });
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.getByRole('separator').first().waitFor();
    expect(sent).toHaveLength(3);

    // A price far from the market still asks.
    await form.getByLabel('Price', { exact: true }).fill(String(await readFarPrice()));
    await amount.fill('0.001');
    await amount.blur();
    await page.keyboard.press('Shift+B');
    await page.getByText('This price differs by', { exact: false }).waitFor();
    // Only an order that the exchange has accepted is cancelled.
    const placed = page.waitForResponse((answer) => answer.url().includes('/api/coin/trade?') && answer.ok());
    await page.keyboard.press('Enter');
    await placed;
    const rows = page.getByRole('region', { name: 'Open orders' }).getByRole('row').filter({ hasText: '0.0010' });
    await rows.first().waitFor();
    await page.keyboard.press('Shift+X');
    await page.getByText(/orders? cancelled$/).waitFor();
    await expect(rows).toHaveCount(0);

    await amount.fill('1,000');
    await amount.blur();
    await page.keyboard.press('Shift+B');
    await expect(amount).toBeFocused();
    await amount.blur();
    await status.click();
    await expect(status).toHaveCount(0);
    await page.keyboard.press('Shift+X');
    expect(sent.slice(3)).toEqual(['/api/coin/trade', '/api/coin/cancel_all']);
  });
});

test.describe('orders', () => {
  test('a resting order shows in the list and on the chart, and leaves when it is cancelled [TERM-040]', async () => {
    const { page } = await visitAt('/dealCenter', { stored: trader() });
    const form = page.getByRole('form', { name: 'Buy BTC/USDT' });
    const whole = await readFarPrice();
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
