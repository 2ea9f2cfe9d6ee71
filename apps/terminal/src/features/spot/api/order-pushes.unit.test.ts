import { expect, test } from '@jest/globals';
import { QueryClient, type InfiniteData } from '@tanstack/react-query';
import type { DataPage, SpotOrder, WalletList } from '@bourse/contract';
import { patchOpenOrders } from '../model/orders.js';
import { patchQuery } from '../../../core/patch-query.js';
import { patchWallet } from '../../../core/wallet-patch.js';

type Page = Pick<DataPage<SpotOrder>, 'data'>;

/** A call whose answers the test gives when it wants to. */
function heldCall<Answer>() {
  const answers: ((answer: Answer) => void)[] = [];
  return { answers, get: () => new Promise<Answer>((resolve) => answers.push(resolve)) };
}
const orderOf = (id: string, status: 1 | 2 = 1): SpotOrder => ({ id, status, updated_ts: 1 }) as SpotOrder;
const turns = (): Promise<unknown> => new Promise(setImmediate);

test('an order that changes while the open list is read is right in its answer [SPOTVIEW-080]', async () => {
  const client = new QueryClient();
  const queryKey = ['orders'];
  const { answers, get } = heldCall<Page>();
  const read = (pages: number) =>
    client.fetchInfiniteQuery({ queryKey, queryFn: get, initialPageParam: 1, getNextPageParam: () => 2, pages });
  const push = (order: SpotOrder): void =>
    patchQuery<InfiniteData<Page>>(client, queryKey, ({ pages: [first, ...rest], ...held }) => {
      return { ...held, pages: first ? [{ data: patchOpenOrders(first.data, order) }, ...rest] : rest };
    });
  const listed = () =>
    client.getQueryData<InfiniteData<Page>>(queryKey)?.pages.map(({ data }) => data.map(({ id }) => id));

  const first = read(1);
  push(orderOf('new'));
  expect(listed()).toBeUndefined();
  answers[0]?.({ data: [orderOf('old')] });
  await first;
  expect(listed()).toEqual([['new', 'old']]);

  const second = read(2);
  answers[1]?.({ data: [orderOf('new'), orderOf('old')] });
  await turns();
  push(orderOf('newest'));
  push(orderOf('old', 2));
  expect(listed()).toEqual([['newest', 'new']]);
  answers[2]?.({ data: [orderOf('oldest')] });
  await second;
  expect(listed()).toEqual([['newest', 'new'], ['oldest']]);
});

test('a balance that is pushed while the wallet is read is in its answer [SPOTVIEW-080]', async () => {
  const client = new QueryClient();
  const queryKey = ['wallet'];
  const walletOf = (balance: string, held: string): WalletList => {
    const group = { balance: [{ currency: 3, change_balance: balance, lock_change_balance: held }] };
    return { change_wallet: group, legal_wallet: group, lever_wallet: group, micro_wallet: group } as WalletList;
  };
  const { answers, get } = heldCall<WalletList>();
  const read = client.fetchQuery({ queryKey, queryFn: get });
  patchQuery<WalletList>(client, queryKey, (held) => {
    const balances = [{ currency: 3, currency_name: 'USDT', account: 'change', balance: '2', lock_balance: '1' }];
    return patchWallet(held, { balances }) ?? held;
  });
  answers[0]?.(walletOf('3', '0'));
  await read;
  expect(client.getQueryData(queryKey)).toEqual(walletOf('2', '1'));
});

test('an answer that a later read replaced, and that later one, are not changed [SPOTVIEW-081]', async () => {
  const client = new QueryClient();
  const queryKey = ['rows'];
  client.setQueryData(queryKey, ['held']);
  const { answers, get } = heldCall<string[]>();
  const first = client.fetchQuery({ queryKey, queryFn: get });
  patchQuery<string[]>(client, queryKey, (rows) => [...rows, 'change']);
  expect(client.getQueryData(queryKey)).toEqual(['held', 'change']);
  const later = client.refetchQueries({ queryKey });
  answers[0]?.(['older']);
  answers[1]?.(['newer']);
  await Promise.all([first, later]);
  expect(client.getQueryData(queryKey)).toEqual(['newer']);
});
