/** Keys of the query cache, in one place so that pushes patch what the screens read. */
export const keys = {
  config: ['config'] as const,
  quotations: ['quotations'] as const,
  currencies: ['currencies'] as const,
  coin: (id: number) => ['coin', id] as const,
  bars: (symbol: string, period: string) => ['bars', symbol, period] as const,
  /** All signed-in data starts with `user`, so that signing out drops it in one stroke. */
  user: ['user'] as const,
  userInfo: ['user', 'info'] as const,
  center: ['user', 'center'] as const,
  wallet: ['user', 'wallet'] as const,
  walletLog: (currency: number, type: number) => ['user', 'wallet', 'log', currency, type] as const,
  transfers: ['user', 'wallet', 'transfers'] as const,
  orders: ['user', 'orders'] as const,
  openOrders: ['user', 'orders', 'open'] as const,
  doneOrders: ['user', 'orders', 'done'] as const,
  entrust: (tab: string) => ['user', 'orders', 'entrust', tab] as const,
  news: (category: number) => ['news', category] as const,
  newsItem: (id: number) => ['news', 'item', id] as const,
  notices: ['user', 'notices'] as const,
};
