// Redis for tests and the distributed run: an address that is given, a server on this machine, or a container.
import { join } from 'node:path';
import { createConnection } from 'node:net';
import { hasContainerEngine, MissingPart } from './missing.mjs';
import { freePorts, onPath, startProcess, waitFor } from './processes.mjs';

/** Gives `{ url, handle?, stop() }`. Nothing in Redis is durable for the exchange, so it stores nothing on disk. */
export async function startRedis({ given = process.env.REDIS_URL, logDir, ports } = {}) {
  if (given) return { url: given, how: 'given', stop: async () => undefined };
  const program = onPath('redis-server', 'valkey-server');
  if (program) {
    const [port] = ports ?? (await freePorts(1));
    const handle = startProcess(
      program,
      [
        '--port',
        String(port),
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
    await waitFor(() => pong(port), { timeoutMs: 15_000, what: 'Redis to answer', handle });
    return { url: `redis://127.0.0.1:${port}`, how: 'local', handle, stop: () => handle.stop(5000) };
  }
  if (await hasContainerEngine()) {
    const { GenericContainer } = await import('testcontainers');
    const container = await new GenericContainer('redis:7-alpine').withExposedPorts(6379).start();
    return {
      url: `redis://${container.getHost()}:${container.getMappedPort(6379)}`,
      how: 'container',
      stop: () => container.stop(),
    };
  }
  throw new MissingPart(
    'Redis',
    process.platform === 'darwin' ? 'brew install redis' : 'apt-get install -y redis-server',
  );
}

function pong(port) {
  return new Promise((done) => {
    const socket = createConnection({ port, host: '127.0.0.1' }, () => socket.write('PING\r\n'));
    socket.once('data', (data) => {
      socket.destroy();
      done(data.toString().startsWith('+PONG'));
    });
    socket.once('error', () => done(false));
    socket.setTimeout(1000, () => {
      socket.destroy();
      done(false);
    });
  });
}
