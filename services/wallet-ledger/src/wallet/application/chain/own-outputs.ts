import type { ChainName } from '@bourse/contract';

/** An output of a chain, by the transaction that made it and its place there. */
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
 * Where our outputs are found again on chains of outputs, filled as blocks are read. A memory, not the truth: whether
 * an output is there and unspent is asked of the node each time, so that a reorganisation leaves nothing wrong behind.
 */
export abstract class OwnOutputs {
  /**
   * What a block brought us, and which transaction of it has spent which of `spent`; those that are not ours are passed
   * over. Twice does no harm.
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
   * What may be unspent at a height: all but what was spent so far below it that no reorganisation brings it back.
   * Largest first.
   */
  abstract unspent(chain: ChainName, height: number): Promise<readonly OwnOutput[]>;
  abstract find(chain: ChainName, names: readonly OutputName[]): Promise<readonly OwnOutput[]>;
  /** Transaction that a block showed as spending it; null while none did. */
  abstract spender(chain: ChainName, name: OutputName): Promise<string | null>;
}
