// Services as processes of their own, for tests of their ends.
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../../../', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'bourse-ends-'));
/** Longer than any end may take: a service that serves on after a fault fails the test. */
const SERVE_SECONDS = 60;

export interface Program {
  readonly child: ChildProcess;
  readonly ended: Promise<{ readonly code: number | null; readonly signal: string | null }>;
  output(): string;
  /** Waits for it, as long as the program runs. */
  until(isSo: () => boolean | Promise<boolean>): Promise<void>;
}
const running = new Set<ChildProcess>();

/** A service as a process of its own. Neither Kafka nor Redis answers: it waits for them, and would for ever. */
export function start(service: string, env: Readonly<Record<string, string>>): Program {
  const child = spawn(process.execPath, [`dist/${service}.js`], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env['PATH'] ?? '',
      NODE_ENV: 'test',
      BOURSE_DEV: '1',
      BOURSE_SERVICES: JSON.stringify({ gateway: 'http://127.0.0.1:9', [service]: 'http://127.0.0.1:9' }),
      KAFKA_BROKERS: '127.0.0.1:9',
      REDIS_URL: 'redis://127.0.0.1:9',
      DATA_DIR: join(folder, service),
      SHUTDOWN_SERVE_SECONDS: String(SERVE_SECONDS),
      ...env,
    },
  });
  running.add(child);
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
  const ended = new Promise<{ code: number | null; signal: string | null }>((resolve) => {
    child.once('close', (code, signal) => {
      running.delete(child);
      resolve({ code, signal });
    });
  });
  const until = async (isSo: () => boolean | Promise<boolean>): Promise<void> => {
    while (!(await isSo())) {
      if (!running.has(child)) throw new Error(`it ended too soon:\n${output}`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  };
  return { child, ended, output: () => output, until };
}
/** The output of a service, each line parsed as JSON. */
export const linesOf = ({ output }: Program): Record<string, unknown>[] =>
  output()
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Record<string, unknown>);

/** Ends the services that run still, and removes their files. */
export function cleanUp(): void {
  for (const child of running) child.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
}
