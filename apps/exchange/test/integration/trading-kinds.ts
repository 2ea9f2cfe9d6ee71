/* The operations of the traders of `TradingLog`, and the lists that show them. */

export type Kind =
  | 'order'
  | 'transfer'
  | 'withdrawal'
  | 'position'
  | 'contract'
  | 'deal'
  | 'deposit'
  | 'term'
  | 'exchange';
/** Operations that are listed by id: all but orders, which are compared with the book. */
export type Movement = Exclude<Kind, 'order'>;
export type Random = (below: number) => number;
export type Fields = Readonly<Record<string, string>>;
interface Listed {
  readonly id: string | number;
}

const BTC_USDT = { legal_id: '3', currency_id: '1' };
const USDT = '3';
const TRC20 = '4';
/** An external address on TRON: base58, with its checksum. */
const OUTSIDE = 'TMVQGm1qAQYVdetCeGRRkTWYYrLXuHK2HC';
const FUND = 'fund66';
/** Seven days of USDT, of which a person must put aside 100. */
/** Between these prices orders are placed, to buy and to sell. */
export const PRICES = { from: 56_000, to: 56_039 } as const;
const TERM = '1';
const ACCOUNTS = ['change', 'legal', 'lever', 'micro'] as const;

/** A call for each kind but deals and deposits, which name an ad or an acceptor (`TradingDeals`). */
export const CALLS: Readonly<
  Record<Exclude<Kind, 'deal' | 'deposit'>, { readonly path: string; fields(random: Random, client: string): Fields }>
> = {
  order: {
    path: '/api/coin/trade',
    fields: (random, client) => ({
      ...BTC_USDT,
      type: String(1 + random(2)),
      target_price: `${PRICES.from + random(PRICES.to - PRICES.from + 1)}.00`,
      amount: `0.00${1 + random(9)}`,
      client_order_id: client,
    }),
  },
  transfer: {
    path: '/api/wallet/change',
    fields: (random) => {
      const from = random(ACCOUNTS.length);
      const to = (from + 1 + random(ACCOUNTS.length - 1)) % ACCOUNTS.length;
      return {
        currency_id: USDT,
        number: `0.${String(1 + random(999_999)).padStart(6, '0')}`,
        from_field: ACCOUNTS[from]!,
        to_field: ACCOUNTS[to]!,
      };
    },
  },
  withdrawal: {
    path: '/api/wallet/out',
    fields: (random) => ({
      currency: USDT,
      type: TRC20,
      number: `1${random(10)}.${String(random(999_999)).padStart(6, '0')}`,
      address: OUTSIDE,
      pay_password: FUND,
    }),
  },
  position: {
    path: '/api/lever/submit',
    fields: (random) => ({
      ...BTC_USDT,
      type: String(1 + random(2)),
      status: '1',
      multiple: '20',
      share: String(1 + random(3)),
    }),
  },
  contract: {
    path: '/api/microtrade/submit',
    fields: (random) => ({
      match_id: '1',
      currency_id: USDT,
      type: String(1 + random(2)),
      seconds: '30',
      number: String(10 + random(5)),
    }),
  },
  term: {
    path: '/api/currency/lhDeposit',
    fields: (random) => ({
      config_id: TERM,
      currency_id: USDT,
      amount: `10${random(10)}.${String(random(999_999)).padStart(6, '0')}`,
      password: FUND,
    }),
  },
  // Worth a few cents: an account has 500 free points, which suffice for all runs of an exchange.
  exchange: {
    path: '/api/jc/exchange',
    fields: (random) => ({ use_number: `0.${String(200_000 + random(300_000))}`, password: FUND }),
  },
};

/** The list of each, newest first. */
export const LISTS: Readonly<Record<Movement, { readonly method: 'GET' | 'POST'; readonly path: string }>> = {
  transfer: { method: 'GET', path: '/api/wallet/hzhistory' },
  withdrawal: { method: 'GET', path: '/api/wallet/out_list' },
  position: { method: 'POST', path: '/api/lever/my_trade' },
  contract: { method: 'GET', path: '/api/microtrade/lists' },
  deal: { method: 'GET', path: '/api/c2c_user_deal' },
  deposit: { method: 'GET', path: '/api/acceptor/my_deal' },
  term: { method: 'GET', path: '/api/currency/deposit/lhDepositOrderList' },
  exchange: { method: 'GET', path: '/api/jc/exchange' },
};

/** A page of a list, wherever its rows lie. */
export interface ListPage {
  readonly data: readonly Listed[];
  readonly has_more: number;
}
export const pageOf = (message: unknown): ListPage => (message as { order?: ListPage }).order ?? (message as ListPage);
