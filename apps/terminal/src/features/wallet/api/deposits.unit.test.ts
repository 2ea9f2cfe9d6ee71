import { expect, test } from '@jest/globals';
import type { ApiClient } from '@bourse/api-client';
import { allAddresses } from './deposits.js';

/** A server that lists addresses of USDT in one call, and tells those of other coins network by network. */
const server = {
  coded: () =>
    Promise.resolve({
      list: [
        { currency_id: 3, name: 'USDT', addressErc: '', ercName: 'ERC20', addressTrc: 'T-usdt', trcName: 'TRC20' },
      ],
    }),
  post: (path: string, { currency, type }: { currency: number; type?: number }) =>
    Promise.resolve(
      path === '/api/wallet/get_info'
        ? { message: { type_data: currency === 4 ? [] : [{ id: 11, name: `net-${currency}` }] } }
        : { message: `address-${currency}-${type}`, memo: currency === 5 ? '77' : '', note: '' },
    ),
} as unknown as ApiClient;

test('every coin with a network has its address, the joint call knows it or not [WALLETVIEW-024]', async () => {
  const addresses = await allAddresses(server, [
    { currency: 3, currency_name: 'USDT' },
    { currency: 1, currency_name: 'BTC' },
    { currency: 4, currency_name: 'CNY' },
    { currency: 5, currency_name: 'XRP' },
  ]);
  expect(addresses.filter(({ currency }) => currency !== 3)).toEqual([
    { currency: 1, coin: 'BTC', network: 'net-1', address: 'address-1-11', memo: '' },
    { currency: 5, coin: 'XRP', network: 'net-5', address: 'address-5-11', memo: '77' },
  ]);
  expect(addresses.some(({ coin, address }) => coin === 'USDT' && address === 'T-usdt')).toBe(true);
});
