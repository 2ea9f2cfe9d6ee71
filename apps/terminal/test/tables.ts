import type { Page } from '@playwright/test';
import { call, expect, FUND, funded, type Person, saveScreenshot, walkTo } from '@bourse/web/testing';
import { BASE, visitAs } from './browser.js';

/*
 * Tables of the products with a realistic row in each: no figure may be cut, covered, or out of the line of its column.
 */

export const TABLE_WIDTHS = [1280, 1366, 1440, 1536, 1920, 390] as const;

interface Place {
  readonly path: string;
  /** Tab of the panel. */
  readonly tab?: string;
  /** Each row says when: no width takes the time away. */
  readonly timed?: boolean;
}
const TABLE_PLACES: readonly Place[] = [
  { path: '/leverdealCenter?legalId=3&currencyId=1', tab: 'open' },
  { path: '/leverdealCenter?legalId=3&currencyId=1', tab: 'buy' },
  { path: '/leverdealCenter?legalId=3&currencyId=1', tab: 'history', timed: true },
  { path: '/leverList' },
  { path: '/dealCenter?legalId=3&currencyId=1', tab: 'open', timed: true },
  { path: '/dealCenter?legalId=3&currencyId=1', tab: 'done', timed: true },
  { path: '/dealCenter?legalId=3&currencyId=1', tab: 'trades', timed: true },
  { path: '/accountEntrust', tab: 'in' },
  { path: '/secondsOrder', tab: 'running' },
  { path: '/secondsOrder', tab: 'closed' },
  { path: '/manageList' },
  { path: '/c2cTrade' },
  { path: '/c2cOrder?tab=taken', tab: 'taken' },
];

/** A person with rows in the tables of spot, leverage and savings; `answerContractLists` adds the contracts. */
export async function personWithRows(): Promise<Person> {
  const person = await funded({ change: { 3: '120000' }, lever: { 3: '60000' } });
  const pair = { legal_id: 3, currency_id: 1 };
  const post = (path: string, fields: Record<string, string | number>) =>
    call(path, { ...pair, ...fields }, person.token);
  const orders: Record<string, string>[] = [
    { order_type: 'market', amount: '0.0231' },
    { order_type: 'limit', target_price: '20000.01', amount: '1.2345' },
    { order_type: 'stop_limit', target_price: '987654.32', stop_price: '987600.01', amount: '0.0123' },
  ];
  for (const order of orders) await post('/api/coin/trade', { type: 1, ...order });
  const open = { type: 1, status: 1, multiple: 20, share: 123 };
  await post('/api/lever/submit', { ...open, target_profit_price: '99000.01', stop_loss_price: '' });
  const closed = await post('/api/lever/submit', { ...open, type: 2, share: 7 });
  await call('/api/lever/close', { id: closed['id'] as string }, person.token);
  await post('/api/lever/submit', { ...open, status: 0, target_price: '20000.01', share: 7 });
  await call(
    '/api/currency/lhDeposit',
    { config_id: 3, currency_id: 3, amount: '12345.6789', password: FUND },
    person.token,
  );
  return person;
}

/** A page of a list as the calls answer it. */
const list = (data: readonly object[]) => ({
  contentType: 'application/json',
  body: JSON.stringify({
    type: 'ok',
    message: { data, total: data.length, per_page: 20, current_page: 1, last_page: 1, page: 1, limit: 20 },
    request_id: 'rows',
  }),
});
const CONTRACT = {
  match_id: 1,
  symbol_name: 'BTC/USDT',
  currency_id: 3,
  currency_name: 'USDT',
  type: 1,
  seconds: 3_600,
  number: '1234.56000000',
  fee: '2.46912000',
  profit_ratio: '80',
  open_price: '57120.01',
  remain_milli_seconds: 3_600_000,
  insured: 0,
  create_time: '2026-11-22 12:00:00',
  open_time: '2026-11-22 12:00:01',
};

/** Answers the lists of contracts with a running and a closed one: a real contract needs time until it is settled. */
async function answerContractLists(page: Page): Promise<void> {
  await page.route('**/api/microtrade/lists?**', async (route) => {
    const closed = new URL(route.request().url()).searchParams.get('status') === '3';
    const end = closed
      ? {
          status: 3,
          result: 'win',
          fact_profits: '987.64800000',
          end_price: '57220.34',
          expire_time: '2026-11-22 13:00:01',
          handle_time: '2026-11-22 13:00:01',
        }
      : {
          status: 1,
          result: '',
          fact_profits: '0.00000000',
          end_price: '',
          expire_time: '2036-11-22 13:00:01',
          handle_time: '',
        };
    await route.fulfill(list([{ ...CONTRACT, id: closed ? '8' : '9', ...end }]));
  });
}

const AD = {
  id: 71,
  kind: 'c2c',
  type: 'sell',
  currency_id: 3,
  currency_name: 'USDT',
  coin_code: 'CNY',
  price: '6.5123',
  total_number: '98765.43210000',
  surplus_number: '87654.32100000',
  way: 'bank',
  way_name: 'Bank',
  seller_name: 'sel****@demo.bourse',
  seller_id: 100040,
  status: 1,
  limit_minutes: 1_440,
  min_number: '10.50000000',
  max_number: '12345.67000000',
  fee_rate: '0.1',
  deals: 1_234,
  done_rate: '98.76',
  shop_id: 0,
  level: 'verified',
  create_time: '2026-11-22 12:00:00',
  is_mine: 0,
};
const DEAL = {
  ...AD,
  id: '9007199254740991',
  ad_id: 71,
  role: 'buyer',
  number: '12345.67000000',
  deal_money: '80399.78',
  out_fee: '12.34567000',
  is_sure: 0,
  appeal: 0,
  create_time: 1_795_000_000,
  format_create_time: '2026-11-22 12:00:00',
  deadline: '2026-11-23 12:00:00',
  remain_seconds: 86_000,
  account_number: 'tra****@demo.bourse',
  seller_phone: '',
  phone: '',
  hes_realname: '',
  sell_cash_info: null,
  user_cash_info: null,
  next: '',
  can: [],
  unread: 12,
  proof: '',
};

