import { CHAINS, type ChainName } from '@bourse/contract';
import type { Config } from '@bourse/platform';
import { Chains, type Chain } from '../application/chain.js';
import type { HouseMovements, OwnAddresses } from '../application/own-addresses.js';
import type { OwnOutputs } from '../application/own-outputs.js';
import type { Signer } from '../application/signer.js';
import type { Networks } from '../../shared/application/networks.js';
import { SimulatedChain } from './simulated/simulated-chain.js';
import type { SimulatedBlocks } from './simulated/simulated-blocks.js';

/** Dependencies of the chain adapters. */
export interface ChainParts {
  readonly config: Pick<Config, 'dev' | 'chainUrls' | 'ethereumChainId'>;
  readonly signer: Signer;
  readonly networks: Networks;
  readonly addresses: OwnAddresses;
  readonly movements: HouseMovements;
  readonly outputs: OwnOutputs;
  readonly blocks: SimulatedBlocks;
}

/** Chains that a demo install simulates: those without a node. */
export const simulatedChains = ({ dev, chainUrls }: Pick<Config, 'dev' | 'chainUrls'>): readonly ChainName[] =>
  dev ? CHAINS.filter((name) => !(name in chainUrls)) : [];

/** The chains of this install: those with a node; the others are simulated on a demo install and absent otherwise. */
export class ConfiguredChains extends Chains {
  private constructor(private readonly chains: ReadonlyMap<ChainName, Chain>) {
    super();
  }

  /** Adapters of real chains are loaded only if a node is configured: they and their libraries are large. */
  static async from(parts: ChainParts): Promise<ConfiguredChains> {
    const { config, signer, networks, blocks } = parts;
    const simulated = simulatedChains(config);
    if (simulated.length > 0) await blocks.begin();
    const chains = new Map<ChainName, Chain>();
    for (const name of CHAINS) {
      const url = config.chainUrls[name as keyof typeof config.chainUrls];
      if (url !== undefined) chains.set(name, await realChain(name, url, parts));
      else if (simulated.includes(name)) {
        const scales = new Map(
          networks
            .all()
            .filter(({ chain }) => chain === name)
            .map(({ contractAddress, chainScale }) => [contractAddress, chainScale]),
        );
        // The fee is paid in the coin, even if only a token of the chain is traded.
        chains.set(
          name,
          new SimulatedChain(
            {
              chain: name,
              hotAddress: signer.addressOf(name, { kind: 'hot' }),
              scales: scales.has('') ? scales : scales.set('', 6),
            },
            blocks,
          ),
        );
      }
    }
    return new ConfiguredChains(chains);
  }

  override get(name: ChainName): Chain | undefined {
    return this.chains.get(name);
  }
  override all(): readonly Chain[] {
    return [...this.chains.values()];
  }
}

async function realChain(
  name: ChainName,
  url: string,
  { config, signer, networks, addresses, movements, outputs }: ChainParts,
): Promise<Chain> {
  if (name === 'ethereum') {
    const { EvmChain } = await import('./evm/evm-chain.js');
    const contracts = networks
      .on(name)
      .filter(({ contractAddress }) => contractAddress !== '')
      .map(({ contractAddress }) => contractAddress);
    return new EvmChain({ chain: name, url, chainId: config.ethereumChainId, contracts }, signer, addresses, movements);
  }
  if (name === 'bitcoin' || name === 'litecoin' || name === 'dogecoin') {
    const { BitcoinChain } = await import('./bitcoin/bitcoin-chain.js');
    return new BitcoinChain(
      { chain: name, url, confirmations: () => networks.on(name)[0]?.confirmations ?? 6 },
      signer,
      addresses,
      outputs,
    );
  }
  throw new Error(`there is no adapter for a node of ${name}`);
}
