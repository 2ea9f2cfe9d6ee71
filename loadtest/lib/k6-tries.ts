import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from '@jest/globals';

/*
 * Scripts of k6 run to their end by tests, against the exchange of the suite or through a proxy that changes some of
 * its answers. Speed is not checked: the limit of P99 is out of reach, and turns may be dropped.
 */

const BASE = process.env['BOURSE_URL'] ?? '';
const K6 = process.env['K6'] ?? 'k6';
/** Folder of the scripts. */
export const scripts = fileURLToPath(new URL('../k6/', import.meta.url));
/** A folder of this test file; importers remove it with `removeFolder`. */
export const folder = mkdtempSync(join(tmpdir(), 'bourse-k6-'));
export const removeFolder = (): void => rmSync(folder, { recursive: true, force: true });

/** Settings of a short run. */
const SHORT = { VUS: '2', PEOPLE: '4', SECONDS: '3', GRACE: '2' };
/** Settings of every run of a test. */
const UNHURRIED = { P99: '60000', DROPPED: '1' };
/** How k6 ends when a threshold is crossed. */
export const CROSSED = 99;

/** A finished run: its output, and its counts and rates by metric. */
export interface Run {
  readonly code: number | null;
  readonly said: string;
  readonly counts: Readonly<Record<string, number>>;
  readonly shares: Readonly<Record<string, number>>;
}
type Settings = Readonly<Record<string, string>>;
type Metrics = Record<string, { values: { count?: number; rate?: number } }>;

let serial = 0;
/** Runs a script, named by its path or its name in the folder of scripts, with these settings and no others. */
export async function k6With(script: string, settings: Settings, options: readonly string[] = []): Promise<Run> {
  const summary = join(folder, `summary-${(serial += 1)}.json`);
  const given = { BASE_URL: BASE, ...UNHURRIED, ...settings, SUMMARY: summary };
  const child = spawn(
    K6,
    [
      'run',
      '--quiet',
      '--no-color',
      ...options,
      ...Object.entries(given).flatMap(([name, value]) => ['-e', `${name}=${value}`]),
    ].concat(script.endsWith('.js') ? script : join(scripts, `${script}.js`)),
    { stdio: ['ignore', 'pipe', 'pipe'], env: { PATH: process.env['PATH'], HOME: folder, K6_NO_USAGE_REPORT: 'true' } },
  );
  let said = '';
  for (const output of [child.stdout, child.stderr]) output.on('data', (chunk: Buffer) => (said += chunk.toString()));
  const code = await new Promise<number | null>((done, failed) => child.once('close', done).once('error', failed));
  try {
    const metrics = Object.entries(JSON.parse(readFileSync(summary, 'utf8')) as Metrics);
    const counts = Object.fromEntries(metrics.map(([name, { values }]) => [name, values.count ?? 0]));
    const shares = Object.fromEntries(metrics.map(([name, { values }]) => [name, values.rate ?? 0]));
    return { code, said, counts, shares };
  } catch (error) {
    // A run that was refused before it began has none.
    if (code === 0) throw error;
    return { code, said, counts: {}, shares: {} };
  }
}

/** Runs a script for seconds. */
export const k6 = (script: string, more: Settings = {}): Promise<Run> => k6With(script, { ...SHORT, ...more });

/** Returns the counts of a run that passed; fails with its output otherwise. */
export function mustPass({ code, said, counts }: Run): Run['counts'] {
  expect(code === 0 ? '' : said).toBe('');
  expect(counts['unreconciled'] ?? 0).toBe(0);
  return counts;
}
/** Runs a script for seconds; it must pass. */
export const passed = async (script: string, more: Settings = {}): Promise<Run['counts']> =>
  mustPass(await k6(script, more));

/** Starts a proxy before the exchange that changes some of its answers. */
export async function through(
  change: (asked: IncomingMessage, answer: ServerResponse) => boolean,
  use: (url: string) => Promise<void>,
): Promise<void> {
  const server = createServer((asked, answer) => {
    if (change(asked, answer)) return;
    passOn(asked, answer);
  });
  server.on('upgrade', (asked, socket, head) => {
    const target = new URL(asked.url ?? '/', BASE);
    const onward = request(target, { headers: { ...asked.headers, host: target.host } });
    onward.once('upgrade', (got, far, farHead) => {
      const lines = Object.entries(got.headers).map(([name, value]) => `${name}: ${String(value)}`);
      socket.write(`HTTP/1.1 101 Switching Protocols\r\n${lines.join('\r\n')}\r\n\r\n`);
      socket.write(farHead);
      far.write(head);
      far.pipe(socket).pipe(far);
      for (const one of [far, socket]) one.once('error', () => [far, socket].forEach((end) => end.destroy()));
    });
    onward.once('response', () => socket.destroy()).once('error', () => socket.destroy());
    onward.end();
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  try {
    await use(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

/** Forwards a call to the exchange and returns its answer. */
export function passOn(asked: IncomingMessage, answer: ServerResponse): void {
  const target = new URL(asked.url ?? '/', BASE);
  const onward = request(target, { method: asked.method, headers: { ...asked.headers, host: target.host } }, (got) => {
    answer.writeHead(got.statusCode ?? 502, got.headers);
    got.pipe(answer);
  });
  onward.once('error', () => answer.destroy());
  asked.pipe(onward);
}

/** Answers instead of the exchange. */
export const say = (answer: ServerResponse, status: number, body: object, headers: Settings = {}): boolean => {
  answer.writeHead(status, { 'content-type': 'application/json', ...headers });
  answer.end(JSON.stringify(body));
  return true;
};

/** Hides what a demo install alone has. */
export const noDemo = (asked: IncomingMessage, answer: ServerResponse): boolean =>
  asked.url?.startsWith('/dev/') === true &&
  say(answer, 404, { type: 'error', key: 'common.noRoute', message: 'none', request_id: 'none' });
