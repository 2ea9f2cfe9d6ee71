import type { Page } from '@playwright/test';
import type { AcceptorDeal, AcceptorInfo } from '@bourse/contract';

const PIER: AcceptorInfo = {
  id: 1,
  user_id: 100030,
  name: 'Pier One',
  recharge_amount: '50000.00000000',
  recharge_rate: '2',
  cash_amount: '50000.00',
  cash_rate: '2',
  wechat_nickname: 'pier',
  wechat_account: 'pier-one',
  ali_nickname: '',
  ali_account: '',
  bank_name: 'Harbour Bank',
  bank_account: '6222021001122334455',
  bank_address: 'Quay 1',
  user_balance: '1000.00000000',
};
const DEAL: AcceptorDeal = {
  id: '9001',
  type: 'buy',
  money: '100.00',
  receive_money: '98.00000000',
  deal_account: '6217000011112222',
  acceptor_name: 'Pier One',
  hes_account: PIER.bank_account,
  way: 'bank',
  mobile: '13800001111',
  is_sure: 0,
  stage: 0,
  proof_pic: '',
  reason: '',
  object_until: '',
  disputed: 0,
  auto_time: '2099-01-01 00:00:00',
  remain_seconds: 86400,
  create_time: '2026-01-01 00:00:00',
  update_time: '2026-01-01 00:00:00',
};
const WITHDRAWAL: AcceptorDeal = {
  ...DEAL,
  id: '9002',
  type: 'sell',
  money: '50.00000000',
  receive_money: '49.00',
  stage: 1,
  proof_pic: '/icon.svg',
};
/** One of each state that a customer meets, more than a list shows at first. */
const SAMPLES: readonly AcceptorDeal[] = [
  DEAL,
  WITHDRAWAL,
  { ...WITHDRAWAL, id: '9003', stage: 0, proof_pic: '' },
  { ...WITHDRAWAL, id: '9004', stage: 2 },
  { ...DEAL, id: '9005', is_sure: 1 },
  { ...DEAL, id: '9006', is_sure: 2, reason: 'No payment arrived' },
];

/** The posted fields, and the answer that the next post of an address gets instead of success. */
export interface Stubs {
  readonly posted: { readonly path: string; readonly fields: Readonly<Record<string, string>> }[];
  refuseNext: { readonly key: string; readonly message: string } | undefined;
}

/** Answers the acceptors' calls in the page: one acceptor, deals of every state, successes that are written down. */
export async function stubAcceptors(page: Page): Promise<Stubs> {
  const stubs: Stubs = { posted: [], refuseNext: undefined };
  const paged = (data: readonly AcceptorDeal[]) => ({ data, page: 1, page_size: 10, total: data.length, has_more: 0 });
  const reads: Readonly<Record<string, (query: URLSearchParams) => unknown>> = {
    list: () => [PIER],
    info: () => PIER,
    account: () => PIER,
    my_deal: (query) => paged(SAMPLES.filter(({ type }) => (query.get('type') ?? type) === type)),
    orders: (query) =>
      paged(SAMPLES.filter((deal) => (query.get('is_sure') ?? String(deal.is_sure)) === String(deal.is_sure))),
  };
  await page.route('**/api/acceptor/**', async (route) => {
    const url = new URL(route.request().url());
    const path = url.pathname.replace('/api/acceptor/', '');
    if (route.request().method() === 'POST') {
      stubs.posted.push({
        path,
        fields: Object.fromEntries(new URLSearchParams(route.request().postData() ?? '')),
      });
      const refusal = stubs.refuseNext;
      stubs.refuseNext = undefined;
      return route.fulfill({
        json: refusal
          ? { type: 'error', ...refusal, request_id: 'r' }
          : { type: 'ok', message: 'Taken', key: 'acceptor.taken', deal: DEAL, request_id: 'r' },
      });
    }
    return route.fulfill({ json: { type: 'ok', message: reads[path]?.(url.searchParams), request_id: 'r' } });
  });
  return stubs;
}
