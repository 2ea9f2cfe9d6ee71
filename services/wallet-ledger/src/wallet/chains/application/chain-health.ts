import type { ChainName } from '@bourse/contract';
import { Unavailable } from '@bourse/platform';

/** Whether money may leave by a chain. */
export abstract class ChainHealth {
  /**
   * True while booked deposits are in no block of the best chain after a reorganisation, or may be, because it went
   * below the known blocks: nothing is paid out on the chain until they come back or an operator has decided.
   */
  abstract closed(chain: ChainName): Promise<boolean>;
}

/** @throws Unavailable while payouts on the chain are stopped */
export async function demandOpen(health: ChainHealth, chain: ChainName): Promise<void> {
  if (await health.closed(chain))
    throw new Unavailable(`${chain} was reorganised and may have dropped booked deposits; nothing is paid out on it`);
}
