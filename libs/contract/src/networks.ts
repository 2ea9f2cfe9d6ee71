/**
 * Chains of the exchange. A token travels on the chain of its network: USDT as ERC20 on `ethereum`, as TRC20 on `tron`.
 */
export const CHAINS = ['bitcoin', 'ethereum', 'tron', 'ripple', 'litecoin', 'dogecoin', 'cardano'] as const;
export type ChainName = (typeof CHAINS)[number];

/**
 * One way a coin comes and goes (`type_data` of `/api/wallet/get_info`). Figures are the server's: fee rates in
 * percent, amounts in the coin (rules §8, §15).
 */
export interface NetworkRow {
  readonly id: number;
  readonly currencyId: number;
  readonly chain: ChainName;
  /** Name by which people choose it: `ERC20`, `BTC`. */
  readonly type: string;
  readonly name: string;
  /** Contract of a token; empty for the coin of the chain itself. */
  readonly contractAddress: string;
  /** Decimals of the coin on its chain; the ledger keeps those of the currency. */
  readonly chainScale: number;
  /** Payments carry a memo (destination tag) that names the person. */
  readonly memo: boolean;
  readonly minWithdrawal: string;
  readonly feeRate: string;
  readonly minDeposit: string;
  readonly confirmations: number;
  /**
   * Whether people get addresses on this network, and whether they may withdraw by it. Transfers under way are
   * completed in any case.
   */
  readonly openDeposit: boolean;
  readonly openWithdraw: boolean;
  /** The notes for depositors, by language; without one the exchange's own text is shown. */
  readonly note: Readonly<Record<string, string>>;
}

const network = (
  id: number,
  currencyId: number,
  chain: ChainName,
  type: string,
  figures: Pick<NetworkRow, 'chainScale' | 'minWithdrawal' | 'feeRate'> & Partial<NetworkRow>,
): NetworkRow => ({
  id,
  currencyId,
  chain,
  type,
  name: type,
  contractAddress: '',
  memo: false,
  minDeposit: '0',
  confirmations: 6,
  openDeposit: true,
  openWithdraw: true,
  note: {},
  ...figures,
});

/** Networks of a fresh install (rules §15). The first of a coin is its default. */
export const SEED_NETWORKS: readonly NetworkRow[] = [
  network(1, 1, 'bitcoin', 'BTC', { chainScale: 8, minWithdrawal: '0.001', feeRate: '0.1' }),
  network(2, 2, 'ethereum', 'ETH', { chainScale: 18, minWithdrawal: '0.01', feeRate: '0.1' }),
  network(3, 3, 'ethereum', 'ERC20', {
    chainScale: 6,
    minWithdrawal: '20',
    feeRate: '1.5',
    minDeposit: '100',
    contractAddress: '0xdAC17F958D2ee523a2206206994597C13D831ec7',
  }),
  network(4, 3, 'tron', 'TRC20', {
    chainScale: 6,
    minWithdrawal: '10',
    feeRate: '1',
    minDeposit: '100',
    contractAddress: 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t',
  }),
  network(5, 4, 'ripple', 'XRP', { chainScale: 6, minWithdrawal: '20', feeRate: '0.1', memo: true }),
  network(6, 5, 'litecoin', 'LTC', { chainScale: 8, minWithdrawal: '0.1', feeRate: '0.1' }),
  network(7, 6, 'dogecoin', 'DOGE', { chainScale: 8, minWithdrawal: '50', feeRate: '0.1' }),
  network(8, 7, 'cardano', 'ADA', { chainScale: 6, minWithdrawal: '20', feeRate: '0.1' }),
];
