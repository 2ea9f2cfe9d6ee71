import type { ChainName } from '@bourse/contract';

/** An address given out for deposits, and the number its key is derived by. */
export interface OwnAddress {
  readonly address: string;
  readonly index: number;
}

/** Which addresses of a chain belong to the exchange, as the adapters of real chains need to know it. */
export abstract class OwnAddresses {
  /** Those of `addresses` that were given out. Written as the chain's wallets write them. */
  abstract find(chain: ChainName, addresses: readonly string[]): Promise<readonly OwnAddress[]>;
  /** All that have ever received something: only these can hold anything. */
  abstract used(chain: ChainName): Promise<readonly OwnAddress[]>;
}

/** Movements between wallets of the house, known by their transactions. They bring nobody a deposit. */
export abstract class HouseMovements {
  abstract find(chain: ChainName, txIds: readonly string[]): Promise<ReadonlySet<string>>;
}
