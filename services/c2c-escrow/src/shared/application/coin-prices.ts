/** What coins are worth. */
export abstract class CoinPrices {
  /** USDT for one coin, decimal text; null while no fresh price is known. */
  abstract findUsdtPrice(currencyId: number): string | null;
}
