import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { ChildProcess } from 'node:child_process';

/** Root of the workspace. */
export const root = fileURLToPath(new URL('../../../../', import.meta.url));

export interface Handle {
  readonly name: string;
  readonly child: ChildProcess;
  readonly pid: number;
  readonly log?: string;
  readonly over: boolean;
  readonly exited: Promise<{ code: number | null; signal?: NodeJS.Signals | null }>;
  stop(graceMs?: number): Promise<void>;
}
export interface RunningServer {
  readonly handle?: Handle;
  readonly url?: string;
  readonly brokers?: string;
  stop(): Promise<void>;
}

interface Processes {
  noteChildren(dir: string): Promise<void>;
  freePorts(count: number): Promise<number[]>;
  startProcess(
    command: string,
    args: readonly string[],
    options: { env?: NodeJS.ProcessEnv; cwd?: string; log?: string; name?: string },
  ): Handle;
  stopAll(graceMs?: number): Promise<void>;
  answers(url: string): Promise<boolean>;
  onPath(...names: string[]): string | undefined;
}
interface Kafka {
  startKafka(options: {
    dataDir: string;
    logDir: string;
    ports?: readonly number[];
    advertised?: number;
    onProgress?: (text: string) => void;
    given?: string;
  }): Promise<RunningServer>;
}
interface Redis {
  startRedis(options: { logDir: string; ports?: readonly number[]; given?: string }): Promise<RunningServer>;
}
/** Kinds of faults in the manifests of the services. */
type Fault = 'clock' | 'line' | 'slow' | 'path' | 'owner';
interface Services {
  readonly SERVICES: readonly string[];
  readonly EDGE: string;
  servicesWith(fault: Fault): readonly string[];
  serviceEnv(
    name: string,
    shared: {
      parts: { databaseUrl: string; redisUrl: string; kafkaBrokers: string };
      ports: Readonly<Record<string, number>>;
      port: number;
      dataDir: string;
    },
  ): Record<string, string>;
}
interface Clone {
  readonly node24: string;
  readonly nodeFlags: readonly string[];
  readonly cacheDir: string;
  programFile(name: string): string;
  cloneEnv(extra?: NodeJS.ProcessEnv): NodeJS.ProcessEnv;
}
interface Postgres {
  startPostgres(options: {
    dataDir: string;
    port?: number;
    onUnexpectedExit?: (reason: string) => void;
  }): Promise<{ url: string; stop(): Promise<void> }>;
  stopLeftover(dataDir: string): Promise<void>;
}

async function load<T>(path: string): Promise<T> {
  return (await import(pathToFileURL(join(root, path)).href)) as T;
}

/** The workspace's own tools, which are plain scripts outside of any package. */
export const processes = await load<Processes>('tools/lib/processes.mjs');
export const kafkaTools = await load<Kafka>('tools/lib/kafka.mjs');
export const redisTools = await load<Redis>('tools/lib/redis.mjs');
export const serviceTools = await load<Services>('tools/lib/services.mjs');
export const clone = await load<Clone>('tools/lib/clone.mjs');
export const postgresTools = await load<Postgres>('apps/exchange/dist/postgres.js');

/** The services on which a kind of fault is tried, by their manifests. */
export const servicesWithFault = (fault: Fault): readonly string[] => serviceTools.servicesWith(fault);
