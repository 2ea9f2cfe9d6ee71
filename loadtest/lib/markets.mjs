// The markets of the demo install as the generator needs them, read from the exchange: prices in ticks, sizes in lots.

/**
 * `{ id, symbol, legal, currency, lever, mid, priceScale, numberScale, lots }` of each pair; an order of `lots` is
 * worth about `worth` USDT; `lever` says that leverage and seconds contracts are sold on it.
 */
export async function readMarkets(worth = 60) {
  const { FIRST_PRICES, SEED_PAIRS } = await import('@bourse/contract');
  return SEED_PAIRS.map((pair) => {
    const price = FIRST_PRICES[pair.symbol];
    const inUsdt = FIRST_PRICES[`${pair.currencyName}/USDT`];
    return {
      id: pair.id,
      symbol: pair.symbol,
      lever: pair.openLever && pair.legalName === 'USDT',
      legal: pair.legalId,
      currency: pair.currencyId,
      priceScale: pair.priceScale,
      numberScale: pair.numberScale,
      mid: ticksOf(price, pair.priceScale),
      lots: lotsWorth(worth, inUsdt, pair.numberScale),
    };
  });
}

/** A price text in ticks: its digits, cut or filled to the scale. */
export function ticksOf(price, scale) {
  const [whole, fraction = ''] = price.split('.');
  return Number(whole + fraction.padEnd(scale, '0').slice(0, scale));
}

/**
 * How many lots of 10^-scale are worth about so many USDT; at least one. For sizes of test orders only, so a rounded
 * number will do.
 */
export function lotsWorth(worth, price, scale) {
  const scaled = ticksOf(price, 8);
  return Math.max(1, Math.round((worth * 1e8 * 10 ** scale) / scaled));
}
