import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { parseAllDocuments, stringify } from 'yaml';
import { MESSAGE_BYTES_MAX } from '@bourse/messaging';
import { loadConfig, makeServiceKey, publicKeyOf, SECRET_OWNERS } from '@bourse/platform';

interface Manifest {
  readonly name: string;
  readonly schema: string;
  readonly port: number;
  readonly edge?: boolean;
  readonly asks: readonly string[];
  readonly writes: readonly string[];
  readonly reads: readonly string[];
  readonly secrets: readonly string[];
  readonly topics: readonly { readonly name: string; readonly partitions: number | string }[];
  readonly deploy: {
    readonly replicas: number;
    readonly memoryKept?: boolean;
    readonly single?: boolean;
    readonly scale?: { readonly by: string; readonly most: number };
  };
}
// Objects of Kubernetes are as the schemas say, and those are checked by kubectl-validate.
// oxlint-disable-next-line typescript/no-explicit-any
type Thing = any;
interface Tools {
  readonly kustomize: string;
  readonly validate: string;
  readonly definitions: string;
}
interface Make {
  password(what: string): string;
  random(name: string): string;
  key(name: string): string | undefined;
  publicKey(name: string): string;
}

const root = fileURLToPath(new URL('../../../', import.meta.url));
const load = async <T>(file: string): Promise<T> => (await import(pathToFileURL(join(root, file)).href)) as T;
const { readManifests, servicesOf } = await load<{
  readManifests(): readonly Manifest[];
  servicesOf(all: readonly Manifest[]): readonly Manifest[];
}>('tools/lib/manifests.mjs');
const { kubernetesTools } = await load<{ kubernetesTools(): Promise<Tools> }>('tools/lib/kubernetes.mjs');
const { clusterSecrets, OPERATED, PLAIN } = await load<{
  clusterSecrets(services: readonly Manifest[], make: Make, where: object): readonly Thing[];
  OPERATED: object;
  PLAIN: object;
}>('tools/lib/services/k8s-secrets.mjs');
const services = servicesOf(readManifests());

const OUTPUTS = ['overlays/production', 'overlays/dev', 'data', 'restore', 'reconcile', 'loadtest'] as const;
/** The first run on a machine builds two programs with Go. */
const BUILD_MS_MAX = 20 * 60_000;

let tools: Tools;
let built: Readonly<Record<string, readonly Thing[]>>;
let folder: string;

beforeAll(async () => {
  tools = await kubernetesTools();
  folder = mkdtempSync(join(tmpdir(), 'bourse-k8s-'));
  built = Object.fromEntries(OUTPUTS.map((name) => [name, parsed(kustomize(name))]));
}, BUILD_MS_MAX);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function kustomize(name: string): string {
  const run = spawnSync(tools.kustomize, ['build', join(root, 'k8s', name)], { encoding: 'utf8', timeout: 60_000 });
  if (run.status !== 0) throw new Error(`kustomize build k8s/${name}: ${run.stderr}`);
  return run.stdout;
}
const parsed = (text: string): Thing[] => parseAllDocuments(text).map((one) => one.toJS() as Thing);
/** What the schemas refuse in these objects; a cluster is not asked. */
function refused(objects: readonly Thing[]): string {
  const file = join(folder, 'objects.yaml');
  writeFileSync(file, objects.map((one) => stringify(one, { version: '1.1' })).join('---\n'));
  const run = spawnSync(tools.validate, ['--version', '1.30', '--local-crds', tools.definitions, file], {
    encoding: 'utf8',
    timeout: 60_000,
    env: { PATH: process.env['PATH'], KUBECONFIG: join(folder, 'no-cluster') },
  });
  return run.status === 0 ? '' : `${run.stdout}${run.stderr}`;
}
const of = (output: string, kind: string, name?: string): Thing[] =>
  (built[output] ?? []).filter((one) => one.kind === kind && (name === undefined || one.metadata.name === name));
const only = (output: string, kind: string, name: string): Thing => {
  const found = of(output, kind, name);
  if (found.length !== 1) throw new Error(`${output} has ${found.length} of ${kind} ${name}`);
  return structuredClone(found[0]);
};
const podsOf = (objects: readonly Thing[]): Thing[] =>
  objects.filter(({ kind }) => ['Deployment', 'StatefulSet', 'Job'].includes(kind as string));
const workloadOf = (objects: readonly Thing[], name: string): Thing =>
  podsOf(objects).find((one) => one.metadata.name === name && one.metadata.namespace === 'bourse');

