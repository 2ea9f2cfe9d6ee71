// The services of the distributed run, and the settings that each process gets.
import { devSetting } from './clone.mjs';
import { readManifests, servicesOf, stopOrder, withFault } from './manifests.mjs';

/** In the order in which they are ended: the edge first, the ledger last. */
export const SERVICES = stopOrder(readManifests()).map(({ name }) => name);
/** The bundled programs: the whole exchange in one process, the FIX gateway, and each service. */
export const PROGRAMS = ['exchange', 'fix', ...SERVICES];
/** The service that faces people, at a port of its own beside the one for the other services. */
export const EDGE = servicesOf(readManifests()).find(({ edge }) => edge).name;
/** The services on which a kind of fault is tried. */
export const servicesWith = (fault) => withFault(readManifests(), fault);
export const DEFAULT_PORT = 8080;

/**
 * The environment of one service; on a demo install they find their common secrets in `dataDir`. `parts` holds the
 * addresses of the three servers, `ports` the internal port of each service, `access` the result of `serviceAccess`.
 */
export function serviceEnv(name, { parts, ports, port, dataDir, access }) {
  const bases = Object.fromEntries(SERVICES.map((service) => [service, `http://127.0.0.1:${ports[service]}`]));
  return {
    BOURSE_DEV: devSetting(),
    BOURSE_RUN: 'distributed',
    BOURSE_SERVICE: name,
    BOURSE_SERVICE_PORT: String(ports[name]),
    BOURSE_SERVICES: JSON.stringify(bases),
    DATABASE_URL: access?.databaseUrls?.[name] ?? parts.databaseUrl,
    ...(access ? own(name, access) : {}),
    REDIS_URL: parts.redisUrl,
    KAFKA_BROKERS: parts.kafkaBrokers,
    DATA_DIR: dataDir,
    ...(name === EDGE ? { PORT: String(port) } : { PORT: String(ports[name]) }),
    // Passkeys are bound to the address of the edge, whose port the other services do not know.
    ...(devSetting() === '1' ? { PUBLIC_ORIGINS: process.env.PUBLIC_ORIGINS || `http://localhost:${port}` } : {}),
  };
}

/** Settings of one service only: its keys and logins, and no secret of another one. */
function own(name, { keys, publicKeys, kafkaUsers, secretOwners }) {
  const others = Object.keys(secretOwners).filter((secret) => !secretOwners[secret].includes(name));
  return {
    ...Object.fromEntries(others.map((secret) => [secret, undefined])),
    DATABASE_OWNER_URL: undefined,
    INTERNAL_KEY: keys[name],
    INTERNAL_PUBLIC_KEYS: JSON.stringify(publicKeys),
    ...(kafkaUsers
      ? { KAFKA_SASL_MECHANISM: 'plain', KAFKA_SASL_USERNAME: name, KAFKA_SASL_PASSWORD: kafkaUsers[name] }
      : {}),
  };
}

/**
 * Keys and passwords of each service of an install, made at its first start and kept in `secrets/` of the data folder.
 */
export async function serviceAccess(dataDir) {
  const { keptSecret, makeServiceKey, publicKeyOf, SECRET_OWNERS, SERVICE_SCHEMAS } = await import('@bourse/platform');
  const each = (make) => Object.fromEntries(SERVICES.map((name) => [name, make(name)]));
  const keys = each((name) => keptSecret(dataDir, `INTERNAL_KEY.${name}`, makeServiceKey));
  return {
    keys,
    publicKeys: each((name) => publicKeyOf(keys[name])),
    schemas: each((name) => SERVICE_SCHEMAS[name]),
    databasePasswords: each((name) => keptSecret(dataDir, `DATABASE_PASSWORD.${name}`)),
    kafkaUsers: each((name) => keptSecret(dataDir, `KAFKA_PASSWORD.${name}`)),
    redisPassword: keptSecret(dataDir, 'REDIS_PASSWORD'),
    secretOwners: SECRET_OWNERS,
  };
}

/** Makes the login of each service in the database of `ownerUrl`; its address by service. */
export async function serviceLogins(ownerUrl, { schemas, databasePasswords }) {
  const { loginUrl, prepareRoles } = await import('@bourse/persistence');
  const prefix = process.env.DATABASE_ROLE_PREFIX || undefined;
  const passwords = Object.fromEntries(SERVICES.map((name) => [schemas[name], databasePasswords[name]]));
  await prepareRoles(ownerUrl, Object.values(schemas), { passwords, prefix });
  return Object.fromEntries(
    SERVICES.map((name) => [name, loginUrl(ownerUrl, schemas[name], databasePasswords[name], prefix)]),
  );
}
