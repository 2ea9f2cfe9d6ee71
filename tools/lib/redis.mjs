// Redis for tests and the distributed run: an address that is given, a server on this
// machine or one that was fetched, or a container.
import { join } from 'node:path';
import { existsSync, writeFileSync } from 'node:fs';
import { createConnection } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { hasContainerEngine, MissingPart, wantsContainers } from './missing.mjs';
import { partFile } from './parts/places.mjs';
import { installCommand } from './parts/system.mjs';
import { freePorts, onPath, startProcess, waitFor } from './processes.mjs';

/** The machine's own server, or undefined. */
export const findInstalledRedis = () => onPath('redis-server', 'valkey-server');
const findRedis = () => findInstalledRedis() ?? [partFile('redis')].find(existsSync);

/**
 * Starts Redis; returns `{ url, handle?, stop() }`. The exchange needs nothing durable in Redis, so it stores nothing
 * on disk. `password` is required of clients if set; `tls` names PEM files (`cert`, `key`), and then only TLS is
 * accepted.
 */
export async function startRedis({ given = process.env.REDIS_URL, logDir, ports, password, tls } = {}) {
  if (given) return { url: given, how: 'given', stop: async () => undefined };
  const program = wantsContainers() ? undefined : findRedis();
  if (program) {
    const [port] = ports ?? (await freePorts(1));
    const secrets = join(logDir, `redis-${port}.conf`);
    // In a file: arguments of a process are read by everybody on the machine.
    writeFileSync(secrets, password === undefined ? '' : `requirepass ${password}\n`, { mode: 0o600 });
    const handle = startProcess(
      program,
      [
        secrets,
        ...(tls ? ['--port', '0', '--tls-port', String(port), '--tls-auth-clients', 'no'] : ['--port', String(port)]),
        ...(tls ? ['--tls-cert-file', tls.cert, '--tls-key-file', tls.key, '--tls-ca-cert-file', tls.cert] : []),
        '--bind',
        '127.0.0.1',
        '--save',
        '',
        '--appendonly',
        'no',
        '--daemonize',
        'no',
        '--dir',
        logDir,
      ],
      { name: 'redis', log: join(logDir, 'redis.log') },
    );
    await waitFor(() => pong(port, tls !== undefined), { timeoutMs: 15_000, what: 'Redis to answer', handle });
    const user = password === undefined ? '' : `:${password}@`;
    return {
      url: `${tls ? 'rediss' : 'redis'}://${user}127.0.0.1:${port}`,
      how: 'local',
      handle,
      stop: () => handle.stop(5000),
    };
  }
  if (!tls && (await hasContainerEngine())) {
    const { GenericContainer } = await import('testcontainers');
    const container = await new GenericContainer('redis:7-alpine')
      .withExposedPorts(6379)
      .withCommand(['redis-server', ...(password === undefined ? [] : ['--requirepass', password])])
      .start();
    const login = password === undefined ? '' : `:${password}@`;
    return {
      url: `redis://${login}${container.getHost()}:${container.getMappedPort(6379)}`,
      how: 'container',
      stop: () => container.stop(),
    };
  }
  throw new MissingPart('Redis', installCommand('Redis'));
}

function pong(port, tls) {
  return new Promise((done) => {
    const greet = () => socket.write('PING\r\n');
    const socket = tls
      ? connectTls({ port, host: '127.0.0.1', rejectUnauthorized: false }, greet)
      : createConnection({ port, host: '127.0.0.1' }, greet);
    socket.once('data', (data) => {
      socket.destroy();
      done(/^(?:\+PONG|-NOAUTH)/.test(data.toString()));
    });
    socket.once('error', () => done(false));
    socket.setTimeout(1000, () => {
      socket.destroy();
      done(false);
    });
  });
}
