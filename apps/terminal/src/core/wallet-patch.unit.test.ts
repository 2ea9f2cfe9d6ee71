import { expect, test } from '@jest/globals';
import type { CoinBalance, WalletList } from '@bourse/contract';
import { patchWallet } from './wallet-patch.js';

const coin = (currency: number): CoinBalance => ({
  currency,
  currency_name: `C${currency}`,
  change_balance: '1',
  lock_change_balance: '0',
  legal_balance: '2',
  lock_legal_balance: '0',
  lever_balance: '3',
  lock_lever_balance: '0',
  micro_balance: '4',
  lock_micro_balance: '0',
  usdt_price: '1',
  is_match: 1,
  is_legal: 1,
  is_lever: 1,
  is_micro: 1,
  multi_protocol: 0,
  contract_address: '',
  is_show_memo: 0,
  currency_type: 'coin',
  ExRate: '6.5',
});
const group = (...ids: number[]) => ({ balance: ids.map(coin), usdt_totle: '0' });
const wallet: WalletList = {
  account_number: 'a',
  total_assets: '0',
  list: [],
  change_wallet: group(1, 3),
  legal_wallet: group(3),
  lever_wallet: group(3),
  micro_wallet: group(3),
  is_open_CTbi: 1,
};
const moved = (account: string, currency = 3) => ({
  currency,
  currency_name: 'USDT',
  account,
  balance: '9.5',
  lock_balance: '0.5',
});

test('a push changes only the account that it names [WALLETVIEW-001]', () => {
  const next = patchWallet(wallet, { balances: [moved('change')] });
  expect(next?.change_wallet.balance.map((row) => [row.currency, row.change_balance, row.lock_change_balance])).toEqual(
    [
      [1, '1', '0'],
      [3, '9.5', '0.5'],
    ],
  );
  expect(next?.legal_wallet.balance[0]).toMatchObject({ change_balance: '9.5', legal_balance: '2' });
  expect(wallet.change_wallet.balance[1]?.change_balance).toBe('1');
});

test('an unknown coin means the list is read again; accounts not shown are left out [WALLETVIEW-002]', () => {
  expect(patchWallet(wallet, { balances: [moved('change', 7)] })).toBeUndefined();
  expect(patchWallet(wallet, { balances: [moved('points')] })).toBe(wallet);
});
