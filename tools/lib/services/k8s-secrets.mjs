// The secrets of each process of a cluster: those of the exchange, its logins and keys. The example of k8s/ is made of
// placeholders; `node tools/cluster-secrets.mjs` fills in values.
import { stringify } from 'yaml';

const NAMESPACE = 'bourse';
const DATA_NAMESPACE = 'bourse-data';
/** The Kafka user that reads the log and empties it after a restore. */
export const KAFKA_OPERATOR = 'operator';
const labels = { 'app.kubernetes.io/part-of': 'bourse' };

const secret = (name, stringData, { namespace = NAMESPACE, type = 'Opaque', more = {} } = {}) => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name, namespace, labels: { ...labels, ...more } },
  type,
  stringData,
});

/**
 * All secrets of a cluster, and the public keys of its services as a config map.
 *
 * @param make returns each value: `password(what)` for logins, `random(name)` for secrets of the exchange (called once
 *   per name, so that all users of a secret get the same value), `key(service)` and `publicKey(service)` for calls
 *   between services.
 * @param where addresses: `databaseHost`, `databaseQuery`, `redis` (scheme and host).
 */
export function clusterSecrets(services, make, where) {
  const databasePassword = remembered((schema) => make.password(`postgres-${schema}`));
  const kafkaPassword = remembered((name) => make.password(`kafka-${name}`));
  const random = remembered((name) => make.random(name));
  const redisPassword = make.password('redis');
  const databaseUrl = (user, password) =>
    `postgres://${user}:${password}@${where.databaseHost}/exchange${where.databaseQuery}`;
  const all = (names) => Object.fromEntries(names.map((name) => [name, random(name)]));
  // Without one another secret is used instead (docs/data-keys.md): a new install begins with a key of its own.
  const dataKeys = (name, settings = []) =>
    settings.includes('DATA_KEYS') ? { DATA_KEYS: `k1:${random(`DATA_KEYS of ${name}`)}` } : {};
  const own = ({ name, schema, secrets, settings, deploy }) =>
    secret(`bourse-${name}`, {
      DATABASE_URL: databaseUrl(`bourse_${schema}`, databasePassword(schema)),
      REDIS_URL: where.redis.replace('://', `://:${redisPassword}@`),
      ...(where.kafkaPlain ? {} : { KAFKA_SASL_USERNAME: name, KAFKA_SASL_PASSWORD: kafkaPassword(name) }),
      INTERNAL_KEY: make.key(name),
      ...all(secrets.filter((one) => !deploy.apart?.holds.includes(one))),
      ...dataKeys(name, settings),
    });
  const login = (name, username, password) =>
    secret(
      name,
      { username, password },
      { namespace: DATA_NAMESPACE, type: 'kubernetes.io/basic-auth', more: { 'cnpg.io/reload': 'true' } },
    );
  return [
    {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'bourse-keys', namespace: NAMESPACE, labels },
      data: {
        INTERNAL_PUBLIC_KEYS: JSON.stringify(
          Object.fromEntries(services.map(({ name }) => [name, make.publicKey(name)])),
        ),
      },
    },
    ...services.map(own),
    ...services
      .filter(({ deploy }) => deploy.apart)
      .map(({ deploy: { apart } }) => secret(apart.secret, all(apart.holds))),
    // For the job that prepares the database, and for nothing else.
    secret('bourse-owner', {
      DATABASE_OWNER_URL: databaseUrl('bourse_owner', databasePassword('owner')),
      ...(where.setsLogins
        ? {
            DATABASE_LOGINS: JSON.stringify(
              Object.fromEntries(services.map((one) => [one.name, databasePassword(one.schema)])),
            ),
          }
        : {}),
    }),
    // For `bourse reconcile`, which reads every topic and empties them: k8s/reconcile, and nothing else.
    ...(where.kafkaPlain
      ? []
      : [
          secret('bourse-operator', {
            KAFKA_SASL_USERNAME: KAFKA_OPERATOR,
            KAFKA_SASL_PASSWORD: kafkaPassword(KAFKA_OPERATOR),
          }),
        ]),
    login('postgres-owner', 'bourse_owner', databasePassword('owner')),
    ...services.map(({ schema }) => login(`postgres-${schema}`, `bourse_${schema}`, databasePassword(schema))),
    ...(where.kafkaPlain
      ? []
      : [...services.map(({ name }) => name), KAFKA_OPERATOR].map((name) =>
          secret(`kafka-${name}`, { password: kafkaPassword(name) }, { namespace: DATA_NAMESPACE }),
        )),
    secret('redis', { password: redisPassword }, { namespace: DATA_NAMESPACE }),
  ];
}

/** The servers of k8s/data: TLS with their own authorities, whose certificates the config map `bourse-ca` holds. */
export const OPERATED = {
  databaseHost: 'bourse-rw.bourse-data:5432',
  databaseQuery: '?sslmode=verify-full&sslrootcert=/etc/bourse/ca/postgres.crt',
  redis: 'redis://redis.bourse-data:6379',
};
/** The servers of k8s/overlays/dev: one of each, which speak in clear; the owner of the database sets all logins. */
export const PLAIN = { ...OPERATED, databaseQuery: '', kafkaPlain: true, setsLogins: true };

/** The contents of k8s/secret.example.yaml: every start refuses its values (HARD-203). */
export const exampleDocuments = (services) =>
  clusterSecrets(
    services,
    {
      password: () => 'replace-me',
      random: () => 'replace-me-by-32-random-bytes',
      key: (name) => `replace-me-by-the-key-of-${name}`,
      publicKey: (name) => `replace-me-by-the-public-key-of-${name}`,
    },
    OPERATED,
  );

function remembered(make) {
  const made = new Map();
  return (name) => {
    if (!made.has(name)) made.set(name, make(name));
    return made.get(name);
  };
}

/** As readers of YAML 1.1 understand it too: kubectl takes a bare `no` for false. */
export const yamlOf = (object) => stringify(object, { lineWidth: 0, version: '1.1' });
