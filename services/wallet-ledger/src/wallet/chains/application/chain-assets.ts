import { Injectable } from '@nestjs/common';
import type { NetworkRow } from '@bourse/contract';
import { rescale } from '@bourse/money';
import { Unavailable } from '@bourse/platform';
import { Chains, ChainUnavailable } from './chain.js';
import { Currencies } from '../../../ledger/application/currencies.js';
import { Networks } from '../../shared/application/networks.js';
import { Assets } from '../../../ledger/application/solvency/ports.js';

/**
 * Balances on our addresses. For a coin with a network on a simulated or absent chain, the amount that came in is taken
 * from the books, and the snapshot says so. A coin without any network exists in the books alone.
 */
@Injectable()
export class ChainAssets extends Assets {
  constructor(
    private readonly currencies: Currencies,
    private readonly networks: Networks,
    private readonly chains: Chains,
  ) {
    super();
  }

  async of(
    outside: ReadonlyMap<number, bigint>,
  ): Promise<{ readonly units: ReadonlyMap<number, bigint>; readonly simulated: boolean }> {
    const units = new Map<number, bigint>();
    let simulated = false;
    for (const { id, scale } of this.currencies.all()) {
      const networks = this.networks.of(id);
      const real = networks.length === 0 ? null : await this.onChains(networks, scale);
      if (real === null && networks.length > 0) simulated = true;
      units.set(id, real ?? outside.get(id) ?? 0n);
    }
    return { units, simulated };
  }

  /** The coin's total on the chains; null unless every network of the coin runs on a real chain of this install. */
  private async onChains(networks: readonly NetworkRow[], scale: number): Promise<bigint | null> {
    let sum = 0n;
    for (const network of networks) {
      const chain = this.chains.get(network.chain);
      if (!chain || chain.simulated) return null;
      try {
        sum += rescale(await chain.holdings(network.contractAddress), network.chainScale, scale, 'down');
      } catch (error) {
        if (error instanceof ChainUnavailable)
          throw new Unavailable(`${network.chain} does not say what it holds: ${error.message}`);
        throw error;
      }
    }
    return sum;
  }
}
