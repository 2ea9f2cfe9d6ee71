import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, jest, test } from '@jest/globals';
import pg from 'pg';
import { io } from 'socket.io-client';
import { testTimeoutMs } from '@bourse/testing/eventually';

jest.setTimeout(testTimeoutMs(120_000));

const root = fileURLToPath(new URL('../../../../', import.meta.url));

test('a process that gets SIGTERM is not ready, serves on, notifies its sockets, and ends [DEPLOY-008]', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'bourse-shutdown-'));
  const admin = new pg.Client({ connectionString: process.env['TEST_DATABASE_URL'] });
  await admin.connect();
  const name = `shutdown_${process.pid}`;
  await admin.query(`create database ${name}`);
  const database = new URL(process.env['TEST_DATABASE_URL'] ?? '');
  database.pathname = `/${name}`;
  const child = spawn(process.execPath, ['dist/exchange.js'], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      PATH: process.env['PATH'] ?? '',
      NODE_ENV: 'test',
      BOURSE_DEV: '1',
      MAKER: 'off',
      PRICE_FEED: 'simulated',
      PORT: '0',
      DATA_DIR: folder,
      DATABASE_URL: database.href,
      SHUTDOWN_SERVE_SECONDS: '3',
    },
  });
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  try {
    let output = '';
    const base = await new Promise<string>((resolve, reject) => {
      child.stdout.on('data', (chunk: Buffer) => {
        output += chunk.toString();
        const told = /^BOURSE READY (.*)$/m.exec(output)?.[1];
        if (told !== undefined) resolve((JSON.parse(told) as { url: string }).url);
      });
      child.once('close', () => reject(new Error(output)));
    });
    const socket = io(base, { reconnection: false, transports: ['websocket'] });
    await new Promise<void>((resolve, reject) => {
      socket.once('connect', resolve);
      socket.once('connect_error', reject);
    });
    const hint = new Promise<unknown>((resolve) => socket.once('server_closing', resolve));
    const cut = new Promise<string>((resolve) => socket.once('disconnect', resolve));
    child.kill('SIGTERM');
    while ((await fetch(`${base}/readyz`)).status === 200) await new Promise((resolve) => setTimeout(resolve, 20));
    // A balancer that has not probed yet still sends calls here.
    expect((await fetch(`${base}/api/config`)).status).toBe(200);
    expect(socket.connected).toBe(true);
    expect(await hint).toEqual({ reconnect_ms: expect.any(Number) });
    // Clients come back by themselves after a lost line, and not after `io server disconnect`.
    expect(await cut).not.toBe('io server disconnect');
    expect(await ended).toBe(0);
  } finally {
    child.kill('SIGKILL');
    await admin.query(`drop database if exists ${name} with (force)`);
    await admin.end();
    rmSync(folder, { recursive: true, force: true });
  }
});
