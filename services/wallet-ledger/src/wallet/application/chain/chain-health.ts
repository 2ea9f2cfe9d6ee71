import type { ChainName } from '@bourse/contract';

/** Whether money may leave by a chain. */
export abstract class ChainHealth {
  /**
   * True while deposits that were booked are in no block any more: the chain went another way, and until they come back
   * or a person has looked nothing is paid out on it.
   */
  abstract closed(chain: ChainName): Promise<boolean>;
}
