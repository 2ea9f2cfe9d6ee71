import { Exchange } from 'ccxt';

/** Bourse for ccxt: docs/ccxt.md. */
export class bourse extends Exchange {
  /** Ends when the stream of orders and balances is open. */
  ready(): Promise<void>;
  unWatchBalance(params?: object): Promise<unknown>;
}
