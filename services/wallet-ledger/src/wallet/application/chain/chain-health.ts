import type { ChainName } from '@bourse/contract';
import { Unavailable } from '@bourse/platform';

/** Whether money may leave by a chain. */
export abstract class ChainHealth {
  /**
   * True while deposits that were booked are in no block any more: the chain went another way, and until they come back
   * or a person has looked nothing is paid out on it.
   */
  abstract closed(chain: ChainName): Promise<boolean>;
}

/** @throws Unavailable while nothing is paid out on a chain */
export async function demandOpen(health: ChainHealth, chain: ChainName): Promise<void> {
  if (await health.closed(chain))
    throw new Unavailable(`${chain} has gone another way than booked deposits say; nothing is paid out on it`);
}
