import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { ADDRESSES, SCREEN_PLACES, type ScreenName } from '../src/paths.js';
import { BASE, holdSession, openBrowser, tokenOf, visit } from './browser.js';

jest.setTimeout(240_000);

/*
 * What stands on each address (api §5): the screen's own heading and something of its own that a page of another
 * screen, or an empty one, does not show. Every screen of `paths.ts` has a line; its twins must show the same.
 */

interface Stand {
  /** Heading of the screen, or the name of its form where a market stands in the heading. */
  readonly heading?: string | RegExp;
  readonly form?: string | RegExp;
  /** Text of its own, beside menus and headings: figures and rows of a real install. */
  readonly shows: RegExp;
  /** Query without which the screen has nothing to tell. */
  readonly query?: (things: Things) => string;
  /** Who has something to see there; the others are shown to a trader. */
  readonly who?: 'seller' | 'agent' | 'acceptor';
}
/** Things of a real install that a screen is about. */
interface Things {
  readonly notice: number;
  readonly position: string;
  readonly contract: string;
  readonly deal: string;
}

const STANDS: Readonly<Partial<Record<ScreenName, Stand>>> = {
  home: { heading: /An exchange that shows its working/, shows: /BTC\/USDT/ },
  markets: { heading: 'Markets', shows: /ETH\/BTC[\s\S]*\d\.\d{4}|\d\.\d{4}[\s\S]*ETH\/BTC/ },
  spot: { form: 'Buy BTC/USDT', shows: /Open orders/ },
  micro: { form: 'Seconds contract', shows: /DOGE\/USDT/ },
  microReceipt: { heading: 'Receipt', query: ({ contract }) => `?id=${contract}`, shows: /BTC\/USDT/ },
  insurance: { heading: 'Insurance', shows: /HAP[\s\S]*My policies/ },
  fairness: { heading: 'How fair is it', shows: /What the house has at stake[\s\S]*USDT/ },
  lever: { form: 'Leverage order in BTC/USDT', shows: /Risk rate/ },
  leverTransactions: { heading: 'Open positions', shows: /Risk rate/ },
  leverList: { heading: 'Leverage orders', shows: /Pending[\s\S]*Revoked/ },
  leverPositions: { heading: 'All positions', shows: /Total profit/ },
  leverRecord: { heading: 'Story of a position', query: ({ position }) => `?id=${position}`, shows: /BTC\/USDT/ },
  running: { heading: 'Everything running', shows: /Open orders/ },
  entrusts: { heading: 'Orders', shows: /Selling[\s\S]*Completed/ },
  login: { heading: 'Log in', shows: /Forgotten password\?/ },
  register: { heading: 'Create an account', shows: /Nationality/ },
  forget: { heading: 'Reset password', shows: /New password/ },
  policy: { heading: 'Terms, privacy and risks', shows: /Who registers agrees to them/ },
  fundPassword: { heading: 'Fund password', shows: /exactly 6 letters or digits/ },
  notices: { heading: 'Notices', shows: /Welcome to the demo exchange/ },
  notice: { heading: /\S/, query: ({ notice }) => `?id=${notice}`, shows: /\d{4}-\d\d-\d\d/ },
  finance: { heading: /^Total assets/, shows: /USDT[\s\S]*\d\.\d{8}/ },
  accountDetail: {
    heading: /^(Coin|Fiat|Seconds contract) USDT$/,
    query: () => '?currency_id=3',
    shows: /Available[\s\S]*Records/,
  },
  transfer: { heading: 'Transfer between accounts', shows: /All[\s\S]*USDT|USDT[\s\S]*All/ },
  transferLog: { heading: 'Transaction log', shows: /\d{4}-\d\d-\d\d[\s\S]*USDT/ },
  transfers: { heading: 'Transfer history', shows: /1\.0+ ?USDT|USDT/ },
  deposit: { heading: 'Deposit coins', query: () => '?id=3', shows: /0x[0-9a-f]{6,}|confirmations/i },
  depositAddresses: { heading: 'My deposit addresses', shows: /bc1|0x/ },
  claims: { heading: 'Claims', shows: /links? your claim to a payment/ },
  coinRecord: { heading: 'Deposits and withdrawals', shows: /Withdrawals[\s\S]*Claims/ },
  withdrawAddresses: { heading: 'Withdrawal addresses', shows: /Bound addresses/ },
  statement: { heading: 'Statement', shows: /\d{4}-\d\d-\d\d[\s\S]*USDT/ },
  solvency: { heading: 'Proof of solvency', shows: /Snapshot #\d+[\s\S]*BTC/ },
  status: { heading: 'Status of the exchange', shows: /The exchange is open[\s\S]*Program version \d+\.\d+/ },
  accountCentre: { heading: /Hello,/, shows: /USDT[\s\S]*\d/ },
  accountSettings: { heading: 'Account settings', shows: /Security level[\s\S]*Login and protection/ },
  identity: { heading: 'Identity authentication', shows: /[Cc]ertified/ },
  bank: { heading: 'Bank account', shows: /Lisbon|Bank name|\d{4}/ },
  payment: { heading: 'Payment settings', shows: /Alipay[\s\S]*WeChat/ },
  region: { heading: 'Region users', shows: /Alfama|Belém/, who: 'agent' },
  acceptors: { heading: 'Acceptors', shows: /Pier One/ },
  messages: { heading: 'Message centre', shows: /messages|\d{4}-\d\d-\d\d/ },
  // Without its number there is no message: the screen says so under its own heading.
  message: { heading: 'Message centre', shows: /\S/ },
  help: { heading: 'Help centre', shows: /\S{3}/ },
  complaints: { heading: 'Complaints', shows: /[Cc]omplaint/ },
  bindEmail: { heading: 'Bind e-mail', shows: /Bound now/ },
  bindPhone: { heading: 'Bind phone', shows: /Area code/ },
  legalTrade: { heading: 'Fiat shops', shows: /Harbour Desk|USDT/ },
  myShops: { heading: 'My shop', shows: /Harbour Desk/, who: 'seller' },
  c2cTrade: { heading: 'C2C market', shows: /6\.50/ },
  c2cRelease: { heading: 'Publish an ad', shows: /Sell USDT/ },
  c2cOrder: { heading: 'C2C orders', shows: /My orders[\s\S]*My ads/ },
  c2cDetail: { heading: /\S/, query: ({ deal }) => `?id=${deal}`, shows: /6\.50/, who: 'acceptor' },
  c2cRecord: { heading: 'Completed deals', query: () => '?id=3', shows: /Completed deals[\s\S]*USDT/ },
  savings: { heading: 'Savings', shows: /30 days[\s\S]*0\.7/ },
  savingsOrders: { heading: 'My savings', shows: /Accrued[\s\S]*Ends/ },
  // Who has bound no account is led to where one is bound.
  points: { heading: /^(Points exchange|Bind points account)$/, shows: /market price|points programme/i },
  pointsAlone: { heading: 'Points exchange', shows: /Log in for points alone|market price/i },
  bindPoints: { heading: 'Bind points account', shows: /[Pp]oints account/ },
  team: { heading: 'My team', shows: /Team performance[\s\S]*Certified members/ },
  profit: { heading: 'Rebates', shows: /three generations/ },
  convert: { heading: 'Convert', shows: /You give[\s\S]*Best price/ },
  gallery: { heading: 'Parts', shows: /Buttons[\s\S]*Fields/ },
};
/** Addresses of this walk: those of examples have pages of their own where an example runs. */
const PLACES = (Object.keys(SCREEN_PLACES) as ScreenName[])
  .filter((name) => SCREEN_PLACES[name].example === undefined)
  .flatMap((name) => SCREEN_PLACES[name].paths.map((path) => ({ name, path, guard: SCREEN_PLACES[name].guard })));

let browser: Browser;
let things: Things;
const sessions = new Map<string, { token: string; id: number }>();
const account = (who: Stand['who']): string => (who === undefined ? 'trader3' : who);

beforeAll(async () => {
  browser = await openBrowser();
  for (const who of ['trader3', 'seller', 'agent', 'acceptor']) sessions.set(who, await tokenOf(`${who}@demo.bourse`));
  things = await prepare();
});
afterAll(async () => {
  await call('acceptor', '/api/c2c/user_legal_pay_cancel', { id: things.deal, password: 'fund66' });
  await browser.close();
});

interface Told {
  readonly type: string;
  readonly message: unknown;
  readonly id?: string | number;
  readonly key?: string;
}
async function call(who: string, path: string, fields: Record<string, string>, method = 'POST'): Promise<Told> {
  const body = new URLSearchParams(fields);
  const response = await fetch(`${BASE}${path}${method === 'GET' ? `?${body.toString()}` : ''}`, {
    method,
    headers: { authorization: sessions.get(who)?.token ?? '' },
    ...(method === 'GET' ? {} : { body }),
  });
  return (await response.json()) as Told;
}
/** A notice, a position that was closed again, a seconds contract, a deal that waits for payment, a transfer. */
async function prepare(): Promise<Things> {
  const news = (await call('trader3', '/api/news/list', { c_id: '11' })).message as { list: { id: number }[] };
  const pair = { legal_id: '3', currency_id: '1' };
  const opened = await call('trader3', '/api/lever/submit', {
    ...pair,
    type: '1',
    status: '1',
    multiple: '10',
    share: '1',
  });
  if (opened.type === 'ok') await call('trader3', '/api/lever/close', { id: String(opened.id) });
  const positions = (await call('trader3', '/api/lever/my_trade', {})).message as { order: { data: { id: string }[] } };
  await call('trader3', '/api/microtrade/submit', {
    match_id: '1',
    currency_id: '3',
    type: '1',
    seconds: '30',
    number: '10',
  });
  const contracts = (await call('trader3', '/api/microtrade/lists', {}, 'GET')).message as { data: { id: string }[] };
  const ads = (await call('acceptor', '/api/c2c_deal_platform', { type: 'sell', currency_id: '3' }, 'GET')).message as {
    data: { id: number; price: string }[];
  };
  const ad = ads.data.find(({ price }) => Number(price) === 6.5);
  await call('acceptor', '/api/c2c/do_legal_deal', { id: String(ad?.id), number: '10', password: 'fund66' });
  const deals = (await call('acceptor', '/api/c2c_user_deal', {}, 'GET')).message as { data: { id: string }[] };
  const move = { number: '1', currency_id: '3' };
  await call('trader3', '/api/wallet/change', { ...move, from_field: 'change', to_field: 'legal' });
  await call('trader3', '/api/wallet/change', { ...move, from_field: 'legal', to_field: 'change' });
  return {
    notice: news.list[0]?.id ?? 0,
    position: positions.order.data[0]?.id ?? '',
    contract: contracts.data[0]?.id ?? '',
    deal: deals.data[0]?.id ?? '',
  };
}

/** A person's pages: several at once, each going from address to address. */
async function walk<P>(
  who: string | undefined,
  places: readonly P[],
  look: (page: Page, place: P, complaints: string[]) => Promise<string | undefined>,
  atOnce = 3,
): Promise<string[]> {
  if (places.length === 0) return [];
  const { context, page: first } = await visit(browser);
  const session = who === undefined ? undefined : sessions.get(who);
  if (session) await holdSession(context, session);
  await first.close();
  const left = [...places];
  const found: string[] = [];
  const lane = async (): Promise<void> => {
    const { page, complaints } = await openPage(context);
    for (let place = left.shift(); place !== undefined; place = left.shift()) {
      const wrong = await look(page, place, complaints);
      if (wrong !== undefined) found.push(wrong);
      complaints.length = 0;
    }
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, places.length) }, lane));
  await context.close();
  return found.sort();
}
async function openPage(context: BrowserContext): Promise<{ page: Page; complaints: string[] }> {
  const page = await context.newPage();
  page.setDefaultTimeout(15_000);
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(`uncaught: ${error.message}`));
  return { page, complaints };
}
/** Goes there as a link does: the page is loaded once, what stands at each address is drawn anew. */
async function go(page: Page, address: string): Promise<void> {
  if (!page.url().startsWith(BASE)) {
    await page.goto(`${BASE}${address}`);
    return;
  }
  await page.evaluate((to) => {
    history.pushState(null, '', to);
    dispatchEvent(new PopStateEvent('popstate', { state: null }));
  }, address);
}

