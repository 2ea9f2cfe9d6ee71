import type { ChainName } from '@bourse/contract';

/** A deposit address, and the index from which its key is derived. */
export interface OwnAddress {
  readonly address: string;
  readonly index: number;
}

/** The addresses of the exchange on a chain, for the adapters of real chains. */
export abstract class OwnAddresses {
  /** Those of `addresses` that were assigned for deposits, in the form of the chain's wallets. */
  abstract find(chain: ChainName, addresses: readonly string[]): Promise<readonly OwnAddress[]>;
  /** All addresses that have ever received something: only these can have a balance. */
  abstract used(chain: ChainName): Promise<readonly OwnAddress[]>;
}

/** Movements between wallets of the house, identified by their transactions. They are no deposits. */
export abstract class HouseMovements {
  abstract find(chain: ChainName, txIds: readonly string[]): Promise<ReadonlySet<string>>;
}
