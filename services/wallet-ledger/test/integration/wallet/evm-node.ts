import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { Interface } from 'ethers';
import { testTimeoutMs } from '@bourse/testing/eventually';

const TOKEN = new Interface([
  'function mint(address to, uint256 value)',
  'function refuse(address to, uint8 how)',
  'function transfer(address to, uint256 value)',
  'function balanceOf(address owner) view returns (uint256)',
]);
/** It compiles the token first. */
const START_MS_MAX = testTimeoutMs(30_000);

interface Started {
  readonly url: string;
  readonly chainId: number;
  readonly token: string;
  readonly accounts: readonly string[];
}

/**
 * A real EVM node in a process of its own, with a token on it: `tools/evm-node.mjs`. Blocks come with each transaction
 * unless `automine` says otherwise.
 */
export class EvmNode {
  private next = 1;
  private constructor(
    private readonly child: ChildProcess,
    private readonly started: Started,
  ) {}

  static async start(): Promise<EvmNode> {
    const child = spawn(process.execPath, [resolve(import.meta.dirname, '../../../../../tools/evm-node.mjs')], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let said = '';
    child.stderr.on('data', (text) => {
      said += String(text);
    });
    const line = await new Promise<string>((done, fail) => {
      const timer = setTimeout(() => {
        child.kill('SIGKILL');
        fail(new Error(`the node did not start: ${said}`));
      }, START_MS_MAX);
      child.once('exit', () => fail(new Error(`the node ended: ${said}`)));
      createInterface(child.stdout).once('line', (text) => {
        clearTimeout(timer);
        done(text);
      });
    });
    return new EvmNode(child, JSON.parse(line) as Started);
  }

  get url(): string {
    return this.started.url;
  }
  get chainId(): number {
    return this.started.chainId;
  }
  /** Contract of the token, six decimals. */
  get token(): string {
    return this.started.token;
  }
  /** An account with 10,000 coins whose transactions the node signs itself. */
  get rich(): string {
    return this.started.accounts[0]!;
  }

  async rpc<T = unknown>(method: string, ...params: readonly unknown[]): Promise<T> {
    const response = await fetch(this.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: this.next++, method, params }),
    });
    const { result, error } = (await response.json()) as {
      readonly result?: T;
      readonly error?: { readonly message: string };
    };
    if (error) throw new Error(`${method}: ${error.message}`);
    return result as T;
  }

  /** Sends coin from the rich account. Returns the id of the transaction. */
  pay(to: string, amount: bigint): Promise<string> {
    return this.rpc('eth_sendTransaction', { from: this.rich, to, value: hex(amount) });
  }
  mint(to: string, amount: bigint): Promise<string> {
    return this.callToken('mint', [to, amount]);
  }
  /** How the token refuses transfers to an address: not at all, by reverting, or by answering false. */
  refuse(to: string, how: 'not' | 'revert' | 'false'): Promise<string> {
    return this.callToken('refuse', [to, ['not', 'revert', 'false'].indexOf(how)]);
  }
  callToken(name: string, args: readonly unknown[], from = this.rich): Promise<string> {
    return this.rpc('eth_sendTransaction', {
      from,
      to: this.token,
      data: TOKEN.encodeFunctionData(name, args),
      gas: hex(200_000n),
    });
  }

  async balance(address: string): Promise<bigint> {
    return BigInt(await this.rpc<string>('eth_getBalance', address, 'latest'));
  }
  async tokenBalance(address: string): Promise<bigint> {
    return BigInt(
      await this.rpc<string>(
        'eth_call',
        { to: this.token, data: TOKEN.encodeFunctionData('balanceOf', [address]) },
        'latest',
      ),
    );
  }
  mine(blocks = 1): Promise<unknown> {
    return this.rpc('hardhat_mine', hex(BigInt(blocks)));
  }
  automine(on: boolean): Promise<unknown> {
    return this.rpc('evm_setAutomine', on);
  }
  baseFee(wei: bigint): Promise<unknown> {
    return this.rpc('hardhat_setNextBlockBaseFeePerGas', hex(wei));
  }

  /** Ends the process, by its id. */
  async stop(): Promise<void> {
    if (this.child.exitCode !== null) return;
    const ended = once(this.child, 'exit');
    this.child.kill('SIGTERM');
    await ended;
  }
}

const hex = (value: bigint): string => `0x${value.toString(16)}`;