describe('what the schemas say [K8S-001]', () => {
  test.each(OUTPUTS)('%s is built, and every object fits its schema', (output) => {
    expect(built[output]?.length).toBeGreaterThan(2);
    expect(refused(built[output] ?? [])).toBe('');
  });

  test.each([
    ['overlays/production', 'StatefulSet', 'wallet-ledger', 'spec.template.spec.containers.0.readynessProbe'],
    ['overlays/production', 'NetworkPolicy', 'savings', 'spec.ingres'],
    ['overlays/production', 'ScaledObject', 'wallet-ledger', 'spec.maxReplicas'],
    ['overlays/production', 'PodMonitor', 'bourse', 'spec.podMetricsEndpoints.0.paths'],
    ['data', 'KafkaUser', 'auth', 'spec.authorization.acl'],
    ['data', 'KafkaTopic', 'reference', 'spec.replication'],
    ['data', 'Kafka', 'bourse', 'spec.kafka.version2'],
    ['data', 'KafkaNodePool', 'brokers', 'spec.role'],
    ['data', 'Cluster', 'bourse', 'spec.postgresql.synchronous.durability'],
    ['restore', 'Cluster', 'bourse', 'spec.bootstrap.recovery.recoveryTarget.targetMoment'],
    ['restore', 'Cluster', 'bourse', 'spec.externalClusters.0.plugin.parameter'],
    ['data', 'ScheduledBackup', 'bourse', 'spec.shedule'],
    ['data', 'ObjectStore', 'bourse-backups', 'spec.configuration.destination'],
    ['loadtest', 'Job', 'k6', 'spec.backofLimit'],
  ])('%s: a field of %s %s that is misspelt is refused (%#)', (output, kind, name, path) => {
    const object = only(output, kind, name);
    const fields = path.split('.');
    const last = fields.pop() as string;
    const at = fields.reduce<Thing>((inside, field) => inside[field], object);
    at[last] = 'x';
    expect(refused([object])).toContain(last);
  });

  test('a kind that nobody has described is refused', () => {
    expect(refused([{ apiVersion: 'kafka.strimzi.io/v1', kind: 'KafkaTopics', metadata: { name: 'x' } }])).not.toBe('');
  });
});

/** What a service of the manifests lacks in the cluster. */
function lacking(all: readonly Manifest[], exchange: readonly Thing[], data: readonly Thing[]): string[] {
  const has = (objects: readonly Thing[], kind: string, name: string): boolean =>
    objects.some((one) => one.kind === kind && one.metadata.name === name);
  const roles = data.find(({ kind }) => kind === 'Cluster').spec.managed.roles as readonly Thing[];
  return all.flatMap(({ name, schema, topics }) => [
    ...(workloadOf(exchange, name) ? [] : [`${name} has no pods`]),
    ...['Service', 'ServiceAccount', 'NetworkPolicy']
      .filter((kind) => !has(exchange, kind, name))
      .map((kind) => `${name} has no ${kind}`),
    ...(has(data, 'KafkaUser', name) ? [] : [`${name} has no KafkaUser`]),
    ...(roles.some((role) => role.name === `bourse_${schema}`) ? [] : [`${name} has no login`]),
    ...topics.filter((topic) => !has(data, 'KafkaTopic', topic.name)).map((topic) => `there is no topic ${topic.name}`),
  ]);
}

