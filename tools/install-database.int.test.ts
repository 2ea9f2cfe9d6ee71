import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, expect, jest, test } from '@jest/globals';
import { testTimeoutMs } from '@bourse/testing';

jest.setTimeout(testTimeoutMs(60_000));

const folder = mkdtempSync(join(tmpdir(), 'bourse-install-'));
afterAll(() => rmSync(folder, { recursive: true }));

const run = (tool: string, env: NodeJS.ProcessEnv, ...args: string[]): Promise<{ code: number; said: string }> =>
  new Promise((resolve) => {
    execFile(
      process.execPath,
      [join(import.meta.dirname, tool), ...args],
      { env: { ...process.env, DATABASE_URL: '', DATABASE_URL_FILE: '', NODE_OPTIONS: '', ...env } },
      (error, out, err) => resolve({ code: error ? Number(error.code) : 0, said: out + err }),
    );
  });

test.each([
  ['export.mjs', ['--format', 'hledger'], 1],
  ['secrets.mjs', [], 1],
  ['tick-key.mjs', [], 1],
  ['reconcile.mjs', [], 2],
] as const)(
  '%s on a folder without an install says so and makes no database [DEPLOY-067]',
  async (tool, args, code) => {
    const nowhere = join(folder, 'nowhere');
    const { said, ...ended } = await run(tool, { BOURSE_DEV: '1' }, ...args, '--data-dir', nowhere);
    expect(said).toContain(`${nowhere} holds no database`);
    expect([ended.code, existsSync(nowhere)]).toEqual([code, false]);
  },
);

test('replay on a folder without an install has no result and makes no database [DEPLOY-067]', async () => {
  const nowhere = join(folder, 'nowhere');
  const { code, said } = await run('replay.mjs', { DATA_DIR: nowhere }, '--all');
  expect([code, said, existsSync(nowhere)]).toEqual([2, expect.stringContaining('holds no database'), false]);
});

test('replay reads the database of an exchange that runs distributed on the data folder [DEPLOY-068]', async () => {
  const asked: number[] = [];
  const server = createServer((socket) => {
    asked.push(1);
    socket.destroy();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { processIdentity } = (await import(
    pathToFileURL(join(import.meta.dirname, '..', 'apps', 'exchange', 'dist', 'postgres.js')).href
  )) as { processIdentity(pid: number): string };
  const install = join(folder, 'install');
  mkdirSync(join(install, 'distributed'), { recursive: true });
  const owner = { pid: process.pid, identity: processIdentity(process.pid) };
  const { port } = server.address() as AddressInfo;
  writeFileSync(join(install, 'distributed', 'postgres.json'), JSON.stringify({ port, password: 'pw', owner }));
  const { code } = await run('replay.mjs', { DATA_DIR: install }, '--all');
  server.close();
  expect([code, asked.length > 0]).toEqual([2, true]);
});
