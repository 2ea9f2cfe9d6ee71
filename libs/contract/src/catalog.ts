/** A currency as its owner (market-data) publishes it. Flags say where it may be held (rules §1). */
export interface CurrencyRow {
  readonly id: number;
  readonly name: string;
  readonly fullName: string;
  readonly scale: number;
  readonly isLegal: boolean;
  readonly isMatch: boolean;
  readonly isLever: boolean;
  readonly isMicro: boolean;
  readonly multiProtocol: boolean;
  readonly showMemo: boolean;
  readonly kind: 'coin' | 'token';
  readonly logo: string;
  readonly publishDate: string;
  readonly totalSupply: string;
  readonly circulation: string;
  readonly website: string;
  readonly explorer: string;
  readonly whitePaper: string;
  readonly description: string;
}

/** Currencies that are worth one USDT by agreement (rules §17): no market makes their price. */
export const PEGGED_CURRENCIES: readonly string[] = ['USDT', 'HAP'];

/**
 * A pair: base (currency) against quote (legal). Fees in percent; band in percent; `partition` modulo `SPOT_PARTITIONS`
 * is that of `spot.commands`.
 */
export interface PairRow {
  readonly id: number;
  readonly symbol: string;
  readonly currencyId: number;
  readonly currencyName: string;
  readonly legalId: number;
  readonly legalName: string;
  readonly priceScale: number;
  readonly numberScale: number;
  readonly minTotal: string;
  readonly makerFee: string;
  readonly takerFee: string;
  readonly marketBand: string;
  readonly openSpot: boolean;
  readonly openLever: boolean;
  readonly openMicro: boolean;
  readonly leverShareNum: string;
  readonly isDisplay: boolean;
  readonly partition: number;
}

const coin = (
  id: number,
  name: string,
  fullName: string,
  flags: string,
  more: Partial<CurrencyRow> = {},
): CurrencyRow => ({
  id,
  name,
  fullName,
  scale: 8,
  isLegal: flags.includes('L'),
  isMatch: flags.includes('M'),
  isLever: flags.includes('V'),
  isMicro: flags.includes('m'),
  multiProtocol: false,
  showMemo: false,
  kind: 'coin',
  logo: `/coins/${name.toLowerCase()}.svg`,
  publishDate: '',
  totalSupply: '',
  circulation: '',
  website: '',
  explorer: '',
  whitePaper: '',
  description: '',
  ...more,
});

/** Currencies of a fresh install (rules §17). Supplies are rounded, as published in 2025; an operator keeps them. */
export const SEED_CURRENCIES: readonly CurrencyRow[] = [
  coin(1, 'BTC', 'Bitcoin', 'LMV', {
    circulation: '20000000',
    publishDate: '2009-01-03',
    totalSupply: '21000000',
    website: 'https://bitcoin.org',
    whitePaper: 'https://bitcoin.org/bitcoin.pdf',
    explorer: 'https://mempool.space',
  }),
  coin(2, 'ETH', 'Ethereum', 'LMV', {
    totalSupply: '120700000',
    circulation: '120700000',
    publishDate: '2015-07-30',
    website: 'https://ethereum.org',
    whitePaper: 'https://ethereum.org/whitepaper',
    explorer: 'https://etherscan.io',
  }),
  coin(3, 'USDT', 'Tether USD', 'LMVm', {
    totalSupply: '180000000000',
    circulation: '180000000000',
    multiProtocol: true,
    kind: 'token',
    publishDate: '2014-10-06',
    website: 'https://tether.to',
    explorer: 'https://etherscan.io',
  }),
  coin(4, 'XRP', 'XRP', 'M', {
    circulation: '60000000000',
    showMemo: true,
    publishDate: '2012-06-02',
    totalSupply: '100000000000',
    website: 'https://xrpl.org',
    explorer: 'https://livenet.xrpl.org',
  }),
  coin(5, 'LTC', 'Litecoin', 'M', {
    circulation: '76000000',
    publishDate: '2011-10-07',
    totalSupply: '84000000',
    website: 'https://litecoin.org',
    explorer: 'https://litecoinspace.org',
  }),
  coin(6, 'DOGE', 'Dogecoin', 'M', {
    totalSupply: '151000000000',
    circulation: '151000000000',
    publishDate: '2013-12-06',
    website: 'https://dogecoin.com',
    explorer: 'https://dogechain.info',
  }),
  coin(7, 'ADA', 'Cardano', 'M', {
    circulation: '36000000000',
    publishDate: '2017-09-29',
    totalSupply: '45000000000',
    website: 'https://cardano.org',
    whitePaper: 'https://why.cardano.org',
    explorer: 'https://cardanoscan.io',
  }),
  coin(8, 'HAP', 'Harbour Point', 'm', {
    kind: 'token',
    publishDate: '2026-01-01',
    totalSupply: '1000000',
    circulation: '1000000',
  }),
];

const pair = (id: number, symbol: string, priceScale: number, numberScale: number, share: string): PairRow => {
  const [currencyName = '', legalName = ''] = symbol.split('/');
  const idOf = (name: string): number => SEED_CURRENCIES.find((currency) => currency.name === name)?.id ?? 0;
  const usdt = legalName === 'USDT';
  return {
    id,
    symbol,
    currencyId: idOf(currencyName),
    currencyName,
    legalId: idOf(legalName),
    legalName,
    priceScale,
    numberScale,
    minTotal: usdt ? '1' : '0.0001',
    makerFee: '0.1',
    takerFee: '0.1',
    marketBand: '5',
    openSpot: true,
    openLever: usdt,
    openMicro: usdt,
    leverShareNum: share,
    isDisplay: true,
    partition: id - 1,
  };
};

/** Pairs of a fresh install (rules §17). */
export const SEED_PAIRS: readonly PairRow[] = [
  pair(1, 'BTC/USDT', 2, 6, '0.01'),
  pair(2, 'ETH/USDT', 2, 4, '0.2'),
  pair(3, 'LTC/USDT', 2, 4, '1'),
  pair(4, 'XRP/USDT', 5, 4, '100'),
  pair(5, 'DOGE/USDT', 5, 4, '500'),
  pair(6, 'ADA/USDT', 5, 4, '100'),
  pair(7, 'ETH/BTC', 6, 4, '0'),
  pair(8, 'LTC/BTC', 6, 4, '0'),
  pair(9, 'XRP/BTC', 8, 4, '0'),
];

/** First prices of a fresh install (rules §17), also what the bundled recordings are scaled to. */
export const FIRST_PRICES: Readonly<Record<string, string>> = {
  'BTC/USDT': '56670.02',
  'ETH/USDT': '4173.46',
  'LTC/USDT': '377.80',
  'XRP/USDT': '1.4788',
  'DOGE/USDT': '0.49353',
  'ADA/USDT': '1.7633',
  'ETH/BTC': '0.073637',
  'LTC/BTC': '0.006666',
  'XRP/BTC': '0.00002609',
};
