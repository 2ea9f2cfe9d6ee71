import { eventually, eventuallySatisfied } from '@bourse/testing/eventually';
import { BASE } from './browser.js';

export const PEOPLE = ['trader3', 'trader1', 'trader2', 'seller', 'agent', 'acceptor'] as const;
export type Person = (typeof PEOPLE)[number];
/** Somebody who has signed in, and whoever works at the desk. */
type Caller = Person | 'support1' | 'nobody';
/** What a real install has of these people: made by the calls before the first page is looked at. */
export interface Things {
  readonly news: { readonly id: number; readonly title: string; readonly words: string };
  readonly strip: string;
  readonly message: { readonly id: number; readonly title: string };
  readonly complaint: string;
  readonly order: string;
  readonly closed: string;
  readonly contract: string;
  readonly policy: string;
  readonly deal: string;
  readonly acceptorDeal: string;
  readonly address: string;
  readonly deposit: string;
  readonly withdrawal: string;
  readonly term: string;
  /** The session of the points exchange, which screens keep apart from the other. */
  readonly points: string;
}

/** As long as an effect may take on an idle machine. */
const WAIT_MS = 18_000;
const FUND = 'fund66';
export const USDT = '3';
/** Figures that nothing else on these pages has. */
export const MARK = {
  sell: '188,888.88',
  entrust: '32,222.22',
  moved: '1.23450000',
  claim: '77.77000000',
  deposit: '60.55000000',
  withdrawal: '15.75000000',
  term: '123.45 USDT',
  sold: '21.75',
} as const;
export const POINTS_ACCOUNT = 'jcdemo2468';
const OUTSIDE = 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8';

const sessions = new Map<Caller, { token: string; id: number }>();
/** What is given back at the end, the last first. */
const undo: (() => Promise<unknown>)[] = [];

/** The session in which somebody looks at pages. */
export function sessionOf(who: Person): { token: string; id: number } {
  const session = sessions.get(who);
  if (!session) throw new Error(`${who} has not signed in`);
  return session;
}
/** What trader3 has of USDT in an account, as lists write it. */
export const balance = async (account: string): Promise<string> => {
  const { message } = await ok('trader3', '/api/wallet/detail', { currency: USDT, type: account });
  return grouped((message as Record<string, string>)[`${account}_balance`] ?? '');
};
const grouped = (decimal: string): string => decimal.replace(/\B(?=(\d{3})+\.)/g, ',');

interface Told {
  readonly type: string;
  readonly message: unknown;
  readonly [field: string]: unknown;
}
async function call(
  who: Caller,
  path: string,
  fields: Record<string, string>,
  method = 'POST',
  intent = crypto.randomUUID(),
): Promise<Told> {
  const body = new URLSearchParams(fields);
  const response = await fetch(`${BASE}${path}${method === 'GET' ? `?${body.toString()}` : ''}`, {
    method,
    headers: { authorization: sessions.get(who)?.token ?? '', 'idempotency-key': intent },
    ...(method === 'GET' ? {} : { body }),
  });
  return (await response.json()) as Told;
}
/** What a busy machine answers, and does not answer again. */
const BUSY = ['market.stale', 'common.processing', 'common.unavailable'];
/** A call that must succeed: on what it makes the pages stand. */
async function ok(who: Caller, path: string, fields: Record<string, string>, method = 'POST'): Promise<Told> {
  let intent = crypto.randomUUID();
  const told = await eventuallySatisfied(
    async () => {
      const answer = await call(who, path, fields, method, intent);
      // An act that may have happened keeps its key, so that it cannot happen twice; a refused one is another.
      if (answer['key'] === 'market.stale') intent = crypto.randomUUID();
      return answer;
    },
    ({ key }) => !BUSY.includes(String(key)),
    WAIT_MS,
  );
  if (told.type !== 'ok') throw new Error(`${path} of ${who}: ${JSON.stringify(told)}`);
  return told;
}
/** Asks until the answer holds what is waited for. */
async function found<Row>(read: () => Promise<readonly Row[]>, isIt: (row: Row) => boolean): Promise<Row> {
  const { row } = await eventually(async () => {
    const one = (await read()).find(isIt);
    return one === undefined ? undefined : { row: one };
  }, WAIT_MS);
  return row;
}
const rows = async <Row>(who: Caller, path: string, fields: Record<string, string> = {}): Promise<readonly Row[]> =>
  ((await ok(who, path, fields, 'GET')).message as { data: readonly Row[] }).data;
