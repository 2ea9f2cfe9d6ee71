import type { Page } from '@playwright/test';
import type { Ad, Deal, Shop } from '@bourse/contract';

const AD: Ad = {
  id: 71,
  kind: 'shop',
  type: 'sell',
  currency_id: 3,
  currency_name: 'USDT',
  coin_code: 'CNY',
  price: '6.50',
  total_number: '1000.00000000',
  surplus_number: '800.00000000',
  way: 'bank',
  seller_name: 'Harbour Desk',
  seller_id: 100020,
  status: 1,
  limit_minutes: 30,
  min_number: '10.00000000',
  max_number: '500.00000000',
  fee_rate: '0.1',
  deals: 12,
  done_rate: '91.66',
  release_seconds: 245,
  shop_id: 5,
  level: 'verified',
  create_time: '2026-01-01 00:00:00',
  is_mine: 0,
};
export const SHOP: Shop = {
  id: 5,
  name: 'Harbour Desk',
  currency_id: 3,
  currency_name: 'USDT',
  level: 'verified',
  status: 1,
  merchant_balance: '20000.00000000',
  lock_merchant_balance: '801.00000000',
  deposit: '500.00000000',
  deals: 12,
  done_rate: '91.66',
  release_seconds: 245,
  ads: 1,
};
const DEAL: Deal = {
  id: '8001',
  ad_id: 71,
  kind: 'shop',
  type: 'sell',
  role: 'seller',
  currency_id: 3,
  currency_name: 'USDT',
  number: '40.00000000',
  price: '6.50',
  deal_money: '260.00',
  coin_code: 'CNY',
  out_fee: '0.04000000',
  way: 'bank',
  way_name: 'Bank transfer',
  is_sure: 0,
  appeal: 0,
  create_time: 1_767_225_600,
  format_create_time: '2026-01-01 00:00:00',
  deadline: '2099-01-01 00:00:00',
  remain_seconds: 1_800,
  seller_name: 'Harbour Desk',
  account_number: 'tra****@demo.bourse',
  seller_phone: '',
  phone: '',
  hes_realname: 'Trader Three',
  sell_cash_info: null,
  user_cash_info: null,
  next: 'The buyer pays',
  can: [],
  unread: 0,
  proof: '',
};

/** The queries and posts, and the answer that the next post gets instead of success. */
export interface Stubs {
  readonly asked: { readonly path: string; readonly query: Readonly<Record<string, string>> }[];
  readonly posted: { readonly path: string; readonly fields: Readonly<Record<string, string>> }[];
  /** One's shops; two of them where this is left out. */
  shops: readonly Shop[] | undefined;
  refuseNext: { readonly key: string; readonly message: string } | undefined;
}

/** Answers the shops' calls in the page: one shop with ads and a deal, successes that are written down. */
export async function stubShops(page: Page): Promise<Stubs> {
  const stubs: Stubs = { asked: [], posted: [], shops: undefined, refuseNext: undefined };
  const paged = <T>(data: readonly T[]) => ({ data, page: 1, page_size: 10, total: data.length, has_more: 0 });
  const reads: Readonly<Record<string, (query: URLSearchParams) => unknown>> = {
    ads: (query) => paged(query.get('type') === 'sell' ? [AD] : []),
    shop: () => ({ ...SHOP, ads: [AD] }),
    terms: () => ({
      coin: 'USDT',
      levels: [
        { level: 'verified', deposit: '500', limit: '5000' },
        { level: 'advanced', deposit: '2000', limit: '50000' },
      ],
    }),
    my_shops: () =>
      stubs.shops ?? [SHOP, { ...SHOP, id: 6, name: 'Coin Corner', currency_id: 1, currency_name: 'BTC', status: 0 }],
    my_ads: () => paged([AD, { ...AD, id: 72, status: 2 }]),
    my_deals: (query) => paged(['1', '2'].includes(query.get('is_sure') ?? '') ? [] : [DEAL]),
  };
  const answers: Readonly<Record<string, object>> = {
    shop_apply: { shop: { ...SHOP, status: 0 } },
    merchant_transfer: { shop: SHOP },
    send: { ad: AD },
    back_send: { ad: { ...AD, status: 2 } },
    do_deal: { deal: { ...DEAL, role: 'buyer' }, id: DEAL.id },
  };
  await page.route('**/api/legal/**', async (route) => {
    const url = new URL(route.request().url());
    const path = url.pathname.replace('/api/legal/', '');
    if (route.request().method() === 'POST') {
      stubs.posted.push({ path, fields: Object.fromEntries(new URLSearchParams(route.request().postData() ?? '')) });
      const refusal = stubs.refuseNext;
      stubs.refuseNext = undefined;
      return route.fulfill({
        json: refusal
          ? { type: 'error', ...refusal, request_id: 'r' }
          : { type: 'ok', message: 'Done so', key: 'done', request_id: 'r', ...answers[path] },
      });
    }
    url.searchParams.delete('timestamp');
    stubs.asked.push({ path, query: Object.fromEntries(url.searchParams) });
    return route.fulfill({ json: { type: 'ok', message: reads[path]?.(url.searchParams), request_id: 'r' } });
  });
  return stubs;
}
