import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import pg from 'pg';
import { eventually, testTimeoutMs } from '@bourse/testing/eventually';
import { PostgresDatabases } from '../../src/index.js';

jest.setTimeout(testTimeoutMs(24_000));

const root = fileURLToPath(new URL('../../../../', import.meta.url));

interface Running {
  readonly url: string;
  stop(): Promise<void>;
}

describe('PostgreSQL over TLS that is verified [HARD-209]', () => {
  const migrations = [{ id: '0001-note', sql: 'create table note (id int primary key)' }];
  let dir: string;
  let server: Running;
  let url: URL;
  beforeAll(async () => {
    const { startDatabase } = (await import(pathToFileURL(join(root, 'tools/lib/postgres.mjs')).href)) as {
      startDatabase(options: object): Promise<Running>;
    };
    dir = mkdtempSync(join(tmpdir(), 'bourse-verified-'));
    certificate('server', '/CN=localhost', '-addext', 'subjectAltName=IP:127.0.0.1,DNS:localhost');
    certificate('other', '/CN=another');
    server = await startDatabase({ given: '', dataDir: join(dir, 'postgres'), disposable: true });
    url = new URL(server.url);
    // As its own user, the only one who may read the key; the folder of a server is the working directory of its
    // programs.
    for (const [name, path] of [
      ['server.key', join(dir, 'server-key.pem')],
      ['server.crt', join(dir, 'server.pem')],
    ] as const)
      await look(
        `copy (select '${readFileSync(path).toString('base64')}') to program 'umask 077 && base64 -d > ${name}'`,
      );
    await look('alter system set ssl = on');
    await look('select pg_reload_conf()');
    await eventually(async () => (await look('show ssl'))[0]?.['ssl'] === 'on');
  });
  afterAll(async () => {
    await server?.stop();
    rmSync(dir, { recursive: true, force: true });
  });

  /** A self-signed certificate. */
  function certificate(name: string, subject: string, ...more: string[]): void {
    execFileSync(
      'openssl',
      [
        ...['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', subject, ...more],
        ...['-keyout', join(dir, `${name}-key.pem`), '-out', join(dir, `${name}.pem`)],
      ],
      { stdio: 'ignore' },
    );
  }
  const known = (name: string): string =>
    `sslmode=verify-full&sslrootcert=${encodeURIComponent(join(dir, `${name}.pem`))}`;

  /** As the server's owner, who sees all connections. */
  async function look(sql: string): Promise<Record<string, unknown>[]> {
    const client = new pg.Client({ connectionString: url.href });
    await client.connect();
    try {
      return (await client.query<Record<string, unknown>>(sql)).rows;
    } finally {
      await client.end();
    }
  }

  const open = async (query: string): Promise<unknown> => {
    const databases = new PostgresDatabases({ url: `${url.href}?${query}` });
    try {
      const database = await databases.open({ schema: 'secured', migrations });
      await database.execute('delete from note');
      return await look(`select bool_and(ssl) as all, count(*) > 0 as some
        from pg_stat_ssl join pg_stat_activity using (pid)
        where backend_type = 'client backend' and pid <> pg_backend_pid()`);
    } finally {
      await databases.close();
    }
  };

  test('whose certificate is trusted is accepted, by the pools and by the migrations', async () => {
    await expect(open(known('server'))).resolves.toEqual([{ all: true, some: true }]);
  });

  test('whose certificate another authority or an unknown one has signed is refused', async () => {
    await expect(open(known('other'))).rejects.toThrow(/certificate/i);
    await expect(open('sslmode=verify-full')).rejects.toThrow(/certificate/i);
  });
});
