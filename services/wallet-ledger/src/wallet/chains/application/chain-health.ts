import type { ChainName } from '@bourse/contract';
import { Unavailable } from '@bourse/platform';

/** Whether money may leave by a chain. */
export abstract class ChainHealth {
  /**
   * True while booked deposits are in no block of the best chain after a reorganisation: nothing is paid out on the
   * chain until they come back or an operator has decided.
   */
  abstract closed(chain: ChainName): Promise<boolean>;
}

/** @throws Unavailable while payouts on the chain are stopped */
export async function demandOpen(health: ChainHealth, chain: ChainName): Promise<void> {
  if (await health.closed(chain))
    throw new Unavailable(`${chain} has dropped booked deposits in a reorganisation; nothing is paid out on it`);
}