describe('what follows from the manifests [K8S-002]', () => {
  test.each(['overlays/production', 'overlays/dev'])('%s: every service has all that it needs', (output) => {
    expect(lacking(services, built[output] ?? [], built['data'] ?? [])).toEqual([]);
  });

  test('a service without objects is found', () => {
    const [first] = services as readonly [Manifest];
    const news = { ...first, name: 'futures', schema: 'futures', topics: [{ name: 'futures.facts', partitions: 1 }] };
    expect(lacking([news], built['overlays/production'] ?? [], built['data'] ?? [])).toEqual([
      'futures has no pods',
      'futures has no Service',
      'futures has no ServiceAccount',
      'futures has no NetworkPolicy',
      'futures has no KafkaUser',
      'futures has no login',
      'there is no topic futures.facts',
    ]);
  });

  test('who keeps a memory has a name and a volume of its own, and who may not run twice never does', () => {
    for (const { name, deploy } of services) {
      const workload = workloadOf(built['overlays/production'] ?? [], name);
      const kept = deploy.memoryKept === true || deploy.single === true;
      expect([name, workload.kind]).toEqual([name, kept ? 'StatefulSet' : 'Deployment']);
      if (!kept) continue;
      expect(workload.spec.volumeClaimTemplates[0].metadata.name).toBe('data');
      expect(workload.spec.template.spec.containers[0].volumeMounts).toContainEqual({
        name: 'data',
        mountPath: '/data',
      });
      expect(only('overlays/production', 'Service', workload.spec.serviceName as string).spec.clusterIP).toBe('None');
      // A pod of a StatefulSet begins when the one before it has ended.
      if (deploy.single === true) expect([name, workload.spec.replicas, deploy.scale]).toEqual([name, 1, undefined]);
    }
  });

  test('Kafka lets each service do what its manifest says, and nothing else [HARD-209]', () => {
    const all = services.flatMap(({ topics }) => topics.map(({ name }) => name));
    for (const { name, writes, reads } of services) {
      const { acls } = only('data', 'KafkaUser', name).spec.authorization;
      const rights = (topic: string): string[] =>
        (acls as readonly Thing[])
          .filter(({ resource }) => resource.type === 'topic' && resource.name === topic)
          .flatMap(({ operations }) => operations as string[]);
      for (const topic of all)
        expect([name, topic, rights(topic)]).toEqual([
          name,
          topic,
          ['Describe', ...(writes.includes(topic) ? ['Write'] : []), ...(reads.includes(topic) ? ['Read'] : [])],
        ]);
      const groups = (acls as readonly Thing[]).filter(({ resource }) => resource.type === 'group');
      expect(groups.map(({ resource }) => resource.name as string)).toEqual(reads.map((topic) => `${topic}.`));
      expect(acls).toHaveLength(all.length + reads.length);
    }
  });

  test('after a restore one user may read and empty every topic, and no service may', () => {
    const all = services.flatMap(({ topics }) => topics.map(({ name }) => name));
    const rightsOf = (user: string): Thing[] =>
      only('data', 'KafkaUser', user).spec.authorization.acls.filter(
        ({ resource }: Thing) => resource.type === 'topic',
      );
    expect(rightsOf('operator').map(({ resource, operations }) => [resource.name, operations])).toEqual(
      all.map((topic) => [topic, ['Describe', 'Read', 'Delete']]),
    );
    for (const { name } of services)
      expect([name, rightsOf(name).some(({ operations }) => operations.includes('Delete'))]).toEqual([name, false]);
    // Its readers' groups are named so by the tool.
    const source = readFileSync(join(root, 'libs/messaging/src/kafka/restored-log.ts'), 'utf8');
    const [group] = only('data', 'KafkaUser', 'operator').spec.authorization.acls.slice(-1) as Thing[];
    expect([group.resource.type, group.resource.patternType]).toEqual(['group', 'prefix']);
    expect(source).toContain(`groupId = \`${group.resource.name as string}`);
  });

  test('a database comes back from the archive of the lost one, and writes to another', () => {
    const [lost, restored] = [only('data', 'Cluster', 'bourse'), only('restore', 'Cluster', 'bourse')];
    const { recovery, initdb } = restored.spec.bootstrap;
    const source = restored.spec.externalClusters.find(({ name }: Thing) => name === recovery.source).plugin;
    expect(initdb).toBeUndefined();
    expect([recovery.database, recovery.owner, recovery.secret]).toEqual([
      lost.spec.bootstrap.initdb.database,
      lost.spec.bootstrap.initdb.owner,
      lost.spec.bootstrap.initdb.secret,
    ]);
    const [{ name, parameters }] = lost.spec.plugins;
    expect([source.name, source.parameters.barmanObjectName]).toEqual([name, parameters.barmanObjectName]);
    expect(source.parameters.serverName).toBe(parameters.serverName ?? lost.metadata.name);
    expect(restored.spec.plugins[0].parameters.serverName).not.toBe(source.parameters.serverName);
    for (const part of ['managed', 'postgresql', 'storage', 'instances'])
      expect(restored.spec[part]).toEqual(lost.spec[part]);
  });

  test('topics have the partitions that the exchange checks at its start', () => {
    const { data } = only('overlays/production', 'ConfigMap', 'bourse');
    for (const { name, partitions } of services.flatMap(({ topics }) => topics)) {
      const { spec } = only('data', 'KafkaTopic', name);
      expect([name, spec.partitions]).toEqual([
        name,
        typeof partitions === 'string' ? Number(data[partitions]) : partitions,
      ]);
      expect([spec.replicas, spec.config['min.insync.replicas']]).toEqual([3, 2]);
    }
  });

  test('a record of the largest size passes: a topic takes it, and brokers copy it', () => {
    for (const { metadata, spec } of of('data', 'KafkaTopic'))
      expect([metadata.name, spec.config['max.message.bytes']]).toEqual([metadata.name, MESSAGE_BYTES_MAX]);
    const { config } = only('data', 'Kafka', 'bourse').spec.kafka;
    expect([config['message.max.bytes'], config['replica.fetch.max.bytes']]).toEqual([
      MESSAGE_BYTES_MAX,
      MESSAGE_BYTES_MAX,
    ]);
  });
});

