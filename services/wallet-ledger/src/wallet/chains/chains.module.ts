import { Module } from '@nestjs/common';
import type { Database } from '@bourse/persistence';
import { Config } from '@bourse/platform';
import { ConfiguredChains, simulatedChains } from './networks/configured-chains.js';
import { SimulatedBlocks } from './networks/simulated/simulated-blocks.js';
import { loadSigner } from './keys/seed-store.js';
import { LedgerDatabase } from '../../ledger/adapters/persistence/ledger-database.js';
import { PostgresChainHealth, PostgresHouseMovements, PostgresOwnAddresses } from './persistence/own-addresses.js';
import { PostgresOwnOutputs } from './persistence/own-outputs.js';
import { Chains } from './application/chain.js';
import { ChainHealth } from './application/chain-health.js';
import { HouseMovements, OwnAddresses } from './application/own-addresses.js';
import { OwnOutputs } from './application/own-outputs.js';
import { Signer } from './application/signer.js';
import { Networks } from '../shared/application/networks.js';
import { WalletCoreModule } from '../wallet-core.module.js';

/** The chains of this install and the keys of their addresses. */
@Module({
  imports: [WalletCoreModule],
  providers: [
    {
      provide: Signer,
      inject: [LedgerDatabase, Config],
      useFactory: (database: Database, config: Config) =>
        loadSigner(database, config.walletKeySecret, { old: config.walletKeySecretsOld }),
    },
    {
      provide: OwnAddresses,
      inject: [LedgerDatabase],
      useFactory: (database: Database) => new PostgresOwnAddresses(database),
    },
    {
      provide: HouseMovements,
      inject: [LedgerDatabase],
      useFactory: (database: Database) => new PostgresHouseMovements(database),
    },
    {
      provide: OwnOutputs,
      inject: [LedgerDatabase],
      useFactory: (database: Database) => new PostgresOwnOutputs(database),
    },
    {
      provide: ChainHealth,
      inject: [LedgerDatabase],
      useFactory: (database: Database) => new PostgresChainHealth(database),
    },
    {
      provide: SimulatedBlocks,
      inject: [LedgerDatabase, Config],
      useFactory: (database: Database, config: Config) => new SimulatedBlocks(database, simulatedChains(config)),
    },
    {
      provide: Chains,
      inject: [Config, Signer, Networks, OwnAddresses, HouseMovements, OwnOutputs, SimulatedBlocks],
      useFactory: (
        config: Config,
        signer: Signer,
        networks: Networks,
        addresses: OwnAddresses,
        movements: HouseMovements,
        outputs: OwnOutputs,
        blocks: SimulatedBlocks,
      ) => ConfiguredChains.from({ config, signer, networks, addresses, movements, outputs, blocks }),
    },
  ],
  exports: [Chains, ChainHealth, Signer, OwnAddresses, HouseMovements, SimulatedBlocks],
})
export class ChainsModule {}
