import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { ExchangeProcess } from '../integration/exchange-process.js';

const START_MS_MAX = 60_000;
const BACK_MS_MAX = 60_000;
const ANSWER_MS_MAX = 5_000;

/**
 * An exchange whose services can be killed: the embedded one with all of them in one process, or that of the
 * distributed run.
 */
export interface RunningExchange {
  readonly url: string;
  /**
   * SIGKILL of a service, and the wait until the exchange is whole again. In the embedded run every service dies with
   * it.
   */
  kill(service: string): Promise<void>;
  end(): Promise<void>;
}

/** The distributed run that `npm test` has started against the node, or an embedded one of the test's own. */
export async function runningExchange(node: EvmNode): Promise<RunningExchange> {
  const { BOURSE_RUN, BOURSE_URL, BOURSE_PROCESSES, BOURSE_READY } = process.env;
  if (BOURSE_RUN === 'distributed' && BOURSE_URL && BOURSE_PROCESSES && BOURSE_READY)
    return distributed(
      BOURSE_URL.replace(/\/$/, ''),
      BOURSE_PROCESSES,
      Object.values(JSON.parse(BOURSE_READY) as Record<string, string>),
    );
  const exchange = await ExchangeProcess.create('journey', {
    CHAIN_ETHEREUM_URL: node.url,
    CHAIN_ETHEREUM_ID: String(node.chainId),
  });
  await exchange.start();
  return {
    url: exchange.url,
    kill: async () => {
      await exchange.kill();
      await exchange.start();
      await ready([`${exchange.url}/readyz`]);
    },
    end: () => exchange.dispose(),
  };
}

/** `file` has the running processes, `services` the address of each one's readiness check. */
function distributed(url: string, file: string, services: readonly string[]): RunningExchange {
  const pidOf = (service: string): number | undefined =>
    (JSON.parse(readFileSync(file, 'utf8')) as { children: Record<string, { pid: number }> }).children[service]?.pid;
  return {
    url,
    end: () => Promise.resolve(),
    async kill(service) {
      const pid = pidOf(service);
      if (pid === undefined) throw new Error(`no process of ${service}`);
      process.kill(pid, 'SIGKILL');
      await until(
        () => Promise.resolve(pidOf(service) !== pid && pidOf(service) !== undefined),
        `a new process of ${service}`,
      );
      await ready(services);
    },
  };
}

const ready = (services: readonly string[]): Promise<void> =>
  until(async () => {
    try {
      return (
        await Promise.all(services.map((address) => fetch(address, { signal: AbortSignal.timeout(ANSWER_MS_MAX) })))
      ).every(({ ok }) => ok);
    } catch (error) {
      if (['TypeError', 'TimeoutError'].includes((error as Error).name)) return false; // not listening yet
      throw error;
    }
  }, 'the exchange to be whole again');

/** Looks every half second until it is so. */
export async function until(look: () => Promise<boolean>, what: string, withinMs = BACK_MS_MAX): Promise<void> {
  for (const end = Date.now() + withinMs; !(await look());) {
    if (Date.now() > end) throw new Error(`waited ${withinMs} ms for ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
}

interface Started {
  readonly url: string;
  readonly chainId: number;
  readonly accounts: readonly string[];
}

/** A local EVM node, `tools/evm-node.mjs`: the one that runs already (`EVM_NODE`), or one of the test's own. */
export class EvmNode {
  private constructor(
    private readonly child: ChildProcess | null,
    private readonly started: Started,
  ) {}

  static async start(): Promise<EvmNode> {
    if (process.env.EVM_NODE) return new EvmNode(null, JSON.parse(process.env.EVM_NODE) as Started);
    const child = spawn(process.execPath, [fileURLToPath(new URL('../../../../tools/evm-node.mjs', import.meta.url))], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const line = await new Promise<string>((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error('the EVM node did not start')), START_MS_MAX);
      child.once('exit', (code) => reject(new Error(`the EVM node ended with ${code ?? 'a signal'}`)));
      createInterface(child.stdout).once('line', (text) => {
        clearTimeout(timer);
        resolve(text);
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

  /** Wei from a rich account of the node. */
  async pay(to: string, wei: bigint): Promise<void> {
    await this.rpc('eth_sendTransaction', [{ from: this.started.accounts[0], to, value: `0x${wei.toString(16)}` }]);
  }
  async mine(blocks: number): Promise<void> {
    await this.rpc('hardhat_mine', [`0x${blocks.toString(16)}`]);
  }
  async balance(address: string): Promise<bigint> {
    return BigInt(await this.rpc('eth_getBalance', [address, 'latest']));
  }

  async stop(): Promise<void> {
    if (!this.child || this.child.exitCode !== null) return;
    const ended = once(this.child, 'exit');
    this.child.kill('SIGTERM');
    await ended;
  }

  private async rpc(method: string, params: readonly unknown[]): Promise<string> {
    const response = await fetch(this.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    });
    const { result, error } = (await response.json()) as {
      readonly result?: string;
      readonly error?: { readonly message: string };
    };
    if (error) throw new Error(`${method}: ${error.message}`);
    return result ?? '';
  }
}