/** Jobs that work on all schemas. */
const OWNERS = new Set(['bourse-migrate', 'bourse-reconcile', 'bourse-reconcile-accept']);
/** The names of secrets and config maps that a pod takes. */
const given = (workload: Thing): string[] =>
  (workload.spec.template.spec.containers as readonly Thing[]).flatMap(({ envFrom = [] }) =>
    (envFrom as readonly Thing[]).map(({ secretRef, configMapRef }) => (secretRef ?? configMapRef).name as string),
  );
/** Secrets of the exchange that a process is given and that are not its own, and those of its own that it lacks. */
function wrongSecrets(exchange: readonly Thing[], secrets: readonly Thing[]): string[] {
  const keysOf = (name: string): string[] =>
    secrets.filter((one) => one.metadata.name === name).flatMap((one) => Object.keys((one.stringData ?? {}) as object));
  return services.flatMap(({ name }) => {
    const has = given(workloadOf(exchange, name)).flatMap(keysOf);
    const wanted = ['DATABASE_URL', 'REDIS_URL', 'INTERNAL_KEY'];
    const owned = Object.entries(SECRET_OWNERS as Readonly<Record<string, readonly string[]>>);
    const own = [...wanted, ...owned.filter(([, owners]) => owners.includes(name)).map(([secret]) => secret)];
    const allowed = [...own, 'KAFKA_SASL_USERNAME', 'KAFKA_SASL_PASSWORD'];
    return [
      ...own.filter((secret) => !has.includes(secret)).map((secret) => `${name} lacks ${secret}`),
      ...has.filter((secret) => !allowed.includes(secret)).map((secret) => `${name} is given ${secret}`),
    ];
  });
}

const keys = new Map(services.map(({ name }) => [name, makeServiceKey()]));
let count = 0;
/** Texts that no two are alike of; what a start asks of secrets they fulfil. */
const unlike = (): string =>
  Buffer.from(`${(count += 1)}:${Math.sin(count)}:${Math.cos(count)}`)
    .toString('base64url')
    .slice(0, 43);
const make: Make = {
  password: unlike,
  random: unlike,
  key: (name) => keys.get(name),
  publicKey: (name) => publicKeyOf(keys.get(name) ?? ''),
};

describe('what a process knows [K8S-003]', () => {
  const secrets = clusterSecrets(services, make, OPERATED);

  test('each process is given what is its own, and nothing else', () => {
    const example = parsed(readFileSync(join(root, 'k8s/secret.example.yaml'), 'utf8'));
    for (const output of ['overlays/production', 'overlays/dev'])
      for (const all of [secrets, example]) expect(wrongSecrets(built[output] ?? [], all)).toEqual([]);
    expect(example.map((one) => one.metadata)).toEqual(secrets.map((one) => one.metadata as object));
  });

  test('a secret given to the wrong process is found', () => {
    const leaky = structuredClone(secrets) as Thing[];
    leaky.find((one) => one.metadata.name === 'bourse-gateway').stringData.PASSWORD_PEPPER = 'x';
    delete leaky.find((one) => one.metadata.name === 'bourse-market-data').stringData.TICK_KEY_SECRET;
    expect(wrongSecrets(built['overlays/production'] ?? [], leaky)).toEqual([
      'gateway is given PASSWORD_PEPPER',
      'market-data lacks TICK_KEY_SECRET',
    ]);
    const open = structuredClone(built['overlays/production'] ?? []) as Thing[];
    workloadOf(open, 'spot-matching').spec.template.spec.containers[0].envFrom.push({
      secretRef: { name: 'bourse-wallet' },
    });
    expect(wrongSecrets(open, secrets)).toEqual(['spot-matching is given WALLET_KEY_SECRET']);
  });

  test("the owner's login is for jobs alone, and no pod has an account of the cluster", () => {
    for (const output of OUTPUTS)
      for (const workload of podsOf(built[output] ?? [])) {
        expect(workload.spec.template.spec.automountServiceAccountToken).toBe(false);
        const name = workload.metadata.name as string;
        const { env = [] } = workload.spec.template.spec.containers[0] as { env?: Thing[] };
        const owns = [...given(workload), ...env.map(({ valueFrom }) => valueFrom?.secretKeyRef?.name as string)];
        expect([name, owns.includes('bourse-owner')]).toEqual([name, OWNERS.has(name)]);
        expect([name, owns.includes('bourse-operator')]).toEqual([name, output === 'reconcile']);
      }
  });

  test.each([
    ['overlays/production', OPERATED],
    ['overlays/dev', PLAIN],
  ])('%s: every service starts with what its pod gives it', (output, where) => {
    const known = [...clusterSecrets(services, make, where), ...(built[output] ?? [])];
    const dataOf = (name: string): object => {
      const found = known.find(
        ({ kind, metadata }) =>
          ['Secret', 'ConfigMap'].includes(kind as string) && metadata.name === name && metadata.namespace === 'bourse',
      );
      return (found?.stringData ?? found?.data ?? {}) as object;
    };
    const ca = join(folder, 'kafka.crt');
    writeFileSync(ca, 'certificate');
    for (const { name } of services) {
      const workload = workloadOf(built[output] ?? [], name);
      const own = Object.fromEntries(
        (workload.spec.template.spec.containers[0].env as readonly Thing[]).map((one) => [
          one.name as string,
          one.value as string,
        ]),
      );
      const environment = Object.assign({}, ...given(workload).map(dataOf), own) as Record<string, string>;
      if (environment['KAFKA_SSL_CA_FILE'] !== undefined) environment['KAFKA_SSL_CA_FILE'] = ca;
      environment['DATA_DIR'] = join(folder, name);
      const config = loadConfig(environment);
      expect([config.service, config.dev]).toEqual([name, output === 'overlays/dev']);
      // The job makes the tables; services have no login that may.
      expect([name, config.migrates]).toEqual([name, false]);
    }
  });
});

