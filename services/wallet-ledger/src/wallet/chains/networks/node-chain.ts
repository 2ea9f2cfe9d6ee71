import { Chain, ChainUnavailable } from '../application/chain.js';
import { RpcRefusal } from './json-rpc.js';

/** A chain behind a node of the operator, which must be of the expected chain. */
export abstract class NodeChain extends Chain {
  private isRightChain = false;

  /** Throws `ChainUnavailable` when the node is of another chain. */
  protected abstract checkNode(): Promise<void>;

  /** Reads from the node. A refusal counts as no answer. */
  protected async readNode<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await this.callNode(work);
    } catch (error) {
      if (error instanceof RpcRefusal) throw new ChainUnavailable(`${this.name}: ${error.message}`, { cause: error });
      throw error;
    }
  }

  /** Calls the node, which is checked before its first call. */
  protected async callNode<T>(work: () => Promise<T>): Promise<T> {
    if (!this.isRightChain) {
      await this.checkNode();
      this.isRightChain = true;
    }
    return work();
  }
}
