import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { SERVICE_NAMES } from '@bourse/platform';

const root = fileURLToPath(new URL('../../../../', import.meta.url));
const textOf = (path: string): string => readFileSync(join(root, path), 'utf8');

/** Variables that a process reads (`environment`), and by which field of `Config` the code reads each. */
const variables = [...textOf('libs/platform/src/config/environment.ts').matchAll(/^ {2}([A-Z][A-Z0-9_]+): /gm)].map(
  ([, name]) => name as string,
);
const fields = new Map(
  textOf('libs/platform/src/config/config.ts')
    .split(/\n {4}(?=this\.)/)
    .flatMap((statement) => {
      const field = /^this\.(\w+) =/.exec(statement)?.[1];
      const names = [...statement.matchAll(/\benv\.([A-Z][A-Z0-9_]+)|'([A-Z][A-Z0-9_]+)'/g)].map(
        ([, read, named]) => read ?? (named as string),
      );
      return field === undefined ? [] : [[field, names] as const];
    }),
);

/** Settings that no container of `docker-compose.yml` gets, with the reason. */
const LEFT_OUT: Readonly<Record<string, string>> = {
  BOURSE_EXAMPLES: 'examples run in one process only',
  PUSH_TEST_ORIGIN: 'a push service of the tests',
  SOCKET_PORT: 'no second port is published',
  FIX_PORT: 'given to the container `fix`, which is no service',
  FIX_HOST: 'given to the container `fix`, which is no service',
  FIX_COMP_ID: 'given to the container `fix`, which is no service',
  DATABASE_ROLE_PREFIX: 'the database server is its own',
  REDIS_CA_FILE: 'its Redis speaks within its network',
  KAFKA_SSL: 'its broker speaks within its network',
  KAFKA_SSL_CA_FILE: 'its broker speaks within its network',
  KAFKA_SASL_MECHANISM: 'its broker lets in everybody of its network',
  KAFKA_SASL_USERNAME: 'its broker lets in everybody of its network',
  KAFKA_SASL_PASSWORD: 'its broker lets in everybody of its network',
  KAFKA_SASL_PASSWORD_FILE: 'its broker lets in everybody of its network',
  MARKET_DATA_DIR: 'the image holds the recordings',
  TERMINAL_DIR: 'the image holds the terminal',
  CONSOLE_DIR: 'the image holds the console',
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'OTEL_EXPORTER_OTLP_ENDPOINT is enough',
  OTEL_SDK_DISABLED: 'without an endpoint nothing is sent',
  INTERNAL_KEY: 'made on a demo install',
  INTERNAL_PUBLIC_KEYS: 'made on a demo install',
  JWT_SECRET: 'made on a demo install',
  INTERNAL_SECRET: 'made on a demo install',
  PASSWORD_PEPPER: 'made on a demo install',
  ANSWER_SECRET: 'made on a demo install',
  WALLET_MIDDLEWARE_SECRET: 'made on a demo install',
  WALLET_KEY_SECRET: 'made on a demo install',
  TICK_KEY_SECRET: 'made on a demo install',
};

interface Compose {
  readonly services: Readonly<Record<string, { readonly environment: Readonly<Record<string, string>> }>>;
}
const compose = parse(textOf('docker-compose.yml'), { merge: true }) as Compose;
const givenTo = (service: string): readonly string[] => Object.keys(compose.services[service]?.environment ?? {});

/** Sources of a service, without its tests. */
function sourcesOf(service: string): string {
  const folder = join(root, 'services', service, 'src');
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts') && !name.startsWith('simulation'))
    .map((name) => readFileSync(join(folder, name), 'utf8'))
    .join('\n');
}
/** Variables that a service's own code reads. */
const readBy = (service: string): readonly string[] => {
  const source = sourcesOf(service);
  return [...fields].flatMap(([field, names]) =>
    new RegExp(`\\b(?:c|settings|\\w*[cC]onfig)\\.${field}\\b|\\{[^{}]*\\b${field}\\b[^{}]*\\}: Config\\b`).test(source)
      ? names
      : [],
  );
};

describe('settings in containers [SERVICE-009]', () => {
  test('every variable has its field, and is described in .env.example', () => {
    const known = new Set([...fields.values()].flat());
    const told = textOf('.env.example');
    expect(variables.length).toBeGreaterThan(50);
    for (const name of variables.filter((one) => one !== 'NODE_ENV')) {
      expect([name, told.includes(`${name}=`)]).toEqual([name, true]);
      if (!['KAFKA_SASL_PASSWORD_FILE', 'INTERNAL_KEY', 'INTERNAL_PUBLIC_KEYS'].includes(name))
        expect([name, known.has(name)]).toEqual([name, true]);
    }
    expect(readBy('points')).toEqual(expect.arrayContaining(['POINTS_URL', 'POINTS_SECRET']));
    expect(readBy('wallet-ledger')).toEqual(expect.arrayContaining(['CHAIN_BITCOIN_URL', 'HOT_CEILINGS']));
  });

  test.each(SERVICE_NAMES)('%s: compose passes every setting that its code reads, or names a reason', (service) => {
    const given = givenTo(service);
    const missing = readBy(service).filter((name) => !given.includes(name) && !Object.hasOwn(LEFT_OUT, name));
    expect(missing).toEqual([]);
    for (const name of given.filter((one) => !one.startsWith('BOURSE_') && one !== 'NODE_ENV'))
      expect(variables).toContain(name);
  });

  test('no variable is forgotten, and none is left out that is given', () => {
    const given = new Set(SERVICE_NAMES.flatMap(givenTo));
    expect(variables.filter((name) => !given.has(name) && !Object.hasOwn(LEFT_OUT, name))).toEqual([]);
    expect(Object.keys(LEFT_OUT).filter((name) => given.has(name) || !variables.includes(name))).toEqual([]);
  });

  test('in Kubernetes each is in the settings of all, in the deployment, or in the example of the secret', () => {
    const shared = textOf('k8s/base/configmap.yaml') + textOf('k8s/base/services.yaml');
    const secrets = textOf('k8s/secret.example.yaml').split('\n---\n');
    for (const service of SERVICE_NAMES) {
      const own = secrets.filter((one) => one.includes(`name: bourse-${service}\n`)).join('\n');
      const apart = secrets
        .filter((one) =>
          textOf(`k8s/base/${service}.yaml`).includes(`secretRef:\n                name: ${nameOf(one)}\n`),
        )
        .join('\n');
      const said = `${shared}\n${own}\n${apart}\n${textOf(`k8s/base/${service}.yaml`)}`;
      for (const name of readBy(service).filter((one) => !WITH_DEFAULT.has(one)))
        expect([service, name, new RegExp(`\\b${name}\\b`).test(said)]).toEqual([service, name, true]);
    }
  });
});

/** Settings whose default fits a cluster: their value is the same in every install of the image. */
const WITH_DEFAULT = new Set([
  'BOURSE_DEV',
  'BOURSE_DEV_PUBLIC',
  'BOURSE_EXAMPLES',
  'PUSH_TEST_ORIGIN',
  'DATA_DIR',
  'DATABASE_ROLE_PREFIX',
  'MARKET_DATA_DIR',
  'PORT',
  'RATE_SCALE',
  'REDIS_CA_FILE',
  'SOCKET_PORT',
  'TERMINAL_DIR',
  'CONSOLE_DIR',
]);
const nameOf = (document: string): string => /metadata:\n {2}name: (\S+)/.exec(document)?.[1] ?? '';