describe('after a restore', () => {
  test('the job that compares has what it needs, and the one that accepts waits to be let go [K8S-011]', () => {
    const secrets = clusterSecrets(services, make, OPERATED);
    const known = [...secrets, ...(built['overlays/production'] ?? [])];
    const image = workloadOf(built['overlays/production'] ?? [], 'auth').spec.template.spec.containers[0]
      .image as string;
    const [look, accept] = of('reconcile', 'Job') as [Thing, Thing];
    expect([look.spec.suspend ?? false, accept.spec.suspend]).toEqual([false, true]);
    const argsOf = (job: Thing): string[] => job.spec.template.spec.containers[0].args as string[];
    expect(argsOf(accept)).toEqual([...argsOf(look), '--accept']);
    for (const job of [look, accept]) {
      const [container] = job.spec.template.spec.containers as [Thing];
      expect(container.image).toBe(image);
      const parts = given(job).map((name) =>
        known.find((one) => one.metadata.name === name && one.metadata.namespace === 'bourse'),
      );
      const environment = Object.assign({}, ...parts.map((one) => (one.stringData ?? one.data) as object)) as Record<
        string,
        string
      >;
      for (const { name, valueFrom } of container.env as Thing[])
        environment[name as string] = secrets.find((one) => one.metadata.name === valueFrom.secretKeyRef.name)
          .stringData[valueFrom.secretKeyRef.key] as string;
      const ca = join(folder, 'kafka.crt');
      writeFileSync(ca, 'certificate');
      const config = loadConfig(
        // As `installConfig` of the tools does.
        { ...environment, KAFKA_SSL_CA_FILE: ca, BOURSE_DEV: '0', BOURSE_RUN: 'embedded', DATA_DIR: folder },
        {},
        { tool: [] },
      );
      expect(config.kafkaBrokers).toHaveLength(1);
      expect([config.kafkaAccess?.sasl?.username, new URL(config.databaseUrl).username]).toEqual([
        'operator',
        'bourse_owner',
      ]);
      // Kafka and PostgreSQL let in pods of the exchange by this label.
      expect(job.spec.template.metadata.labels['app.kubernetes.io/part-of']).toBe('bourse');
    }
  });
});

/** Which policies let in somebody who does not ask by the manifests, or keep out somebody who does. */
function wrongPolicies(objects: readonly Thing[]): string[] {
  const policies = objects.filter(({ kind, metadata }) => kind === 'NetworkPolicy' && metadata.namespace === 'bourse');
  return services.flatMap((service) => {
    const policy = policies.find((one) => one.metadata.name === service.name);
    const rules = (policy.spec.ingress ?? []) as readonly Thing[];
    const everybody = rules.filter(({ from }) => !Array.isArray(from) || from.length === 0);
    const letIn = rules
      .flatMap(({ from }) => (from ?? []) as readonly Thing[])
      .map(({ podSelector, namespaceSelector }) =>
        namespaceSelector
          ? `namespace ${namespaceSelector.matchLabels['kubernetes.io/metadata.name'] as string}`
          : (podSelector.matchLabels['app.kubernetes.io/name'] as string),
      );
    const askers = services
      .filter(({ name, edge, asks }) => name !== service.name && (edge === true || asks.includes(service.name)))
      .map(({ name }) => name);
    const wanted = [...(service.edge ? ['namespace ingress-nginx'] : []), 'namespace monitoring', ...askers];
    return [
      ...everybody.map(() => `${service.name} lets in everybody`),
      ...letIn
        .filter((one) => !wanted.includes(one))
        .map((one) => `${service.name} lets in ${one}, who does not ask it`),
      ...wanted.filter((one) => !letIn.includes(one)).map((one) => `${service.name} keeps out ${one}`),
    ];
  });
}

