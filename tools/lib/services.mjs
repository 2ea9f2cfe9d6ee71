// The services of the distributed run, and the settings that each process gets.
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** In the order in which they are ended: the edge first, the ledger last. */
export const SERVICES = ['gateway', 'notices', 'market-data', 'auth', 'spot-matching', 'wallet-ledger'];
export const DEFAULT_PORT = 8080;

/** The environment of one service. `parts` holds the addresses of the three servers, `ports` the internal port of each service. */
export function serviceEnv(name, { parts, ports, port, secret, dataDir }) {
  const bases = Object.fromEntries(SERVICES.map((service) => [service, `http://127.0.0.1:${ports[service]}`]));
  return {
    BOURSE_DEV: process.env.BOURSE_DEV ?? '1',
    BOURSE_RUN: 'distributed',
    BOURSE_SERVICE: name,
    BOURSE_SERVICE_PORT: String(ports[name]),
    BOURSE_SERVICES: JSON.stringify(bases),
    DATABASE_URL: parts.databaseUrl, REDIS_URL: parts.redisUrl, KAFKA_BROKERS: parts.kafkaBrokers,
    INTERNAL_SECRET: secret,
    DATA_DIR: dataDir,
    ...(name === 'gateway' ? { PORT: String(port) } : { PORT: String(ports[name]) }),
  };
}

/** The secret by which services know each other; made once, so that a service may be restarted alone. */
export function keptSecret(file) {
  if (!existsSync(file)) writeFileSync(file, randomBytes(32).toString('base64url'), { mode: 0o600 });
  return readFileSync(file, 'utf8').trim();
}

/** Main program of a service. */
export function serviceMain(root, name) {
  return join(root, 'services', name, 'dist', 'main.js');
}