/** What is not there of what should stand on a screen. */
async function missing(page: Page, stand: Stand): Promise<string | undefined> {
  const main = page.locator('main').last();
  const own =
    stand.form === undefined
      ? main.getByRole('heading', { name: stand.heading!, exact: true }).first()
      : main.getByRole('form', { name: stand.form }).first();
  try {
    await own.waitFor();
    await main.filter({ hasText: stand.shows }).waitFor();
    return undefined;
  } catch {
    return `no ${String(stand.form ?? stand.heading)} with ${String(stand.shows)}, but ${JSON.stringify((await main.innerText()).replace(/\s+/g, ' ').slice(0, 300))}`;
  }
}
const addressOf = (path: string, { query }: Stand): string => `${path}${query?.(things) ?? ''}`;

describe('addresses', () => {
  test('each answers 200, and a person sees its own screen on it, twins the same [COVER-010]', async () => {
    const people = ['trader3', 'seller', 'agent', 'acceptor'] as const;
    const known = PLACES.filter(({ name }) => STANDS[name] !== undefined);
    const statuses = await Promise.all(
      known.map(async ({ path }) => [
        path,
        (await fetch(`${BASE}${path}`, { headers: { accept: 'text/html' } })).status,
      ]),
    );
    expect(statuses.filter(([, status]) => status !== 200)).toEqual([]);
    const wrong: string[] = [];
    for (const who of people) {
      const mine = known.filter(
        ({ name }) => account(STANDS[name]!.who) === who && !['login', 'register'].includes(name),
      );
      wrong.push(
        ...(await walk(who, mine, async (page, { name, path }, complaints) => {
          const stand = STANDS[name]!;
          await go(page, addressOf(path, stand));
          const lacks = await missing(page, stand);
          if (lacks !== undefined) return `${path}: ${lacks}`;
          return complaints.length > 0 ? `${path}: ${complaints.join('; ')}` : undefined;
        })),
      );
    }
    expect(wrong).toEqual([]);
  });

  test('every screen has a line of its own [COVER-010]', () => {
    const names = [...new Set(PLACES.map(({ name }) => name))];
    expect(names.filter((name) => STANDS[name] === undefined)).toEqual([]);
    const lines = names.map(
      (name) => `${String(STANDS[name]?.form ?? STANDS[name]?.heading)} ${String(STANDS[name]?.shows)}`,
    );
    expect(lines.filter((line, at) => lines.indexOf(line) !== at)).toEqual([]);
  });

  test('a guest sees the open ones, and is led to the login from all others [COVER-011]', async () => {
    const wrong = await walk(
      undefined,
      PLACES.filter(({ name }) => STANDS[name] !== undefined),
      async (page, { name, path, guard }) => {
        const stand = STANDS[name]!;
        await go(page, addressOf(path, stand));
        if (guard === 'points') return undefined; // it asks for a session of its own
        if (guard !== 'open') {
          const led = await page.waitForURL(/\/components\/login/).then(
            () => true,
            () => false,
          );
          return led ? undefined : `${path} lets a guest in`;
        }
        const lacks = await missing(page, GUEST[name] ?? stand);
        return lacks === undefined ? undefined : `${path}: ${lacks}`;
      },
    );
    expect(wrong).toEqual([]);
  });

  test('an address that is none answers 404 with a page that says so [COVER-012]', async () => {
    const none = [
      '/no-such-screen',
      '/dealcenter',
      '/dealCenter/',
      '/account/nothing',
      '/new_account/nothing',
      '/manage/x',
    ];
    expect(ADDRESSES).not.toContain(none[0]);
    const wrong = await walk(undefined, none, async (page, path) => {
      const answer = await page.goto(`${BASE}${path}`);
      await page.getByRole('heading', { name: 'Page not found' }).waitFor();
      return answer?.status() === 404 ? undefined : `${path}: HTTP ${answer?.status()}`;
    });
    expect(wrong).toEqual([]);
  });
});

/** What a guest sees where it is another thing than what a person sees. */
const GUEST: Readonly<Partial<Record<ScreenName, Stand>>> = {
  spot: { heading: /BTC\/USDT/, shows: /Log in/ },
  lever: { heading: /BTC\/USDT/, shows: /Log in/ },
  micro: { heading: /BTC\/USDT/, shows: /Log in/ },
};
