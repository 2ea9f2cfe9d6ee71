import { randomUUID } from 'node:crypto';
import { Body, Controller } from '@nestjs/common';
import type { NetworkRow } from '@bourse/contract';
import { Call, message, refuse, Refused } from '@bourse/platform';
import * as z from 'zod/mini';
import { Chains } from '../application/chain.js';
import { Networks } from '../../shared/application/networks.js';
import { destinationOf, isAddress, normalAddress } from '../../shared/domain/address/index.js';
import { SimulatedBlocks } from '../networks/simulated/simulated-blocks.js';
import { SimulatedChain, txIdOf } from '../networks/simulated/simulated-chain.js';
import { DevBlocksBody, DevDepositBody } from '../application/fields.js';

/** Manual control of the simulated chains of a demo install (api §2.13). */
@Controller()
export class DevChainController {
  constructor(
    private readonly blocks: SimulatedBlocks,
    private readonly networks: Networks,
    private readonly chains: Chains,
  ) {}

  /** A payment from outside, in the next block. A transaction that exists already is not changed. */
  @Call(
    { method: 'POST', path: '/dev/chain/deposit', auth: 'dev' },
    {
      summary: 'Send a payment from outside on a simulated chain',
      answer: message(z.object({ tx_id: z.string() })),
      refuses: ['wallet.protocol', 'wallet.addressInvalid'],
    },
  )
  async deposit(@Body() fields: DevDepositBody): Promise<{ tx_id: string }> {
    const { address: text } = fields;
    if (fields.amount.text === undefined) throw refuse('common.fieldRequired', 'number');
    const network = this.network(fields, text);
    const amount = fields.amount.units(network.chainScale);
    const chain = this.chains.get(network.chain);
    if (!(chain instanceof SimulatedChain)) throw new Refused('wallet.protocol', {}, { field: 'type' });
    const parsed = destinationOf({ chain: network.chain, contractAddress: '' }, text, fields.memo ?? '');
    if (!parsed.ok) throw new Refused('wallet.addressInvalid', {}, { field: parsed.wrong });
    const { contractAddress: given } = fields;
    const contract =
      given === undefined
        ? network.contractAddress
        : isAddress(network.chain, given)
          ? normalAddress(network.chain, given)
          : given;
    const txId = fields.txId ?? txIdOf(network.chain, randomUUID());
    await this.blocks.put(network.chain, {
      txId,
      output: chain.plainOutput(contract),
      ...parsed.destination,
      contract,
      amount,
    });
    return { tx_id: txId };
  }

  @Call(
    { method: 'POST', path: '/dev/chain/blocks', auth: 'dev' },
    { summary: 'Blocks of the simulated chains', answer: message(z.object({ height: z.int() })) },
  )
  async mine(@Body() fields: DevBlocksBody): Promise<{ height: number }> {
    return {
      height: await this.blocks.add(fields.count),
    };
  }

  /** The named network, or else the first one of the coin whose addresses have this format. */
  private network(fields: DevDepositBody, address: string): NetworkRow {
    const networks = this.networks.of(fields.currency);
    const { type } = fields;
    const network =
      type === undefined
        ? (networks.find(({ chain }) => isAddress(chain, address)) ?? networks[0])
        : networks.find(({ id }) => id === type);
    if (!network) throw new Refused('wallet.protocol', {}, { field: 'type' });
    return network;
  }
}
