import { randomUUID } from 'node:crypto';
import { Controller } from '@nestjs/common';
import type { NetworkRow } from '@bourse/contract';
import {
  Call,
  Fields,
  present,
  readAmount,
  readInteger,
  readOptionalInteger,
  readOptionalText,
  readText,
  Refused,
  type FieldRecord,
} from '@bourse/platform';
import { Chains } from '../../application/chain/chain.js';
import { Networks } from '../../application/networks.js';
import { destinationOf, isAddress, normalAddress } from '../../domain/address/index.js';
import { SimulatedBlocks } from '../chain/simulated/simulated-blocks.js';
import { SimulatedChain, txIdOf } from '../chain/simulated/simulated-chain.js';

const BLOCKS_MAX = 100;
const TEXT_MAX = 200;

/** The simulated chains of a demo install, moved by hand (api §2.13). */
@Controller()
export class DevChainController {
  constructor(
    private readonly blocks: SimulatedBlocks,
    private readonly networks: Networks,
    private readonly chains: Chains,
  ) {}

  /** A payment of the world outside, in the next block. A transaction that is there already stays as it is. */
  @Call({ method: 'POST', path: '/dev/chain/deposit', auth: 'dev' })
  async deposit(@Fields() fields: FieldRecord): Promise<{ tx_id: string }> {
    const text = readText(fields, 'address', 'common.fieldRequired', { max: TEXT_MAX });
    if (present(fields, 'number') === undefined)
      throw new Refused('common.fieldRequired', { field: 'number' }, { field: 'number' });
    const network = this.network(fields, text);
    const amount = readAmount(fields, 'number', network.chainScale);
    const chain = this.chains.get(network.chain);
    if (!(chain instanceof SimulatedChain)) throw new Refused('wallet.protocol', {}, { field: 'type' });
    const judged = destinationOf({ chain: network.chain, contractAddress: '' }, text, present(fields, 'memo') ?? '');
    if (!judged.ok) throw new Refused('wallet.addressInvalid', {}, { field: judged.wrong });
    const given = readOptionalText(fields, 'contract_address', 'common.fieldInvalid', { max: TEXT_MAX });
    const contract =
      given === undefined
        ? network.contractAddress
        : isAddress(network.chain, given)
          ? normalAddress(network.chain, given)
          : given;
    const txId =
      readOptionalText(fields, 'tx_id', 'common.fieldInvalid', { max: TEXT_MAX, pattern: /^[A-Za-z0-9_:-]+$/ }) ??
      txIdOf(network.chain, randomUUID());
    await this.blocks.put(network.chain, {
      txId,
      output: chain.plainOutput(contract),
      ...judged.destination,
      contract,
      amount,
    });
    return { tx_id: txId };
  }

  @Call({ method: 'POST', path: '/dev/chain/blocks', auth: 'dev' })
  async mine(@Fields() fields: FieldRecord): Promise<{ height: number }> {
    return {
      height: await this.blocks.add(readInteger(fields, 'count', 'common.fieldInvalid', { min: 1, max: BLOCKS_MAX })),
    };
  }

  /** The network named, else the first of the coin whose addresses look like this one. */
  private network(fields: FieldRecord, address: string): NetworkRow {
    const networks = this.networks.of(readInteger(fields, 'currency'));
    const type = readOptionalInteger(fields, 'type', 'wallet.protocol');
    const network =
      type === undefined
        ? (networks.find(({ chain }) => isAddress(chain, address)) ?? networks[0])
        : networks.find(({ id }) => id === type);
    if (!network) throw new Refused('wallet.protocol', {}, { field: 'type' });
    return network;
  }
}
