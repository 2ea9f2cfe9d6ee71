import { getAddress, keccak256 } from 'ethers';
import type { ChainName } from '@bourse/contract';
import {
  ChainUnavailable,
  ChainUnreadable,
  HotWalletShort,
  type ChainBlock,
  type IncomingTransfer,
  type Payment,
  type PaymentStatus,
  type SignedPayment,
} from '../../application/chain.js';
import type { HouseMovements, OwnAddresses } from '../../application/own-addresses.js';
import type { Signer } from '../../application/signer.js';
import { BLOCK, JsonRpc, RpcRefusal } from '../json-rpc.js';
import { NodeChain } from '../node-chain.js';
import { nodeQuantity } from '../node-amount.js';
import {
  addressIn,
  feeOf,
  hasMoved,
  hex,
  moveCall,
  nonceOf,
  numberOf,
  recipientOf,
  TRANSFER_TOPIC,
  type RpcBlock,
  type RpcLog,
  type RpcReceipt,
  type RpcTransaction,
} from './evm-codec.js';
import { EvmWallet } from './evm-wallet.js';

export interface EvmSettings {
  readonly chain: ChainName;
  /** URL of the node, with name and password if it needs them. */
  readonly url: string;
  /** Part of every signature; a node of another chain is refused. */
  readonly chainId: number;
  /** Token contracts of this chain's networks, as the chain writes them. Transfers of other tokens are ignored. */
  readonly contracts: readonly string[];
  /** Limit in wei per unit of gas; nothing is signed above it. */
  readonly gasPriceMax?: bigint;
}

/** A transfer as the node wrote it; its amount is parsed only if it pays one of our addresses. */
interface WrittenTransfer {
  readonly txId: string;
  readonly address: string;
  readonly contract: string;
  /** Null: a transfer of the chain's own coin. */
  readonly logIndex: string | null;
  readonly amount: string;
}

const GAS_PRICE_MAX = 500_000_000_000n;
/** Number of past blocks that are searched for the transaction that has used one of our nonces. */
const SEARCHED_BLOCKS = 100_000;

/**
 * Ethereum and compatible chains. Coin deposits are the transfers of transactions themselves: coins that a contract
 * passes on inside a transaction are not seen [EVM-004]. Token deposits are Transfer events of exactly the contracts in
 * the settings.
 */
export class EvmChain extends NodeChain {
  readonly name: ChainName;
  readonly simulated = false;
  readonly blockMs = 12_000;
  readonly sweeps: EvmWallet;
  private readonly rpc: JsonRpc;
  /** Contracts as the networks write them, by their lower-case form. */
  private readonly contracts: ReadonlyMap<string, string>;

  constructor(
    private readonly settings: EvmSettings,
    signer: Signer,
    private readonly addresses: OwnAddresses,
    private readonly movements: HouseMovements,
  ) {
    super();
    this.name = settings.chain;
    this.rpc = new JsonRpc(settings.url, settings.chain, true);
    this.sweeps = new EvmWallet(
      settings.chain,
      BigInt(settings.chainId),
      this.rpc,
      signer,
      settings.gasPriceMax ?? GAS_PRICE_MAX,
    );
    this.contracts = new Map(settings.contracts.map((contract) => [contract.toLowerCase(), contract]));
  }

  override async tip(): Promise<ChainBlock> {
    return this.readNode(async () => {
      const block = await this.rpc.call<RpcBlock | null>('eth_getBlockByNumber', ['latest', false]);
      if (block === null) throw new ChainUnavailable(`${this.name}: the node has no block yet`);
      return blockOf(block);
    });
  }

  override async blockAt(height: number): Promise<ChainBlock | null> {
    return this.readNode(async () => {
      const block = await this.rpc.call<RpcBlock | null>('eth_getBlockByNumber', [hex(height), false]);
      return block && blockOf(block);
    });
  }

