// Starts of the exchange with settings or databases that it refuses.
import { randomBytes } from 'node:crypto';
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect } from '@jest/globals';
import { installFacts } from '@bourse/messaging';
import { checkInstall, InstallRefused } from '@bourse/persistence';
import { ConfigError, loadConfig, SECRET_NAMES_OF_INSTALL } from '@bourse/platform';
import { testTimeoutMs } from '@bourse/testing';
import pg from 'pg';

const root = fileURLToPath(new URL('../../../../', import.meta.url));
const MAIN = 'dist/exchange.js';
/** The longest run of a program of these tests on an idle machine. */
const RUN_MS_MAX = 36_000;

export const folder = mkdtempSync(join(tmpdir(), 'bourse-wrong-'));
export const random = (): string => randomBytes(32).toString('base64');
export const secrets = Object.fromEntries(SECRET_NAMES_OF_INSTALL.map((name) => [name, random()]));
export const REAL = { ...secrets, NODE_ENV: 'production', PRICE_FEED: 'live:binance' };
export const DEMO = { NODE_ENV: 'test', BOURSE_DEV: '1', PRICE_FEED: 'simulated' };

const running = new Set<ChildProcess>();
const databases: string[] = [];

/** Ends the programs that run still, and removes databases and files. */
export async function cleanUp(): Promise<void> {
  for (const child of running) child.kill('SIGKILL');
  for (const name of databases) await administer(`drop database if exists ${name} with (force)`);
  rmSync(folder, { recursive: true, force: true });
}

interface Program {
  readonly child: ChildProcess;
  readonly ended: Promise<number | null>;
  output(): string;
}
/** Runs a program of the clone with nothing in its environment but `env`. */
export function run(args: readonly string[], env: Readonly<Record<string, string>>): Program {
  const child = spawn(process.execPath, [...args], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env['PATH'] ?? '',
      HOME: folder,
      PORT: '0',
      METRICS_PORT: '0',
      DATA_DIR: join(folder, 'data'),
      ...env,
    },
  });
  running.add(child);
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
  const closed = new Promise<number | null>((resolve) => {
    child.once('close', (code) => {
      running.delete(child);
      resolve(code);
    });
  });
  const limitMs = testTimeoutMs(RUN_MS_MAX);
  const late = sleep(limitMs, undefined, { ref: false }).then(() => {
    throw new Error(`${args.join(' ')} has not ended within ${limitMs / 1_000} s, and said:\n${output}`);
  });
  late.catch(() => undefined); // its end may never be awaited
  return { child, ended: Promise.race([closed, late]), output: () => output };
}

/** Runs a start that must fail; returns its message, which must be a sentence without a stack. */
export async function refusedStart(env: Readonly<Record<string, string>>): Promise<string> {
  const program = run([MAIN], env);
  const code = await program.ended;
  expect([code, program.output()]).toEqual([1, expect.not.stringMatching(/BOURSE READY|^\s+at /m)]);
  return program.output();
}

/** Settings that must be refused, with the message of the start. */
export function refusedSettings(env: Readonly<Record<string, string>>): string {
  try {
    loadConfig(env);
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
  throw new Error('these settings are taken');
}

/** Returns the refusal of a start with these settings because of the marks in its database; empty if none. */
export async function refusedInstall(env: Readonly<Record<string, string>>): Promise<string> {
  const config = loadConfig({ DATA_DIR: join(folder, 'data'), ...env });
  try {
    await checkInstall(env['DATABASE_URL'] ?? '', installFacts(config));
    return '';
  } catch (error) {
    if (error instanceof InstallRefused) return error.message;
    throw error;
  }
}

/** A start that must succeed as far as `seen`; then it is ended in order. */
export async function startedUntil(
  env: Readonly<Record<string, string>>,
  seen: (output: string) => boolean | Promise<boolean>,
): Promise<void> {
  const program = run([MAIN], env);
  let over: string | undefined;
  program.ended.then(
    () => (over = `it ended too soon:\n${program.output()}`),
    (error: unknown) => (over = String(error)),
  );
  while (!(await seen(program.output()))) {
    if (over !== undefined) throw new Error(over);
    await sleep(100);
  }
  program.child.kill('SIGTERM');
  const code = await program.ended;
  // One that did not serve yet may be in the middle of anything.
  if (isReady(program.output())) expect(code).toBe(0);
}
export const isReady = (output: string): boolean => /^BOURSE READY /m.test(output);

async function administer(sql: string): Promise<void> {
  await ask(process.env['TEST_DATABASE_URL'] ?? '', sql);
}
export async function ask(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return ((await client.query(sql)) as pg.QueryResult<Record<string, unknown>>).rows;
  } finally {
    await client.end();
  }
}
/** Creates an empty database, or a copy of `of`, which needs no migration and no seed; `of` must have no connection. */
export async function newDatabase(of?: string): Promise<string> {
  const name = `wrong_start_${process.pid}_${databases.length}`;
  databases.push(name);
  await administer(`create database ${name}${of === undefined ? '' : ` template ${new URL(of).pathname.slice(1)}`}`);
  const url = new URL(process.env['TEST_DATABASE_URL'] ?? '');
  url.pathname = `/${name}`;
  return url.href;
}