describe('who talks to whom [K8S-004]', () => {
  const production = (): Thing[] => structuredClone(built['overlays/production'] ?? []) as Thing[];
  const policyOf = (objects: readonly Thing[], name: string): Thing =>
    objects.find(({ kind, metadata }) => kind === 'NetworkPolicy' && metadata.name === name);

  test('nothing is open but what the manifests ask for', () => {
    expect(policyOf(production(), 'nothing').spec).toEqual({ podSelector: {}, policyTypes: ['Ingress', 'Egress'] });
    expect(wrongPolicies(production())).toEqual([]);
  });

  test('the usual ports of the nodes that .env.example names are open to the wallet', () => {
    const example = readFileSync(join(root, '.env.example'), 'utf8');
    const named = [...example.matchAll(/CHAIN_\w+_URL= +# http:\S+:(\d+)$/gm)].map(([, port]) => Number(port));
    expect(named).toHaveLength(4);
    const [{ ports }] = policyOf(production(), 'outside').spec.egress as readonly [Thing];
    expect((ports as readonly Thing[]).map(({ port }) => port as number)).toEqual(expect.arrayContaining(named));
  });

  test('the ingress reaches the public port of the gateway, services the other one, by their book [EDGE-047]', () => {
    const objects = production();
    const gateway = services.find(({ edge }) => edge === true);
    const reached = (policyOf(objects, gateway?.name ?? '').spec.ingress as readonly Thing[]).map(({ from, ports }) => [
      (from as readonly Thing[]).map(
        ({ podSelector, namespaceSelector }) => Object.values((podSelector ?? namespaceSelector).matchLabels)[0],
      ),
      (ports as readonly Thing[]).map(({ port }) => port as number),
    ]);
    expect(reached).toEqual([
      [['ingress-nginx'], [8080]],
      [['auth', 'wallet-ledger', 'notices', 'c2c-escrow'], [gateway?.port]],
      [['monitoring'], [9464]],
    ]);
    const book = objects.find(({ kind, metadata }) => kind === 'ConfigMap' && metadata.name === 'bourse-services');
    const addresses = JSON.parse(book.data.BOURSE_SERVICES as string) as Record<string, string>;
    expect(addresses[gateway?.name ?? '']).toBe(`http://gateway:${gateway?.port}`);
    const rules = objects
      .filter(({ kind }) => kind === 'Ingress')
      .flatMap(({ spec }) => spec.rules as readonly Thing[]);
    const led = rules.flatMap(({ http }) => http.paths as readonly Thing[]).map(({ backend }) => backend.service.port);
    expect(led.length).toBeGreaterThan(0);
    for (const port of led) expect([{ name: 'public' }, { number: 8080 }]).toContainEqual(port);
  });

  test('an empty list of callers, which lets in everybody, is found', () => {
    const objects = production();
    policyOf(objects, 'savings').spec.ingress[0].from = null;
    expect(wrongPolicies(objects)).toEqual(['savings lets in everybody', 'savings keeps out gateway']);
  });

  test('a policy that lets in who does not ask is found, and one that keeps out who does', () => {
    const objects = production();
    const { from } = policyOf(objects, 'wallet-ledger').spec.ingress[0];
    from.push({ podSelector: { matchLabels: { 'app.kubernetes.io/name': 'notices' } } });
    policyOf(objects, 'lever-risk').spec.ingress[0].from.shift();
    expect(wrongPolicies(objects)).toEqual([
      'wallet-ledger lets in notices, who does not ask it',
      'lever-risk keeps out gateway',
    ]);
  });
});

/** What a pod has that the Pod Security Standard `restricted` does not allow, as far as pods of ours could have it. */
function unrestricted(workload: Thing): string[] {
  const { spec } = workload.spec.template;
  const name = workload.metadata.name as string;
  const pod = spec.securityContext ?? {};
  return [
    ...(spec.hostNetwork || spec.hostPID || spec.hostIPC ? [`${name} enters its host`] : []),
    ...((spec.volumes ?? []) as readonly Thing[])
      .filter(
        (volume) =>
          !['configMap', 'emptyDir', 'secret', 'projected', 'persistentVolumeClaim'].some((one) => one in volume),
      )
      .map((volume) => `${name} mounts ${volume.name as string}`),
    ...(spec.containers as readonly Thing[]).flatMap(({ securityContext = {} }) => [
      ...((securityContext.runAsNonRoot ?? pod.runAsNonRoot) === true ? [] : [`${name} may run as root`]),
      ...(securityContext.allowPrivilegeEscalation === false ? [] : [`${name} may gain rights`]),
      ...(securityContext.capabilities?.drop?.includes('ALL') ? [] : [`${name} keeps capabilities`]),
      ...((securityContext.seccompProfile ?? pod.seccompProfile)?.type === 'RuntimeDefault'
        ? []
        : [`${name} has no seccomp profile`]),
    ]),
  ];
}

describe('pods', () => {
  test('every pod is what its namespace enforces [K8S-005]', () => {
    for (const output of OUTPUTS)
      for (const workload of podsOf(built[output] ?? [])) expect(unrestricted(workload)).toEqual([]);
    for (const name of ['bourse', 'bourse-data'])
      expect(only('overlays/dev', 'Namespace', name).metadata.labels['pod-security.kubernetes.io/enforce']).toBe(
        'restricted',
      );
    const open = structuredClone(workloadOf(built['overlays/production'] ?? [], 'auth'));
    open.spec.template.spec.containers[0].securityContext = {};
    expect(unrestricted(open)).toEqual(['auth may gain rights', 'auth keeps capabilities']);
  });

  test('a pod that ends is taken out of the ways first, then drains, and is given the time for both [K8S-006]', () => {
    const boot = readFileSync(join(root, 'libs/messaging/src/boot/boot.ts'), 'utf8');
    const drain = Number(/DRAIN_MS_MAX = ([\d_]+);/.exec(boot)?.[1]?.replaceAll('_', '')) / 1_000;
    expect(drain).toBeGreaterThan(0);
    for (const { name } of services) {
      const { spec } = workloadOf(built['overlays/production'] ?? [], name).spec.template;
      const [container] = spec.containers;
      const leave = container.lifecycle.preStop.sleep.seconds as number;
      expect(leave).toBeGreaterThanOrEqual(5);
      expect(spec.terminationGracePeriodSeconds).toBeGreaterThanOrEqual(leave + drain + 5);
      for (const probe of ['startupProbe', 'livenessProbe', 'readinessProbe']) expect(container).toHaveProperty(probe);
      expect(container.resources.requests).toHaveProperty('cpu');
      expect(container.resources.limits).toHaveProperty('memory');
      // A variable that the cluster makes of a service's name could be taken for a setting.
      expect(spec.enableServiceLinks).toBe(false);
    }
  });

  test('what has several copies spreads, and one of them at most is taken away at a time [K8S-007]', () => {
    for (const { name, deploy } of services) {
      const { spec } = workloadOf(built['overlays/production'] ?? [], name).spec.template;
      const keysOfSpread = ((spec.topologySpreadConstraints ?? []) as readonly Thing[]).map(
        ({ topologyKey }) => topologyKey as string,
      );
      const budgets = of('overlays/production', 'PodDisruptionBudget', name).map(
        (one) => one.spec.maxUnavailable as number,
      );
      const several = deploy.replicas > 1;
      expect([name, keysOfSpread]).toEqual([
        name,
        several ? ['topology.kubernetes.io/zone', 'kubernetes.io/hostname'] : [],
      ]);
      // A budget for a single copy would keep its node from ever being emptied.
      expect([name, budgets]).toEqual([name, several ? [1] : []]);
    }
  });

  test('copies are counted by one alone: a scaler, or the number of the manifest [K8S-008]', () => {
    const metrics = readFileSync(join(root, 'docs/metrics.md'), 'utf8');
    for (const { name, topics, deploy } of services) {
      const workload = workloadOf(built['overlays/production'] ?? [], name);
      const scalers = [
        ...of('overlays/production', 'HorizontalPodAutoscaler', name),
        ...of('overlays/production', 'ScaledObject', name),
      ];
      // What shares partitions out is what a copy more makes faster.
      if (topics.some(({ partitions }) => typeof partitions === 'string'))
        expect([name, deploy.scale?.by]).toEqual([name, 'lag']);
      expect([name, scalers.length, workload.spec.replicas]).toEqual([
        name,
        deploy.scale ? 1 : 0,
        deploy.scale ? undefined : deploy.replicas,
      ]);
      for (const { spec } of scalers) {
        expect(spec.scaleTargetRef).toEqual({ apiVersion: 'apps/v1', kind: workload.kind, name });
        expect(spec.minReplicas ?? spec.minReplicaCount).toBe(deploy.replicas);
        // A copy without a partition only stands by; a scaler that can add none is not one.
        const { LEDGER_PARTITIONS, SPOT_PARTITIONS } = only('overlays/production', 'ConfigMap', 'bourse').data;
        const shared: Record<string, string> = { 'wallet-ledger': LEDGER_PARTITIONS, 'spot-matching': SPOT_PARTITIONS };
        const partitions = Number(shared[name] ?? Infinity);
        expect(spec.maxReplicas ?? spec.maxReplicaCount).toBeLessThanOrEqual(partitions + 1);
        expect(spec.maxReplicas ?? spec.maxReplicaCount).toBeGreaterThan(deploy.replicas);
        for (const { metadata } of (spec.triggers ?? []) as readonly Thing[])
          expect(metrics).toContain(`\`${/bourse_\w+/.exec(metadata.query as string)?.[0] ?? 'none'}\``);
      }
    }
  });

  test('every image says where it comes from and which it is [K8S-009]', () => {
    for (const output of OUTPUTS)
      for (const workload of podsOf(built[output] ?? []))
        for (const { image, imagePullPolicy } of workload.spec.template.spec.containers as readonly Thing[]) {
          expect(image).toMatch(/^[^:@]+(:[^:@]+|@sha256:[0-9a-f]{64})$/);
          expect(image).not.toMatch(/:latest$/);
          expect(imagePullPolicy ?? 'IfNotPresent').toBe('IfNotPresent');
          if (['overlays/production', 'reconcile'].includes(output))
            expect(image).toMatch(/^registry\.example\.org\/bourse:/);
        }
  });

  test('the job of k6 has every script at its place [K8S-010]', () => {
    const scripts = readdirSync(join(root, 'loadtest/k6'), { recursive: true, encoding: 'utf8' }).filter((file) =>
      file.endsWith('.js'),
    );
    const { volumes, containers } = only('loadtest', 'Job', 'k6').spec.template.spec;
    const { name, items } = (volumes as readonly Thing[]).find((one) => one.name === 'scripts').configMap;
    const { data } = only('loadtest', 'ConfigMap', name as string);
    expect((items as readonly Thing[]).map(({ path }) => path as string).sort()).toEqual(scripts.sort());
    for (const { key, path } of items as readonly Thing[])
      expect(data[key]).toBe(readFileSync(join(root, 'loadtest/k6', path as string), 'utf8'));
    // The kubelet puts the value of the variable into the argument.
    expect(containers[0].args).toContain('/scripts/$(SCENARIO).js');
    const { env } = containers[0] as { env: readonly Thing[] };
    expect(scripts).toContain(`${env.find((one) => one.name === 'SCENARIO').value as string}.js`);
  });

  test('the job of k6 takes people of an install that is no demo from a secret that may be absent [K8S-014]', () => {
    const { volumes, containers } = only('loadtest', 'Job', 'k6').spec.template.spec;
    const [{ env, volumeMounts }] = containers as readonly Thing[];
    const { secret } = (volumes as readonly Thing[]).find((one) => one.name === 'people');
    expect(secret).toEqual({ secretName: 'k6-people', optional: true });
    const { mountPath } = (volumeMounts as readonly Thing[]).find((one) => one.name === 'people');
    const page = readFileSync(join(root, 'docs/kubernetes.md'), 'utf8');
    const settings = readFileSync(join(root, 'loadtest/k6/lib/settings.js'), 'utf8');
    for (const name of ['KEYS', 'ACCOUNTS']) {
      const { valueFrom } = (env as readonly Thing[]).find((one) => one.name === name);
      expect(valueFrom).toEqual({ secretKeyRef: { name: secret.secretName, key: name, optional: true } });
      // The scripts read it, and the page tells how the secret is made: the path it names is the one of the volume.
      expect(settings).toContain(`env.${name}`);
      const [, file, path] = new RegExp(`--from-file=(\\S+) --from-literal=${name}=(\\S+)`).exec(page) ?? [];
      expect(path).toBe(`${mountPath as string}/${file!}`);
    }
  });

  test('k6 is one version: of the job, of the harness and of the page [K8S-015]', () => {
    const { image } = only('loadtest', 'Job', 'k6').spec.template.spec.containers[0];
    const versions = ['loadtest/lib/k6.mjs', 'loadtest/k6/README.md'].map(
      (file) => /go\.k6\.io\/k6@v([\d.]+)/.exec(readFileSync(join(root, file), 'utf8'))?.[1],
    );
    expect(versions).toEqual([versions[0], versions[0]]);
    expect(image).toBe(`grafana/k6:${versions[0] ?? ''}`);
  });
});
