import type { CoinBalance, Product, WalletGroup, WalletList } from '@bourse/contract';
import { toDecimalText } from '../../../core/ticket/typing.js';
import { compareDecimals, decimals, formatUnits, multiply, toUnits } from '@bourse/money';

export const ACCOUNTS = ['change', 'legal', 'lever', 'micro'] as const satisfies readonly Product[];
/** Names of the accounts, as text keys. */
export const ACCOUNT_TEXT: Record<Product, string> = {
  change: 'wallet.accountChange',
  legal: 'wallet.accountLegal',
  lever: 'wallet.accountLever',
  micro: 'wallet.accountMicro',
};
/** `type` of /api/wallet/legal_log for each account (contract 2.2). */
export const LOG_TYPE = { legal: 1, change: 2, lever: 3, micro: 4 } as const satisfies Record<Product, number>;

/** Lists of balances, one address for each account; `/dealFinance` is an older name of the first. */
export const LIST_ADDRESS: Record<Product, string> = {
  change: '/finance',
  legal: '/legal',
  lever: '/lever',
  micro: '/micro',
};
/** Pages of one coin in one account. The contract account has none: its log opens in the list. */
export const DETAIL_ADDRESS: Partial<Record<Product, string>> = {
  change: '/dealAccount',
  legal: '/legalAccount',
  micro: '/microAccount',
};
/** The page of an account's transfers. */
export const TRANSFER_ADDRESS: Record<Product, string> = {
  change: '/transfer',
  legal: '/transferLegal',
  lever: '/transferLever',
  micro: '/transferMicro',
};

/** The account that an address names; the trading account if it names none. */
export function accountOfPath(path: string): Product {
  const tail = path.slice(path.lastIndexOf('/')).toLowerCase();
  return (
    ACCOUNTS.find((account) =>
      [LIST_ADDRESS, DETAIL_ADDRESS, TRANSFER_ADDRESS].some((addresses) => addresses[account]?.toLowerCase() === tail),
    ) ?? 'change'
  );
}

/** One coin in one account, as the table shows it. */
export interface CoinRow {
  currency: number;
  name: string;
  available: string;
  frozen: string;
  converted: string;
  zero: boolean;
}

export const groupOf = (wallet: WalletList, account: Product): WalletGroup => wallet[`${account}_wallet`];

export function coinRow(coin: CoinBalance, account: Product): CoinRow {
  const available = coin[`${account}_balance`];
  const frozen = coin[`lock_${account}_balance`];
  const scale = Math.max(decimals(available), decimals(frozen));
  const sum = toUnits(available, scale) + toUnits(frozen, scale);
  const priceScale = decimals(coin.usdt_price);
  const converted = formatUnits(multiply(sum, scale, toUnits(coin.usdt_price, priceScale), priceScale, 8, 'down'), 8);
  return { currency: coin.currency, name: coin.currency_name, available, frozen, converted, zero: sum === 0n };
}

/** Accounts a coin may be moved to and from: change takes every coin, the others those flagged for them (rules §1). */
export function accountsOf(coin: Pick<CoinBalance, 'is_legal' | 'is_lever' | 'is_micro'>): Product[] {
  return ACCOUNTS.filter(
    (account) =>
      account === 'change' ||
      (account === 'legal' && coin.is_legal === 1) ||
      (account === 'lever' && coin.is_lever === 1) ||
      (account === 'micro' && coin.is_micro === 1),
  );
}

/** The typed amount in the form of the call: `.5` is `0.5`, `5.` is `5`. Empty for nothing or zero. */
export function amountToSend(text: string): string {
  const plain = toDecimalText(text);
  return /[1-9]/.test(plain) ? plain : '';
}

/** Why an amount cannot be moved out of an account, in the order of the rules; undefined when it may be asked. */
export function transferProblem(
  amount: string,
  balance: string | undefined,
): 'transfer.amountRequired' | 'balance.insufficient' | undefined {
  if (amount === '') return 'transfer.amountRequired';
  return balance !== undefined && compareDecimals(amount, balance) > 0 ? 'balance.insufficient' : undefined;
}
