import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { Kafka, logLevel } from 'kafkajs';
import { createClient } from 'redis';
import { loadConfig, type Config } from '@bourse/platform';
import { testTimeoutMs } from '@bourse/testing/eventually';
import { emptyTopics, kafkaAddress, logHeads, redisSettings } from '../../src/index.js';

jest.setTimeout(testTimeoutMs(24_000));

interface Running {
  readonly brokers?: string;
  readonly url?: string;
  stop(): Promise<void>;
}
interface Tools {
  startKafka(options: object): Promise<Running>;
  startRedis(options: object): Promise<Running>;
}
const root = fileURLToPath(new URL('../../../../', import.meta.url));
const tool = async (name: string): Promise<Tools> =>
  (await import(pathToFileURL(join(root, 'tools/lib', name)).href)) as Tools;

let dir: string;
let cert: string;
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'bourse-secured-'));
  cert = join(dir, 'cert.pem');
  execFileSync(
    'openssl',
    [
      ...['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', '/CN=localhost'],
      ...['-addext', 'subjectAltName=IP:127.0.0.1,DNS:localhost'],
      ...['-keyout', join(dir, 'key.pem'), '-out', cert],
    ],
    { stdio: 'ignore' },
  );
  writeFileSync(join(dir, 'both.pem'), readFileSync(join(dir, 'key.pem'), 'utf8') + readFileSync(cert, 'utf8'));
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

const settings = (more: Record<string, string>): Config =>
  loadConfig({ BOURSE_DEV: '1', DATA_DIR: join(dir, 'data'), ...more });

describe('Kafka with authentication [HARD-209]', () => {
  const users = { ledger: 'the-password-of-ledger' };
  const asks = async ({ kafkaBrokers, kafkaAccess }: Config): Promise<unknown> => {
    const admin = new Kafka({
      ...kafkaAddress(kafkaBrokers, kafkaAccess),
      logLevel: logLevel.NOTHING,
      connectionTimeout: 3_000,
      retry: { retries: 1, initialRetryTime: 100 },
    }).admin();
    try {
      await admin.connect();
      return await admin.listTopics();
    } finally {
      await admin.disconnect();
    }
  };
  const as = (password: string, brokers: string): Record<string, string> => ({
    KAFKA_BROKERS: brokers,
    KAFKA_SASL_MECHANISM: 'plain',
    KAFKA_SASL_USERNAME: 'ledger',
    KAFKA_SASL_PASSWORD: password,
  });

  test('by SASL: the right password is let in, a wrong one and none are not', async () => {
    const { startKafka } = await tool('kafka.mjs');
    const kafka = await startKafka({ given: '', dataDir: join(dir, 'kafka'), logDir: dir, users });
    const brokers = kafka.brokers ?? '';
    try {
      await expect(asks(settings(as(users.ledger, brokers)))).resolves.toEqual([]);
      await expect(asks(settings(as('the-password-of-another', brokers)))).rejects.toThrow(/authentication/i);
      await expect(asks(settings({ KAFKA_BROKERS: brokers }))).rejects.toThrow();
      const file = join(dir, 'password');
      writeFileSync(file, `${users.ledger}\n`);
      const { KAFKA_SASL_PASSWORD: _none, ...fromFile } = as('', brokers);
      await expect(asks(settings({ ...fromFile, KAFKA_SASL_PASSWORD_FILE: file }))).resolves.toEqual([]);
    } finally {
      await kafka.stop();
    }
  });

  /** Does with the log what `bourse reconcile` does: a client of its own, beside those of the services. */
  async function readsAndEmpties({ kafkaBrokers, kafkaAccess }: Config): Promise<void> {
    const kafka = new Kafka({ ...kafkaAddress(kafkaBrokers, kafkaAccess), logLevel: logLevel.NOTHING });
    const [admin, producer] = [kafka.admin(), kafka.producer()];
    await admin.connect();
    await producer.connect();
    try {
      await admin.createTopics({ waitForLeaders: true, topics: [{ topic: 'reference', numPartitions: 1 }] });
      for (const number of ['1', '2', '3'])
        await producer.send({
          topic: 'reference',
          acks: -1,
          messages: [{ value: '[]', headers: { stream: 'auth>reference/0', number, hash: `hash of ${number}` } }],
        });
    } finally {
      await producer.disconnect();
      await admin.disconnect();
    }
    const log = { brokers: kafkaBrokers, access: kafkaAccess, topics: ['reference', 'never.made'] };
    const [found, ...others] = await logHeads(log, null);
    expect(others).toEqual([]);
    expect(found).toMatchObject({ schema: 'auth' });
    expect([...(found?.heads ?? [])]).toEqual([['auth>reference/0', { number: 3, hash: 'hash of 3' }]]);
    await emptyTopics(log);
    expect(await logHeads(log, null)).toEqual([]);
    // A client without credentials reads nothing and empties nothing.
    const stranger = { ...log, access: { ...kafkaAccess, sasl: null } };
    await expect(logHeads(stranger, null)).rejects.toThrow();
    await expect(emptyTopics(stranger)).rejects.toThrow();
  }

  test('by SCRAM, as a cluster has it: the password never goes over the wire, a wrong one is refused', async () => {
    const { startKafka } = await tool('kafka.mjs');
    const kafka = await startKafka({
      given: '',
      dataDir: join(dir, 'kafka-scram'),
      logDir: dir,
      users,
      scram: true,
      tls: join(dir, 'both.pem'),
    });
    const scram = (password: string, mechanism = 'scram-sha-512'): Config =>
      settings({
        ...as(password, kafka.brokers ?? ''),
        KAFKA_SASL_MECHANISM: mechanism,
        KAFKA_SSL: '1',
        KAFKA_SSL_CA_FILE: cert,
      });
    try {
      await expect(asks(scram(users.ledger))).resolves.toEqual([]);
      await expect(asks(scram('the-password-of-another'))).rejects.toThrow(/authentication/i);
      await expect(asks(scram(users.ledger, 'plain'))).rejects.toThrow(/mechanism/i);
      await readsAndEmpties(scram(users.ledger));
    } finally {
      await kafka.stop();
    }
  });

  test('over TLS: no connection to a broker whose certificate no trusted authority signed', async () => {
    const { startKafka } = await tool('kafka.mjs');
    const kafka = await startKafka({
      given: '',
      dataDir: join(dir, 'kafka-tls'),
      logDir: dir,
      users,
      tls: join(dir, 'both.pem'),
    });
    const right = as(users.ledger, kafka.brokers ?? '');
    try {
      const secured = settings({ ...right, KAFKA_SSL: '1', KAFKA_SSL_CA_FILE: cert });
      await expect(asks(secured)).resolves.toEqual([]);
      await expect(asks(settings({ ...right, KAFKA_SSL: '1' }))).rejects.toThrow(/certificate/i);
      await expect(asks(settings(right))).rejects.toThrow();
      await readsAndEmpties(secured);
    } finally {
      await kafka.stop();
    }
  });
});

