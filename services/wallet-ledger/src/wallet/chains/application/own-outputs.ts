import type { ChainName } from '@bourse/contract';

/** An output of a chain, identified by its transaction and index. */
export interface OutputName {
  readonly txId: string;
  readonly output: number;
}
/** An output that pays one of our addresses: of the hot wallet or a deposit address. Amount in smallest units. */
export interface OwnOutput extends OutputName {
  readonly address: string;
  readonly amount: bigint;
  readonly height: number;
}

export const outputSpend = ({ txId, output }: OutputName): string => `output:${txId}:${output}`;

/**
 * Index of our outputs on UTXO chains, filled as blocks are read. It is not authoritative: the node is asked each time
 * whether an output exists and is unspent, so that a reorganisation leaves no error behind.
 */
export abstract class OwnOutputs {
  /**
   * Records our outputs in a block, and which of its transactions have spent which of `spent`; ignores outputs that are
   * not ours. Idempotent.
   */
  abstract record(
    chain: ChainName,
    block: {
      readonly height: number;
      readonly received: readonly OwnOutput[];
      readonly spent: readonly (OutputName & { readonly by: string })[];
    },
  ): Promise<void>;
  /**
   * Outputs that may be unspent at a height: all except those spent so deep below it that no reorganisation reaches
   * them. Largest first.
   */
  abstract unspent(chain: ChainName, height: number): Promise<readonly OwnOutput[]>;
  abstract find(chain: ChainName, names: readonly OutputName[]): Promise<readonly OwnOutput[]>;
  /** The transaction in a recorded block that spends it; null without one. */
  abstract spender(chain: ChainName, name: OutputName): Promise<string | null>;
}
