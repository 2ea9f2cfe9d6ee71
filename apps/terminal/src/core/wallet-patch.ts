import type { BalanceUpdatePush, CoinBalance, WalletList } from '@bourse/contract';

const GROUPS = {
  change: 'change_wallet',
  legal: 'legal_wallet',
  lever: 'lever_wallet',
  micro: 'micro_wallet',
} as const;
type Account = keyof typeof GROUPS;

/**
 * The wallet with the pushed balances in it, or undefined when it holds a coin the list does not know. Totals stay
 * until the next read.
 */
export function patchWallet(
  wallet: WalletList,
  { balances }: Pick<BalanceUpdatePush, 'balances'>,
): WalletList | undefined {
  let next = wallet;
  for (const { currency, account, balance, lock_balance: held } of balances) {
    if (!(account in GROUPS)) continue;
    if (!next[GROUPS[account as Account]].balance.some((coin) => coin.currency === currency)) return undefined;
    const patch = { [`${account}_balance`]: balance, [`lock_${account}_balance`]: held } as Partial<CoinBalance>;
    // A coin is in the list of each account that may hold it, with the balances of all four.
    for (const group of Object.values(GROUPS)) {
      next = {
        ...next,
        [group]: {
          ...next[group],
          balance: next[group].balance.map((coin) => (coin.currency === currency ? { ...coin, ...patch } : coin)),
        },
      };
    }
  }
  return next;
}