  override async incoming(
    block: ChainBlock,
    ours: (addresses: readonly string[]) => Promise<ReadonlySet<string>>,
  ): Promise<readonly IncomingTransfer[]> {
    return this.readNode(async () => {
      const whole = await this.rpc.call<RpcBlock | null>('eth_getBlockByHash', [block.hash, true], BLOCK);
      if (whole === null) throw new ChainUnavailable(`${this.name}: block ${block.hash} is gone`);
      const coins = whole.transactions.flatMap(({ hash, to, value }): WrittenTransfer[] => {
        const address = addressIn(to);
        return address === null ? [] : [{ txId: hash, logIndex: null, address, contract: '', amount: value }];
      });
      const tokens = await this.tokenTransfers(block);
      const all = [...coins, ...tokens];
      const mine = await ours([...new Set(all.map(({ address }) => address))]);
      const found = all.filter(({ address }) => mine.has(address)).flatMap((one) => this.read(one));
      const house =
        found.length === 0
          ? new Set<string>()
          : await this.movements.find(this.name, [...new Set(found.map(({ txId }) => txId))]);
      const foreign = found.filter(({ txId }) => !house.has(txId));
      // Events exist for successful calls only; a plain transfer has no event, so its receipt shows whether it
      // succeeded.
      const failed = await this.failed(
        foreign.filter(({ contract }) => contract === '').map(({ txId }) => txId),
        block,
      );
      return foreign.filter(({ contract, txId }) => contract !== '' || !failed.has(txId));
    });
  }

  override async sign(
    { to, contract, amount, mayFail = false }: Payment,
    reserved: ReadonlySet<string>,
  ): Promise<SignedPayment> {
    return this.readNode(async () => {
      const { txId, bytes, spends, networkFee } = await this.sweeps.signMove(
        { from: { kind: 'hot' }, to, contract, amount, mayFail },
        reserved,
      );
      return { txId, bytes, spends, networkFee };
    });
  }

  override async raiseFee(_payment: Payment, signed: SignedPayment): Promise<SignedPayment> {
    return this.readNode(() => this.sweeps.raiseMove({ kind: 'hot' }, signed));
  }

  override async send({ bytes }: SignedPayment): Promise<void> {
    await this.callNode(async () => {
      try {
        await this.rpc.call('eth_sendRawTransaction', [bytes]);
      } catch (error) {
        if (!(error instanceof RpcRefusal)) throw error;
        // Nodes word this error differently, so the transaction is queried: if the node has it, nothing is left to do.
        if ((await this.rpc.call<unknown>('eth_getTransactionByHash', [keccak256(bytes)])) !== null) return;
        if (/insufficient funds|enough funds|insufficient balance/i.test(error.reason))
          throw new HotWalletShort(`${this.name}: ${error.reason}`, { cause: error });
        throw error;
      }
    });
  }

  override async status(txId: string): Promise<PaymentStatus> {
    return this.readNode(async () => {
      const tx = await this.rpc.call<RpcTransaction | null>('eth_getTransactionByHash', [txId]);
      if (tx === null) return { state: 'unknown' };
      const receipt = await this.rpc.call<RpcReceipt | null>('eth_getTransactionReceipt', [txId]);
      if (receipt === null) return { state: 'pending' };
      const height = numberOf(receipt.blockNumber);
      return {
        state: 'mined',
        height,
        confirmations: (await this.height()) - height + 1,
        success: hasMoved(receipt, tx),
      };
    });
  }

  override async conflictingSpend(
    spends: readonly string[],
    ownTxIds: readonly string[],
    confirmations: number,
  ): Promise<string | null> {
    return this.readNode(async () => {
      const own = new Set(ownTxIds.map((id) => id.toLowerCase()));
      const settled = (await this.height()) - confirmations + 1;
      if (settled < 0) return null;
      for (const id of own)
        if ((await this.rpc.call<RpcReceipt | null>('eth_getTransactionReceipt', [id])) !== null) return null;
      for (const spend of spends) {
        const [, address = ''] = spend.split(':');
        const nonce = nonceOf(spend, address);
        if (nonce === null || (await this.countAt(address, settled)) <= nonce) continue;
        const user = await this.userOf(address, nonce, settled);
        if (user !== null && !own.has(user.toLowerCase())) return user;
      }
      return null;
    });
  }

  override async feeIfPaid({ to, contract, amount }: Payment, txId: string): Promise<bigint | null> {
    return this.readNode(async () => {
      const tx = await this.rpc.call<RpcTransaction | null>('eth_getTransactionByHash', [txId]);
      const receipt = await this.rpc.call<RpcReceipt | null>('eth_getTransactionReceipt', [txId]);
      if (tx === null || receipt === null) throw new ChainUnavailable(`${this.name}: ${txId} is gone`);
      const call = moveCall(to, contract, amount);
      const isSame = addressIn(tx.to) === call.to && BigInt(tx.value) === call.value && tx.input === call.data;
      return isSame && hasMoved(receipt, tx) ? feeOf(receipt) : null;
    });
  }