describe('Redis with authentication [HARD-209]', () => {
  const asks = async ({ redisUrl, redisCa }: Config): Promise<unknown> => {
    const { url, socket } = redisSettings({ url: redisUrl ?? '', ca: redisCa });
    const client = createClient({ url, socket: { ...socket, connectTimeout: 3_000, reconnectStrategy: false } });
    client.on('error', () => undefined); // its command fails too
    try {
      await client.connect();
      return await client.ping();
    } finally {
      client.destroy();
    }
  };

  test('by password: the right one is let in, a wrong one and none are not', async () => {
    const { startRedis } = await tool('redis.mjs');
    const redis = await startRedis({ given: '', logDir: dir, password: 'the-password-of-redis' });
    const url = redis.url ?? '';
    try {
      await expect(asks(settings({ REDIS_URL: url }))).resolves.toBe('PONG');
      await expect(asks(settings({ REDIS_URL: url.replace('of-redis', 'of-others') }))).rejects.toThrow(/WRONGPASS/);
      await expect(asks(settings({ REDIS_URL: url.replace(/:[^:@/]+@/, '') }))).rejects.toThrow(/NOAUTH/);
    } finally {
      await redis.stop();
    }
  });

  test('over TLS: no connection to one whose certificate no trusted authority signed', async () => {
    const { startRedis } = await tool('redis.mjs');
    const redis = await startRedis({ given: '', logDir: dir, tls: { cert, key: join(dir, 'key.pem') } });
    const url = redis.url ?? '';
    try {
      await expect(asks(settings({ REDIS_URL: url, REDIS_CA_FILE: cert }))).resolves.toBe('PONG');
      await expect(asks(settings({ REDIS_URL: url }))).rejects.toThrow(/certificate/i);
    } finally {
      await redis.stop();
    }
  });
});

test('halves of an access are named at the start [HARD-209]', () => {
  const start = (more: Record<string, string>) => () => settings({ KAFKA_BROKERS: 'localhost:1', ...more });
  expect(start({ KAFKA_SASL_USERNAME: 'ledger' })).toThrow(/KAFKA_SASL_MECHANISM is missing/);
  expect(start({ KAFKA_SASL_MECHANISM: 'plain', KAFKA_SASL_USERNAME: 'x' })).toThrow(/KAFKA_SASL_PASSWORD/);
  expect(start({ KAFKA_SASL_MECHANISM: 'gssapi' })).toThrow(/must be plain, scram-sha-256 or scram-sha-512/);
  expect(start({ KAFKA_SSL_CA_FILE: cert })).toThrow(/KAFKA_SSL=1/);
  expect(start({ KAFKA_SSL: '1', KAFKA_SSL_CA_FILE: join(dir, 'none.pem') })).toThrow(/cannot be read/);
});
