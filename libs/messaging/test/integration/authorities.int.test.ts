import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer, type Server } from 'node:tls';
import { afterAll, afterEach, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { logLevel } from 'kafkajs';
import { createClient } from 'redis';
import { AuthorityFile, expiryOf, loadConfig, Metrics } from '@bourse/platform';
import { testTimeoutMs } from '@bourse/testing/eventually';
import { AuthorityGauge } from '../../src/authority-gauge.js';
import { kafkaAddress, redisSettings } from '../../src/index.js';
import { kafkaClient } from '../../src/kafka/kafka-client.js';

jest.setTimeout(testTimeoutMs(24_000));

const dir = mkdtempSync(join(tmpdir(), 'bourse-authorities-'));
/** The file of authorities that a process trusts; the tests replace it. */
const trusted = join(dir, 'trusted.crt');
const pem = (name: string): string => readFileSync(join(dir, `${name}.crt`), 'utf8');
const made = (name: string, days: number, subject = 'localhost'): void => {
  execFileSync(
    'openssl',
    [
      ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', String(days)],
      ...['-subj', `/CN=${subject}`, '-addext', 'subjectAltName=IP:127.0.0.1,DNS:localhost'],
      ...['-keyout', join(dir, `${name}.key`), '-out', join(dir, `${name}.crt`)],
    ],
    { stdio: 'ignore' },
  );
};
beforeAll(() => {
  made('before', 3);
  made('after', 90);
  made('other', 20, 'another authority');
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

describe('an authority that is renewed while a process runs [OBSERVE-040]', () => {
  let server: Server | undefined;
  /** Starts a server with the certificate of that name at a port; it answers trusting clients as Redis does. */
  async function serves(name: string, port = 0): Promise<number> {
    await stops();
    server = createServer({ key: readFileSync(join(dir, `${name}.key`)), cert: pem(name) }, (socket) => {
      socket.on('error', () => undefined); // a client that does not trust it leaves
      socket.on('data', (chunk) => {
        for (const _ of chunk.toString().matchAll(/^\*/gm)) socket.write('+PONG\r\n');
      });
    });
    server.on('tlsClientError', () => undefined);
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    return (server.address() as AddressInfo).port;
  }
  const stops = async (): Promise<void> => {
    if (!server) return;
    server.close();
    await once(server, 'close');
    server = undefined;
  };
  afterEach(stops);

  test('Kafka: each new connection of a client trusts the present content of the file', async () => {
    copyFileSync(join(dir, 'before.crt'), trusted);
    const port = await serves('before');
    const { kafkaAccess } = loadConfig({
      BOURSE_DEV: '1',
      DATA_DIR: dir,
      KAFKA_SSL: '1',
      KAFKA_SSL_CA_FILE: trusted,
      KAFKA_BROKERS: `127.0.0.1:${port}`,
    });
    const kafka = kafkaClient({
      clientId: 'authorities',
      ...kafkaAddress([`127.0.0.1:${port}`], kafkaAccess),
      logLevel: logLevel.NOTHING,
      connectionTimeout: 3_000,
      requestTimeout: 200,
      retry: { retries: 0 },
    });
    /**
     * Whether a client trusted the certificate of a server that does not speak Kafka: if not, it fails without an
     * answer.
     */
    const ends = async (): Promise<string> => {
      const admin = kafka.admin({ retry: { retries: 0 } });
      const reason = await admin.connect().then(
        () => '',
        (error: Error) => error.message,
      );
      await admin.disconnect();
      return /certificate/i.test(reason) ? 'not trusted' : 'trusted';
    };
    expect(await ends()).toBe('trusted');
    await serves('after', port);
    expect(await ends()).toBe('not trusted');
    copyFileSync(join(dir, 'after.crt'), trusted);
    expect(await ends()).toBe('trusted');
  });

  test('Redis: a client that was made before connects again', async () => {
    copyFileSync(join(dir, 'before.crt'), trusted);
    const port = await serves('before');
    const { url, socket } = redisSettings({ url: `rediss://127.0.0.1:${port}`, ca: new AuthorityFile(trusted) });
    const ends = async (
      client: Pick<ReturnType<typeof createClient>, 'isOpen' | 'destroy'> & { connect(): Promise<unknown> },
    ): Promise<string> => {
      const end = await client.connect().then(
        () => 'trusted',
        (error: Error) => error.message,
      );
      if (client.isOpen) client.destroy();
      return end;
    };
    const first = createClient({ url, socket: { ...socket, reconnectStrategy: false } });
    first.on('error', () => undefined); // its connect fails too
    expect(await ends(first)).toBe('trusted');
    await serves('after', port);
    expect(await ends(first)).toMatch(/certificate/i);
    copyFileSync(join(dir, 'after.crt'), trusted);
    expect(await ends(first)).toBe('trusted');
  });

  test('a file that is lost or empty for a moment leaves the last certificates in force', () => {
    copyFileSync(join(dir, 'after.crt'), trusted);
    const file = new AuthorityFile(trusted);
    writeFileSync(trusted, '');
    expect(file.read()).toBe(pem('after'));
    rmSync(trusted);
    expect(file.read()).toBe(pem('after'));
    expect(() => new AuthorityFile(trusted)).toThrow(/ENOENT/);
  });
});

describe('how long authorities last [OBSERVE-041]', () => {
  const DAY_MS = 86_400_000;
  const daysLeft = (text: string): number | null => {
    const expiry = expiryOf(text);
    return expiry === null ? null : Math.round((expiry - Date.now()) / DAY_MS);
  };

  test.each([
    ['one certificate', () => pem('before'), 3],
    ['a renewed authority beside its old certificate: the newest counts', () => pem('before') + pem('after'), 90],
    ['two authorities: the first to expire counts', () => pem('after') + pem('other'), 20],
    ['no certificate', () => 'nothing', null],
    ['a certificate that cannot be read', () => pem('after').replace('\nM', '\nX'), null],
  ])('%s', (_what, text, days) => {
    expect(daysLeft(text())).toBe(days);
  });

  test('each file that a process trusts is measured, and one that is lost shows 0', async () => {
    const [kafka, database] = [join(dir, 'kafka.crt'), join(dir, 'postgres.crt')];
    copyFileSync(join(dir, 'after.crt'), kafka);
    copyFileSync(join(dir, 'before.crt'), database);
    const config = loadConfig({
      BOURSE_DEV: '1',
      DATA_DIR: dir,
      KAFKA_SSL: '1',
      KAFKA_SSL_CA_FILE: kafka,
      DATABASE_URL: `postgres://a:b@127.0.0.1/x?sslmode=verify-full&sslrootcert=${encodeURIComponent(database)}`,
    });
    const metrics = new Metrics();
    new AuthorityGauge(config, metrics);
    const shown = async (): Promise<Record<string, number>> =>
      Object.fromEntries(
        [...(await metrics.text()).matchAll(/^bourse_ca_expires_seconds\{file="([^"]+)"\} (\S+)$/gm)].map(
          ([, file = '', value]) => [file, Math.round((Number(value) * 1_000) / DAY_MS)],
        ),
      );
    expect(await shown()).toEqual({ [kafka]: 90, [database]: 3 });
    copyFileSync(join(dir, 'other.crt'), kafka);
    rmSync(database);
    expect(await shown()).toEqual({ [kafka]: 20, [database]: 0 });
  });
});
