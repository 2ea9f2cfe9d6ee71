// The services of the distributed run, and the settings that each process gets.
import { join } from 'node:path';

/** In the order in which they are ended: the edge first, the ledger last. */
export const SERVICES = ['gateway', 'notices', 'market-data', 'auth', 'spot-matching', 'wallet-ledger'];
export const DEFAULT_PORT = 8080;

/** The environment of one service; on a demo install they find their common secrets in `dataDir`. `parts` holds the addresses of the three servers, `ports` the internal port of each service. */
export function serviceEnv(name, { parts, ports, port, dataDir }) {
  // The gateway answers other services where it answers everybody.
  const bases = Object.fromEntries(
    SERVICES.map((service) => [service, `http://127.0.0.1:${service === 'gateway' ? port : ports[service]}`]),
  );
  return {
    BOURSE_DEV: process.env.BOURSE_DEV ?? '1',
    BOURSE_RUN: 'distributed',
    BOURSE_SERVICE: name,
    BOURSE_SERVICE_PORT: String(ports[name]),
    BOURSE_SERVICES: JSON.stringify(bases),
    DATABASE_URL: parts.databaseUrl,
    REDIS_URL: parts.redisUrl,
    KAFKA_BROKERS: parts.kafkaBrokers,
    DATA_DIR: dataDir,
    ...(name === 'gateway' ? { PORT: String(port) } : { PORT: String(ports[name]) }),
  };
}

/** Main program of a service. */
export function serviceMain(root, name) {
  return join(root, 'services', name, 'dist', 'main.js');
}
