import type { Locator, Page } from '@playwright/test';
import { eventuallySatisfied } from '@bourse/testing/eventually';
import { expect, funded, test } from '@bourse/web/testing';
import { BASE, callAs, holdSession, visit, visitAs } from './browser.js';
import { KINDS, LOOKS, screenCheck } from './screen-checks.js';

for (const look of LOOKS)
  test.describe(`in ${look.theme} and ${look.locale}`, () => {
    const check = screenCheck(look);
    for (const path of KINDS)
      test(`${path}: no complaint, no serious barrier [UI-010], fits a phone [UI-011]`, () => check(path));
  });

test.describe('people', () => {
  test('a visitor of a signed-in screen is led to the login, and back [UI-012]', async () => {
    const { page } = await visit();
    await page.goto(`${BASE}/finance`);
    await page.waitForURL(/\/components\/login/);
  });

  test('a newcomer registers with a code, is signed in, and sees the steps to the first order [UI-013]', async () => {
    const { page } = await visit();
    const account = `new${Date.now()}@demo.bourse`;
    await page.goto(`${BASE}/register?haccount=${encodeURIComponent(account)}`);
    await page.getByRole('button', { name: 'Send code' }).click();
    await page.getByRole('button', { name: /Again in/ }).waitFor();
    const inbox = (await (await fetch(`${BASE}/dev/inbox?to=${encodeURIComponent(account)}`)).json()) as {
      message: { code: string }[];
    };
    await page.getByLabel('Verification code').fill(inbox.message[0]?.code ?? '');
    await page.locator('input[name=password]').fill('Anchor-1357');
    await page.locator('input[name=re_password]').fill('Anchor-1357');
    await page.getByRole('checkbox').check();
    await page.locator('form button[type=submit]').click();
    await page.waitForURL('**/account/firstSteps');
    await page.getByText('0 of 4 done').waitFor();
    await page.goto(`${BASE}/dealCenter`);
    const form = page.getByRole('form', { name: 'Buy BTC/USDT' });
    await form.getByLabel('Amount', { exact: true }).fill('0.01');
    const order = { legal_id: '3', currency_id: '1', type: '1', target_price: '50000', amount: '0.01' };
    const refused = await fetch(`${BASE}/api/coin/trade`, {
      method: 'POST',
      headers: { authorization: await page.evaluate(() => localStorage.getItem('token') ?? '') },
      body: new URLSearchParams(order),
    });
    expect(await refused.json()).toMatchObject({ type: 'not' });
  });

  test('logging out clears all that was stored but the language; theme and palette stay [UI-015]', async () => {
    // The choice of theme and palette is stored with the account.
    const { token, id } = await funded({});
    const { page } = await visit({ locale: 'de' });
    await page.goto(`${BASE}/dealCenter`);
    await page.evaluate(
      (session) => {
        localStorage.setItem('token', session.token);
        localStorage.setItem('user_id', session.id);
      },
      { token, id: String(id) },
    );
    await page.goto(`${BASE}/preferences`);
    await page.getByRole('radio', { name: 'Weißes Thema' }).check();
    await page.getByRole('radio', { name: 'Blau und Orange' }).check();
    await page.getByRole('button', { name: 'Konto' }).click();
    await page.getByRole('menuitem').last().click();
    await page.waitForFunction(() => localStorage.getItem('token') === null);
    expect(
      await page.evaluate(() =>
        Object.keys(localStorage).filter(
          (key) => key !== 'locale' && !['theme', 'palette'].includes(key) && localStorage.getItem('token') !== null,
        ),
      ),
    ).toEqual([]);
    expect(await page.evaluate(() => localStorage.getItem('locale'))).toBe('de');
    const looks = (): Promise<string> =>
      page.evaluate(
        () => `${document.documentElement.dataset['theme']} ${document.documentElement.dataset['palette']}`,
      );
    expect(await looks()).toBe('white colorblind');
    await page.reload();
    expect(await eventuallySatisfied(looks, (now) => now === 'white colorblind')).toBe('white colorblind');
  });

  test('favourite pairs chosen in one browser apply in another one of the same person [PREFS-006]', async () => {
    const person = await funded({});
    const { page } = await visitAs(person, '/allmarket');
    const star = (of: Page, pair: string): Locator =>
      of.getByRole('button', { name: new RegExp(`^(Add|Remove) ${pair} (to|from) favourites$`) });
    for (const pair of ['ETH/USDT', 'BTC/USDT', 'ETH/USDT']) {
      const saved = page.waitForResponse((answer) => answer.url().includes('/api/set/preferences?') && answer.ok());
      await star(page, pair).click();
      await saved;
    }
    const { page: other } = await visitAs(person, '/allmarket');
    await other.getByRole('button', { name: 'Remove BTC/USDT from favourites' }).waitFor();
    await other.getByRole('button', { name: 'Add ETH/USDT to favourites' }).waitFor();
  });

  test('a layout and a favourite changed as the page is left are stored with the account [PREFS-007]', async () => {
    const person = await funded({});
    const { page } = await visitAs(person, '/dealCenter', { width: 1_440 });
    const handle = page.getByRole('separator', { name: 'Width of the order book' });
    const widen = async (): Promise<string | null> => {
      await handle.focus();
      await page.keyboard.press('ArrowRight');
      return handle.getAttribute('aria-valuenow');
    };
    await handle.waitFor();
    const [before, width] = [await handle.getAttribute('aria-valuenow'), await widen()];
    expect(width).not.toBe(before);
    await page.reload();
    await expect(handle).toHaveAttribute('aria-valuenow', width ?? '');
    const stored = (): Promise<string> =>
      callAs<{ preferences: object }>(person, '/api/user/info').then(({ preferences }) => JSON.stringify(preferences));
    await eventuallySatisfied(stored, (now) => now.includes(width ?? ''));
    // The page that was loaded again has sent its choice once more, and sends the next one after the answer.
    await page.waitForFunction(() => sessionStorage.getItem('preferences.unconfirmed') === null);
    // The tab is left for good: nothing of it can send the choice later.
    const wider = await widen();
    expect(wider).not.toBe(width);
    await page.goto('about:blank');
    await eventuallySatisfied(stored, (now) => now.includes(wider ?? ''));
    await page.goto(`${BASE}/allmarket`);
    await page.getByRole('button', { name: 'Add ETH/USDT to favourites' }).click();
    await page.goto('about:blank');
    await eventuallySatisfied(stored, (now) => now.includes('favourites'));
  });

  test('Ctrl+K finds pairs, own orders, pages and actions on every page [SEARCH-001]', async () => {
    const person = await funded({});
    const { page, complaints } = await visitAs(person, '/preferences');
    await page.getByRole('heading', { level: 1 }).waitFor();
    const search = page.getByRole('combobox', { name: 'Search pairs, orders, pages and actions' });
    await page.keyboard.press('Control+k');
    await search.fill('statem');
    await page.keyboard.press('Enter');
    await page.waitForURL((url) => url.pathname === '/finanrec');
    await expect(search).toHaveCount(0);
    await page.keyboard.press('Control+k');
    await search.fill('eth');
    await page.keyboard.press('Enter');
    await page.waitForURL((url) => url.pathname === '/dealCenter' && url.searchParams.get('currencyId') === '2');
    await page.getByRole('form', { name: 'Buy ETH/USDT' }).waitFor();
    await page.goto(`${BASE}/leverdealCenter`);
    await page.getByRole('button', { name: 'Choose a pair' }).waitFor();
    await page.keyboard.press('/');
    await search.fill('eth');
    await page.keyboard.press('Enter');
    // A desk shows the pair itself.
    await page.waitForURL((url) => url.pathname === '/leverdealCenter' && url.searchParams.get('currencyId') === '2');
    await expect(search).toHaveCount(0);
    expect(complaints).toEqual([]);
  });

  test('Enter before the pairs are loaded takes the first row once they are [SEARCH-003]', async () => {
    const { page, context } = await visit();
    const held: (() => Promise<void>)[] = [];
    await page.route(/\/api\/currency\/quotation_new/, (route) => void held.push(() => route.continue()));
    await page.goto(`${BASE}/help`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.keyboard.press('Control+k');
    const search = page.getByRole('combobox', { name: 'Search pairs, orders, pages and actions' });
    await search.fill('eth');
    await page.keyboard.press('Enter');
    await expect(search).toBeFocused();
    await eventuallySatisfied(
      () => held.length,
      (count) => count > 0,
    );
    for (const release of held.splice(0)) await release();
    await page.waitForURL((url) => url.pathname === '/dealCenter' && url.searchParams.get('currencyId') === '2');
    await context.close();
  });

  for (const width of [390, 768, 1440])
    test(`times of the statement's filter are shown whole at ${width} px [UI-016]`, async () => {
      const { page } = await visitAs(await funded({}), '/finanrec', { width });
      const fields = page.getByRole('group', { name: 'Filter' }).getByRole('textbox');
      await expect(fields).toHaveCount(2);
      for (const field of await fields.all()) await field.fill('2026-12-28 23:59');
      const lacking = await fields.evaluateAll((inputs) =>
        inputs.map((input) => input.scrollWidth - input.clientWidth),
      );
      expect(Math.max(...lacking)).toBeLessThanOrEqual(0);
    });

  test('the balance of seconds contracts is one line beside its name, in German too [UI-017]', async () => {
    const { page } = await visitAs(await funded({ micro: { 3: '5000' } }), '/secondsOrder?legalId=3&currencyId=1', {
      locale: 'de',
    });
    await page.getByRole('definition').getByText('5,000 USDT', { exact: true }).waitFor();
  });

  test('the way to a complaint about an order is not broken on a phone, in German too [UI-017]', async () => {
    const person = await funded({ change: { 3: '1000' } });
    const order = { legal_id: '3', currency_id: '1', type: '1', amount: '0.001', target_price: '20000' };
    await callAs(person, '/api/coin/trade', order);
    const { page } = await visitAs(person, '/accountEntrust', { width: 390, locale: 'de' });
    await page.getByRole('tab').nth(1).click();
    const link = page.locator('main a[href^="/complaints?"]');
    expect((await link.boundingBox())?.height).toBeLessThanOrEqual(24);
  });

  test('preferences chosen in one browser apply in another one of the same person [PREFS-002]', async () => {
    const person = await funded({});
    const { page } = await visitAs(person, '/preferences');
    const saved = (): Promise<unknown> =>
      page.waitForResponse((answer) => answer.url().includes('/api/set/preferences?') && answer.ok());
    for (const press of [
      () => page.getByRole('radio', { name: 'White theme' }).check({ force: true }),
      () => page.getByRole('radio', { name: 'Blue and orange' }).check({ force: true }),
      () => page.getByRole('radio', { name: /^UTC/ }).check({ force: true }),
      () => page.getByRole('switch', { name: 'Ask before a limit order' }).click(),
    ]) {
      const answered = saved();
      await press();
      await answered;
    }

    const { page: other } = await visit({ theme: 'dark' });
    await holdSession(other.context(), person);
    await other.goto(`${BASE}/preferences`);
    await expect(other.getByRole('radio', { name: 'White theme' })).toBeChecked();
    await expect(other.getByRole('radio', { name: 'Blue and orange' })).toBeChecked();
    await expect(other.getByRole('radio', { name: /^UTC/ })).toBeChecked();
    await expect(other.getByRole('switch', { name: 'Ask before a limit order' })).not.toBeChecked();
    await expect(other.getByRole('switch', { name: 'Ask before opening a leverage position' })).toBeChecked();
    expect(await other.evaluate(() => ({ ...document.documentElement.dataset }))).toMatchObject({
      theme: 'white',
      palette: 'colorblind',
    });
  });
});