const listed = async <Row>(who: Caller, path: string, fields: Record<string, string>): Promise<readonly Row[]> =>
  ((await ok(who, path, fields)).message as { list: readonly Row[] }).list;
const idIn = (told: Told, field: string): string => (told[field] as { id: string }).id;

/** Makes what the pages are about, each by the calls that people make, and says how it is given back. */
export async function prepare(): Promise<Things> {
  for (const who of PEOPLE) {
    const login = { user_string: `${who}@demo.bourse`, password: 'Harbor-2468' };
    const { message: token, id } = await ok('nobody', '/api/user/login', login);
    sessions.set(who, { token: String(token), id: Number(id) });
  }
  const { message: desk } = await ok('nobody', '/api/admin/login', { username: 'support1', password: 'Harbor-2468' });
  sessions.set('support1', { token: String(desk), id: 0 });
  const trader = 'trader3';
  const pair = { legal_id: USDT, currency_id: '1' };
  const password = { password: FUND };
  const stamp = Date.now();

  const [news] = await listed<{ id: number; title: string; content: string }>(trader, '/api/news/list', { c_id: '11' });
  const [line] = await listed<{ title: string }>(trader, '/api/news/list', { c_id: '35' });
  if (!news || !line) throw new Error('a fresh install has neither news nor a strip');
  const title = `A message of the desk ${stamp}`;
  const content = '<p>What the desk has to say</p>';
  const reason = 'a walk through all addresses';
  await ok('support1', '/api/admin/notices', { user_id: String(sessions.get(trader)?.id), title, content, reason });
  const message = await found(
    () => listed<{ id: number; title: string }>(trader, '/api/notice/list', { page: '1' }),
    (notice) => notice.title === title,
  );
  const complaint = `A complaint of the walk ${stamp}`;
  const sent = await ok(trader, '/api/complaint/add', {
    kind: 'other',
    subject: complaint,
    text: 'Nothing, it is fine.',
  });
  undo.push(() => ok(trader, '/api/complaint/close', { id: String(sent['id']) }));

  const price = MARK.sell.replace(',', '');
  const { id: order } = await ok(trader, '/api/coin/trade', {
    ...pair,
    type: '2',
    target_price: price,
    amount: '0.001',
  });
  undo.push(() => call(trader, '/api/coin/trade', { id: String(order) }, 'PUT'));
  await sold(pair);
  const position = { ...pair, type: '1', multiple: '10', share: '1' };
  const { id: closed } = await ok(trader, '/api/lever/submit', { ...position, status: '1' });
  await ok(trader, '/api/lever/close', { id: String(closed) });
  const { id: open } = await ok(trader, '/api/lever/submit', { ...position, status: '1' });
  undo.push(() => ok(trader, '/api/lever/close', { id: String(open) }));
  const waiting = { ...position, status: '0', target_price: MARK.entrust.replace(',', '') };
  const { id: entrust } = await ok(trader, '/api/lever/submit', waiting);
  undo.push(() => ok(trader, '/api/lever/cancel', { id: String(entrust) }));
  const contract = await ok(trader, '/api/microtrade/submit', {
    ...{ match_id: '1', currency_id: USDT, type: '1', seconds: '300', number: '11' },
  });
  const policy = idIn(
    await ok(trader, '/api/insurance/buy', { type_id: '1', amount: '100', ...password }),
    'insurance',
  );
  undo.push(() => ok(trader, '/api/insurance/cancel', { id: policy, ...password }));

  const ad = await found(
    () =>
      rows<{ id: number; price: string }>('acceptor', '/api/c2c_deal_platform', { type: 'sell', currency_id: USDT }),
    (one) => Number(one.price) === 6.5,
  );
  const take = async (number: string): Promise<string> =>
    String((await ok('acceptor', '/api/c2c/do_legal_deal', { id: String(ad.id), number, ...password }))['id']);
  const done = await take(MARK.sold);
  await ok('acceptor', '/api/c2c/user_legal_pay', { id: done, ...password });
  await ok('seller', '/api/c2c/legal_deal_sure', { id: done, ...password });
  const deal = await take('10');
  undo.push(() => ok('acceptor', '/api/c2c/user_legal_pay_cancel', { id: deal, ...password }));
  const [pier] = (await ok(trader, '/api/acceptor/list', {}, 'GET')).message as { id: number }[];
  const acceptorDeal = idIn(
    await ok(trader, '/api/acceptor/deal', {
      ...{ acceptor_id: String(pier?.id), type: 'buy', money: '50', way: 'bank' },
      ...{ mobile: '+1 5550100', deal_account: '4000 1234' },
    }),
    'deal',
  );
  undo.push(() => ok(trader, '/api/acceptor/user_cancel', { id: acceptorDeal }));

  const move = { number: MARK.moved, currency_id: USDT };
  await ok(trader, '/api/wallet/change', { ...move, from_field: 'change', to_field: 'legal' });
  await ok(trader, '/api/wallet/change', { ...move, from_field: 'legal', to_field: 'change' });
  await ok(trader, '/api/wallet/charge_req', { currency: USDT, amount: MARK.claim, account: OUTSIDE });
  const address = String((await ok(trader, '/api/wallet/get_in_address', { currency: USDT })).message);
  const paid = await ok('nobody', '/dev/chain/deposit', { address, number: bare(MARK.deposit), currency: USDT });
  const { tx_id: payment } = paid.message as { tx_id: string };
  const { id: deposit } = await found(
    () => rows<{ id: string; tx_id: string }>(trader, '/api/wallet/deposits'),
    (one) => one.tx_id === payment,
  );
  const out = { currency: USDT, type: '4', address: OUTSIDE, number: bare(MARK.withdrawal), pay_password: FUND };
  const { id: withdrawal } = await ok(trader, '/api/wallet/out', out);

  const terms = (await ok(trader, '/api/currency/deposit/config', { currency_id: USDT }, 'GET')).message as {
    id: number;
  }[];
  const [amount] = MARK.term.split(' ');
  const term = idIn(
    await ok(trader, '/api/currency/lhDeposit', {
      ...{ config_id: String(terms[0]?.id), currency_id: USDT, amount: amount ?? '', ...password },
    }),
    'order',
  );
  undo.push(() => ok(trader, '/api/currency/deposit/cancel', { id: term, ...password }));
  const { message: bound } = await ok('trader2', '/api/jc/bind', {}, 'GET');
  if ((bound as { user_name: string }).user_name === '')
    await ok('trader2', '/api/jc/bind', { user_name: POINTS_ACCOUNT, password: 'jcdemo1' });
  // What a binding brings is booked after the answer; it is free from the next day on.
  const figures = async () => [(await call('trader2', '/api/jc/info', {}, 'GET')).message as Record<string, string>];
  await found(figures, ({ jc_integral: all }) => Number(all) >= 1_000);
  const login = { user_string: 'trader2@demo.bourse', password: 'Harbor-2468' };
  const points = String((await ok('nobody', '/api/Independent/points', login)).message);

  return {
    news: { id: news.id, title: news.title, words: wordsOf(news.content) },
    strip: line.title,
    ...{ message, complaint, address, policy, deal, acceptorDeal, deposit, term, points },
    order: String(order),
    closed: String(closed),
    contract: String(contract['id']),
    withdrawal: String(withdrawal),
  };
}
/** Gives back what can be: orders, positions, holds. */
export async function giveBack(): Promise<void> {
  for (const act of undo.splice(0).reverse()) await act();
}
/** A shown figure without its last zeros: chains have fewer decimals. */
const bare = (figure: string): string => figure.replace(/0+$/, '');
/** The first words of an article, as they are read. */
const wordsOf = (html: string): string => /[\w,' ]{12,60}/.exec(html.replace(/<[^>]*>/g, ' '))?.[0].trim() ?? '';

/** One bids for a little, and the other sells it to the best bid that there is: a row in the list of trades. */
async function sold(pair: Record<string, string>): Promise<void> {
  const told = (await ok('nobody', '/api/transaction/deal', pair)).message as { last_price: string };
  const terms = { ...pair, amount: '0.001' };
  const bid = await ok('trader1', '/api/coin/trade', { ...terms, type: '1', target_price: told.last_price });
  const { id: sale } = await ok('trader3', '/api/coin/trade', { ...terms, type: '2', order_type: 'market' });
  await found(
    () => rows<{ order_id: string }>('trader3', '/api/coin/fills'),
    ({ order_id: of }) => of === sale,
  );
  // Whoever else has bid more has bought it.
  await call('trader1', '/api/coin/trade', { id: String(bid['id']) }, 'PUT');
}