/** Answers the lists of C2C, whose rows need a second person. */
async function answerDealLists(page: Page): Promise<void> {
  await page.route('**/api/c2c_deal_platform?**', (route) =>
    route.fulfill(list([AD, { ...AD, id: 72, price: '17.00', surplus_number: '3.00000000', level: '' }])),
  );
  await page.route('**/api/c2c_user_deal?**', (route) =>
    route.fulfill(list([DEAL, { ...DEAL, id: '12', number: '1.50000000', deal_money: '9.77', unread: 0 }])),
  );
}

/** Names the faults of the figures in the visible tables. */
const tableFaults = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const found: string[] = [];
    const rectsOf = (element: Element): DOMRect[] => {
      const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
      const rects: DOMRect[] = [];
      while (walker.nextNode()) {
        const text = walker.currentNode as Text;
        const holder = text.parentElement;
        if (text.data.trim() === '' || holder?.closest('.sr-only') || !holder?.checkVisibility()) continue;
        const range = document.createRange();
        range.selectNodeContents(text);
        rects.push(...range.getClientRects());
      }
      return rects.filter(({ width }) => width > 1);
    };
    for (const table of document.querySelectorAll<HTMLTableElement>('main [role=region] table')) {
      if (!table.checkVisibility()) continue;
      const region = table.closest<HTMLElement>('[role=region]')!;
      const name = region.getAttribute('aria-label') ?? '';
      if (region.scrollWidth > region.clientWidth + 1) found.push(`${name} is wider than its place`);
      const cards = table.classList.contains('card-table');
      for (const cell of table.querySelectorAll<HTMLElement>('tbody td, thead th')) {
        if (cards && cell.tagName === 'TH') continue;
        const words = `${name}: ${(cell.textContent ?? '').trim()}`;
        cell.scrollIntoView({ block: 'center', inline: 'nearest' });
        const box = cell.getBoundingClientRect();
        for (const rect of rectsOf(cell)) {
          if (rect.left < box.left - 1 || rect.right > box.right + 1) found.push(`outside of its cell: ${words}`);
          if (rect.left < -1 || rect.right > innerWidth + 1) found.push(`outside of the window: ${words}`);
          for (const x of [rect.left + 2, (rect.left + rect.right) / 2, rect.right - 2]) {
            const top = document.elementFromPoint(x, (rect.top + rect.bottom) / 2);
            // What is scrolled out of its panel cannot be met; what lies over it in the same table can.
            if (top && table.contains(top) && !cell.contains(top)) found.push(`covered: ${words}`);
          }
        }
      }
      if (cards) continue;
      // The figures of a column end at one edge, each line of them.
      const columns = table.rows[0]?.cells.length ?? 0;
      for (let column = 0; column < columns; column += 1) {
        const ends = [...table.tBodies[0]!.rows].flatMap((row) => {
          const cell = row.cells[column];
          if (!cell || getComputedStyle(cell).textAlign !== 'right' || cell.querySelector('button, a')) return [];
          const rects = rectsOf(cell);
          if (rects.length === 0) return [];
          return [Math.round(Math.max(...rects.map(({ right }) => right)))];
        });
        if (Math.max(...ends) - Math.min(...ends) > 1) found.push(`${name}: column ${column + 1} is not in line`);
      }
    }
    return [...new Set(found)];
  });

/** Opens each place once and looks at it in each width. @returns what is wrong, by place and width */
export async function checkTables(
  person: Person,
  locale: string,
  widths: readonly number[],
  theme: 'dark' | 'white' = 'dark',
): Promise<Record<string, string[]>> {
  const { page, context } = await visitAs(person, undefined, { locale, theme });
  await answerContractLists(page);
  await answerDealLists(page);
  const found: Record<string, string[]> = {};
  for (const { path, tab, timed } of TABLE_PLACES) {
    await page.setViewportSize({ width: 1440, height: 900 });
    if (page.url().startsWith(BASE)) await walkTo(page, path);
    else await page.goto(`${BASE}${path}`);
    if (tab !== undefined) await page.locator(`[data-tab="${tab}"]`).click();
    const row = page.locator('main [role=region] tbody tr', { hasText: /\d/ }).first();
    await row.waitFor();
    for (const width of widths) {
      await page.setViewportSize({ width, height: width < 768 ? 844 : 900 });
      const faults = await expectStill(page);
      if (timed && !(await row.locator('time').first().isVisible())) faults.push('a row without its time');
      if (faults.length > 0) found[`${path} ${tab ?? ''} ${width} px`] = faults;
      await saveScreenshot(page, `${path.split('?')[0]?.slice(1)}-${tab ?? ''}-${theme}-${locale}-${width}`, false);
    }
  }
  await context.close();
  return found;
}

/** Faults that stay: while a width settles a figure may be on its way to its place. */
async function expectStill(page: Page): Promise<string[]> {
  let faults: string[] = [];
  await expect
    .poll(async () => (faults = await tableFaults(page)), { timeout: 3_000 })
    .toEqual([])
    .catch(() => undefined);
  return faults;
}
