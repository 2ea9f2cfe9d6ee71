// Kafka for tests and the distributed run: brokers that are given, a broker on this machine's Java (its jars are
// fetched), or a container.
import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { createConnection } from 'node:net';
import { delimiter, join } from 'node:path';
import { connect as connectTls } from 'node:tls';
import { findJava } from './java.mjs';
import { fetchKafka, KAFKA_JARS, KAFKA_VERSION } from './kafka-jars.mjs';
import { hasContainerEngine, MissingPart, wantsContainers } from './missing.mjs';
import { installCommand } from './parts/system.mjs';
import { freePorts, startProcess, waitFor } from './processes.mjs';

const SCRAM = 'SCRAM-SHA-512';

/**
 * Starts one broker in KRaft mode on 127.0.0.1; returns `{ brokers, handle?, stop() }`. `dataDir` keeps its log over
 * restarts. Topics are never made by accident (`auto.create.topics.enable=false`): the programs create what they read.
 * `advertised` is a port that the broker advertises instead of the one it listens on: that of a proxy before it. With
 * `users` (name to password) it accepts only these logins, by SASL PLAIN; with `scram` by SCRAM-SHA-512, whose hashes
 * are stored when the broker's storage is formatted. `tls` is a PEM file with its key and certificate, for TLS under
 * that.
 */
export async function startKafka({
  given = process.env.KAFKA_BROKERS,
  dataDir,
  logDir,
  ports,
  advertised,
  users,
  scram = false,
  tls,
  onProgress = () => undefined,
} = {}) {
  if (given) return { brokers: given, how: 'given', stop: async () => undefined };
  const reason = wantsContainers() ? 'BOURSE_SERVERS wants containers' : await prepareLocal(onProgress);
  if (!reason) return startLocal(dataDir, logDir, ports, { advertised, users, scram, tls });
  // A container accepts every client: `how` says so.
  if (!tls && !scram && (await hasContainerEngine())) return startContainer();
  throw new MissingPart('Kafka', installCommand('Java'), reason);
}

/** Undefined when Java and the jars are there, else the reason why the broker cannot run on this machine. */
async function prepareLocal(onProgress) {
  if (findJava() === undefined) return 'no Java of version 17 or newer';
  try {
    await fetchKafka(onProgress);
    return undefined;
  } catch (error) {
    return `its jars could not be fetched: ${error.message}`;
  }
}

/** The users of a broker, itself among them. By SCRAM it is for one start: its own hash is stored, its password not. */
const withBroker = (users) => (users ? { broker: randomBytes(24).toString('base64url'), ...users } : {});

/** Access settings: every client, or clients with the password of a user. */
function accessSettings(users, own, scram, tls) {
  const protocol = `${users ? 'SASL_' : ''}${tls ? 'SSL' : 'PLAINTEXT'}`;
  const names = Object.entries(own).map(([name, password]) => ` user_${name}="${password}"`);
  const jaas =
    'org.apache.kafka.common.security.plain.PlainLoginModule required ' +
    `username="broker" password="${own.broker}"${names.join('')};`;
  return {
    'listener.security.protocol.map': `CLIENTS:${protocol},CONTROLLER:${users ? 'SASL_PLAINTEXT' : 'PLAINTEXT'}`,
    ...(users
      ? {
          'sasl.enabled.mechanisms': 'PLAIN',
          'sasl.mechanism.inter.broker.protocol': scram ? SCRAM : 'PLAIN',
          'sasl.mechanism.controller.protocol': 'PLAIN',
          ...(scram
            ? {
                'listener.name.clients.sasl.enabled.mechanisms': SCRAM,
                [`listener.name.clients.${SCRAM.toLowerCase()}.sasl.jaas.config`]:
                  'org.apache.kafka.common.security.scram.ScramLoginModule required ' +
                  `username="broker" password="${own.broker}";`,
              }
            : { 'listener.name.clients.plain.sasl.jaas.config': jaas }),
          'listener.name.controller.plain.sasl.jaas.config': jaas,
        }
      : {}),
    ...(tls
      ? {
          'ssl.keystore.type': 'PEM',
          'ssl.keystore.location': tls,
          'ssl.truststore.type': 'PEM',
          'ssl.truststore.location': tls,
        }
      : {}),
  };
}

