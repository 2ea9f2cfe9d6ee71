/** Prices of coins in USDT. */
export abstract class CoinPrices {
  /** USDT per coin, decimal text; null without a fresh price. */
  abstract findUsdtPrice(currencyId: number): string | null;
}