  override async holdings(contract: string): Promise<bigint> {
    return this.readNode(async () => {
      const deposits = await this.addresses.used(this.name);
      const amounts = await this.sweeps.balances(
        [this.sweeps.hotAddress, ...deposits.map(({ address }) => address)],
        contract,
        'latest',
      );
      return amounts.reduce((sum, amount) => sum + amount, 0n);
    });
  }

  /** A transfer to us; none if its amount is zero. @throws ChainUnreadable if its amount is not a number */
  private read({ amount: written, logIndex, ...where }: WrittenTransfer): IncomingTransfer[] {
    const amount = nodeQuantity(written);
    if (amount === null) throw new ChainUnreadable(`${this.name}: ${where.txId} has an amount that is none`);
    return amount === 0n ? [] : [{ ...where, memo: '', output: logIndex === null ? -1 : numberOf(logIndex), amount }];
  }

  private async tokenTransfers(block: ChainBlock): Promise<WrittenTransfer[]> {
    if (this.contracts.size === 0) return [];
    const logs = await this.rpc.call<readonly RpcLog[]>(
      'eth_getLogs',
      [{ blockHash: block.hash, address: [...this.contracts.values()], topics: [TRANSFER_TOPIC] }],
      BLOCK,
    );
    return logs.flatMap((log) => {
      const contract = this.contracts.get(log.address.toLowerCase());
      const address = recipientOf(log);
      if (contract === undefined || address === null || log.removed) return [];
      return [
        {
          txId: log.transactionHash,
          logIndex: log.logIndex,
          address,
          contract,
          amount: log.data,
        },
      ];
    });
  }

  /** Those of these transactions that are in the block and have failed. */
  private async failed(txIds: readonly string[], block: ChainBlock): Promise<ReadonlySet<string>> {
    const receipts = await this.rpc.all<RpcReceipt | null>(
      txIds.map((id) => ({ method: 'eth_getTransactionReceipt', params: [id] })),
    );
    return new Set(
      receipts.flatMap((receipt) => {
        if (receipt === null || receipt.blockHash !== block.hash)
          throw new ChainUnavailable(`${this.name}: block ${block.hash} is gone`);
        return receipt.status === '0x1' ? [] : [receipt.transactionHash];
      }),
    );
  }

  /**
   * The transaction with this nonce of an address, at or before a height. The node must have the states of the blocks
   * between.
   */
  private async userOf(address: string, nonce: number, until: number): Promise<string | null> {
    let low = Math.max(0, until - SEARCHED_BLOCKS);
    let high = until;
    if ((await this.countAt(address, low)) > nonce)
      throw new ChainUnavailable(
        `${this.name}: nonce ${nonce} of ${address} was used more than ${SEARCHED_BLOCKS} blocks ago`,
      );
    while (high - low > 1) {
      const middle = Math.floor((low + high) / 2);
      if ((await this.countAt(address, middle)) > nonce) high = middle;
      else low = middle;
    }
    const block = await this.rpc.call<RpcBlock | null>('eth_getBlockByNumber', [hex(high), true], BLOCK);
    return (
      block?.transactions.find((tx) => getAddress(tx.from) === address && numberOf(tx.nonce) === nonce)?.hash ?? null
    );
  }

  private async countAt(address: string, height: number): Promise<number> {
    return numberOf(await this.rpc.call<string>('eth_getTransactionCount', [address, hex(height)]));
  }
  private async height(): Promise<number> {
    return numberOf(await this.rpc.call<string>('eth_blockNumber'));
  }

  protected override async checkNode(): Promise<void> {
    const id = numberOf(await this.rpc.call<string>('eth_chainId'));
    if (id !== this.settings.chainId)
      throw new ChainUnavailable(`${this.name}: the node is of chain ${id}, and ours is ${this.settings.chainId}`);
  }
}

const blockOf = ({ number, hash, parentHash, timestamp }: RpcBlock): ChainBlock => ({
  height: numberOf(number),
  hash,
  parentHash,
  at: numberOf(timestamp) * 1_000,
});