async function startLocal(dataDir, logDir, ports, { advertised, users, scram, tls }) {
  const own = withBroker(users);
  const [port, controllerPort] = ports ?? (await freePorts(2));
  const logs = join(dataDir, 'log');
  mkdirSync(dataDir, { recursive: true });
  const config = join(dataDir, 'server.properties');
  writeFileSync(
    config,
    Object.entries({
      'process.roles': 'broker,controller',
      'node.id': 1,
      'controller.quorum.voters': `1@127.0.0.1:${controllerPort}`,
      listeners: `CLIENTS://127.0.0.1:${port},CONTROLLER://127.0.0.1:${controllerPort}`,
      'advertised.listeners': `CLIENTS://127.0.0.1:${advertised ?? port}`,
      'controller.listener.names': 'CONTROLLER',
      ...accessSettings(users, own, scram, tls),
      'inter.broker.listener.name': 'CLIENTS',
      'log.dirs': logs,
      'auto.create.topics.enable': false,
      'group.initial.rebalance.delay.ms': 0,
      'offsets.topic.replication.factor': 1,
      'offsets.topic.num.partitions': 4,
      'transaction.state.log.replication.factor': 1,
      'transaction.state.log.min.isr': 1,
      'min.insync.replicas': 1,
      'default.replication.factor': 1,
      'log.retention.hours': 168,
      'log.segment.bytes': 67108864,
      'log.cleaner.dedupe.buffer.size': 16777216,
      'num.network.threads': 2,
      'num.io.threads': 2,
      'controlled.shutdown.enable': true,
      // A broker that was killed is let in again when its last session is over: the default of 9 s would be most of a
      // restart.
      'broker.session.timeout.ms': 3000,
      'broker.heartbeat.interval.ms': 500,
    })
      .map(([name, value]) => `${name}=${value}\n`)
      .join(''),
    { mode: 0o600 },
  );
  const log4j = join(dataDir, 'log4j2.properties');
  writeFileSync(
    log4j,
    [
      'status=error',
      'appender.out.type=Console',
      'appender.out.name=out',
      'appender.out.layout.type=PatternLayout',
      'appender.out.layout.pattern=%d %p %c{1}: %m%n',
      'rootLogger.level=warn',
      'rootLogger.appenderRef.out.ref=out',
      '',
    ].join('\n'),
  );
  const java = findJava();
  // The directory wildcard is Java's own and may not be expanded by a shell.
  const jvm = [
    '-Xms64m',
    '-Xmx256m',
    '-XX:+UseSerialGC',
    '-XX:TieredStopAtLevel=1',
    `-Dlog4j2.configurationFile=${log4j}`,
    '-cp',
    readdirSync(KAFKA_JARS)
      .map((jar) => join(KAFKA_JARS, jar))
      .join(delimiter),
  ];
  if (!existsSync(join(logs, 'meta.properties'))) {
    const formatted = spawnSync(
      java,
      [
        ...[...jvm, 'kafka.tools.StorageTool', 'format', '-t', 'Ym91cnNlLWthZmthLTAwMQ', '-c', config],
        ...(scram
          ? Object.entries(own).flatMap(([name, password]) => [
              '--add-scram',
              `${SCRAM}=[name=${name},password=${password}]`,
            ])
          : []),
      ],
      { encoding: 'utf8' },
    );
    if (formatted.status !== 0)
      throw new Error(`Kafka's storage could not be formatted:\n${formatted.stdout}${formatted.stderr}`);
  }
  const handle = startProcess(java, [...jvm, 'kafka.Kafka', config], { name: 'kafka', log: join(logDir, 'kafka.log') });
  await waitFor(() => (tls ? handshakes(port) : brokerAnswers(port)), {
    timeoutMs: 60_000,
    what: 'Kafka to answer',
    handle,
  });
  return { brokers: `127.0.0.1:${port}`, how: 'local', handle, stop: () => handle.stop(15_000) };
}

/** Asks for the API versions and waits for the answer: an open port alone does not mean that the broker serves. */
function brokerAnswers(port) {
  return new Promise((done) => {
    const client = Buffer.from('probe');
    const body = Buffer.alloc(10 + client.length); // api key 18, version 0, correlation id 1, client id
    body.writeInt16BE(18, 0);
    body.writeInt16BE(0, 2);
    body.writeInt32BE(1, 4);
    body.writeInt16BE(client.length, 8);
    client.copy(body, 10);
    const size = Buffer.alloc(4);
    size.writeInt32BE(body.length);
    const socket = createConnection({ port, host: '127.0.0.1' }, () => socket.write(Buffer.concat([size, body])));
    socket.once('data', () => {
      socket.destroy();
      done(true);
    });
    socket.once('error', () => done(false));
    socket.once('close', () => done(false));
    socket.setTimeout(1000, () => {
      socket.destroy();
      done(false);
    });
  });
}

/** Whether the server at the port uses TLS. Clients verify its certificate. */
function handshakes(port) {
  return new Promise((done) => {
    const socket = connectTls({ port, host: '127.0.0.1', rejectUnauthorized: false }, () => {
      socket.destroy();
      done(true);
    });
    socket.once('error', () => done(false));
    socket.setTimeout(1000, () => {
      socket.destroy();
      done(false);
    });
  });
}

async function startContainer() {
  const { GenericContainer, Wait } = await import('testcontainers');
  const [port] = await freePorts(1); // the broker must advertise the port that clients use, so it is chosen beforehand
  const container = await new GenericContainer(`apache/kafka:${KAFKA_VERSION}`)
    .withExposedPorts({ container: 9092, host: port })
    .withEnvironment({
      KAFKA_NODE_ID: '1',
      KAFKA_PROCESS_ROLES: 'broker,controller',
      KAFKA_CONTROLLER_QUORUM_VOTERS: '1@localhost:9093',
      KAFKA_LISTENERS: 'PLAINTEXT://:9092,CONTROLLER://:9093',
      KAFKA_ADVERTISED_LISTENERS: `PLAINTEXT://localhost:${port}`,
      KAFKA_CONTROLLER_LISTENER_NAMES: 'CONTROLLER',
      KAFKA_LISTENER_SECURITY_PROTOCOL_MAP: 'PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT',
      KAFKA_AUTO_CREATE_TOPICS_ENABLE: 'false',
      KAFKA_GROUP_INITIAL_REBALANCE_DELAY_MS: '0',
      KAFKA_OFFSETS_TOPIC_REPLICATION_FACTOR: '1',
    })
    .withWaitStrategy(Wait.forLogMessage(/Kafka Server started/))
    .start();
  return { brokers: `localhost:${port}`, how: 'container', stop: () => container.stop() };
}
