import { spawnSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { parse, parseAllDocuments, stringify } from 'yaml';
import { MESSAGE_BYTES_MAX } from '@bourse/messaging';
import { acceptRefusal, loadConfig, makeServiceKey, publicKeyOf, SECRET_OWNERS } from '@bourse/platform';

interface Manifest {
  readonly name: string;
  readonly schema: string;
  readonly port: number;
  readonly edge?: boolean;
  readonly asks: readonly string[];
  readonly writes: readonly string[];
  readonly reads: readonly string[];
  readonly secrets: readonly string[];
  readonly settings?: readonly string[];
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

const OUTPUTS = [
  'overlays/production',
  'overlays/dev',
  'data',
  'restore',
  'reconcile',
  'accept',
  'plan',
  'loadtest',
] as const;
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

function kustomize(name: string, path = join(root, 'k8s', name)): string {
  const run = spawnSync(tools.kustomize, ['build', path], { encoding: 'utf8', timeout: 60_000 });
  if (run.status !== 0) throw new Error(`kustomize build k8s/${name}: ${run.stderr}`);
  return run.stdout;
}
const parsed = (text: string): Thing[] => parseAllDocuments(text).map((one) => one.toJS() as Thing);
/** Returns the errors of these objects by their schemas, without a cluster. */
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
const isOf =
  (kind: string, name: string) =>
  (one: Thing): boolean =>
    one.kind === kind && one.metadata.name === name;
const podsOf = (objects: readonly Thing[]): Thing[] =>
  objects.filter(({ kind }) => ['Deployment', 'StatefulSet', 'Job'].includes(kind as string));
const workloadOf = (objects: readonly Thing[], name: string): Thing =>
  podsOf(objects).find((one) => one.metadata.name === name && one.metadata.namespace === 'bourse');

describe('schemas [K8S-001]', () => {
  test.each(OUTPUTS)('%s is built, and every object fits its schema', (output) => {
    expect(built[output]?.length).toBeGreaterThan(1);
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

  test('a kind without a schema is refused', () => {
    expect(refused([{ apiVersion: 'kafka.strimzi.io/v1', kind: 'KafkaTopics', metadata: { name: 'x' } }])).not.toBe('');
  });
});

/** Returns what a service of the manifests lacks in the cluster. */
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

describe('objects from the manifests [K8S-002]', () => {
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

  test('a service with state has a stable name and a volume, and one that may not run twice never does', () => {
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

  test('Kafka grants each service only the rights of its manifest [HARD-209]', () => {
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
const OWNERS = new Set([
  'bourse-migrate',
  'bourse-reconcile',
  'bourse-reconcile-accept',
  'bourse-accept',
  'bourse-plan',
]);
/** The names of secrets and config maps that a pod takes. */
const given = (workload: Thing): string[] =>
  (workload.spec.template.spec.containers as readonly Thing[]).flatMap(({ envFrom = [] }) =>
    (envFrom as readonly Thing[]).map(({ secretRef, configMapRef }) => (secretRef ?? configMapRef).name as string),
  );
/** Secrets of the exchange that a process is given and that are not its own, and those of its own that it lacks. */
function wrongSecrets(exchange: readonly Thing[], secrets: readonly Thing[]): string[] {
  const keysOf = (name: string): string[] =>
    secrets.filter((one) => one.metadata.name === name).flatMap((one) => Object.keys((one.stringData ?? {}) as object));
  return services.flatMap(({ name, settings = [] }) => {
    const has = given(workloadOf(exchange, name)).flatMap(keysOf);
    const wanted = ['DATABASE_URL', 'REDIS_URL', 'INTERNAL_KEY'];
    const owned = Object.entries(SECRET_OWNERS as Readonly<Record<string, readonly string[]>>);
    if (settings.includes('DATA_KEYS')) wanted.push('DATA_KEYS');
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

describe('secrets of a process [K8S-003]', () => {
  const secrets = clusterSecrets(services, make, OPERATED);

  test('each process gets only its own secrets', () => {
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
    // But for the job that copies certificates [K8S-024].
    const crons = OUTPUTS.flatMap((output) => of(output, 'CronJob').map(({ metadata }) => metadata.name as string));
    expect(crons).toEqual(['bourse-authorities']);
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
  ])('%s: every service starts with the settings of its pod', (output, where) => {
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

describe('before an upgrade [K8S-021]', () => {
  test('the job that plans is that of the migration, but that it changes nothing and is tried once', () => {
    const partsOf = (job: Thing): Thing => job.spec.template.spec.containers[0];
    const migrate = only('overlays/production', 'Job', 'bourse-migrate');
    const plan = only('plan', 'Job', 'bourse-plan');
    expect(partsOf(plan).args).toEqual([...partsOf(migrate).args, '--plan']);
    for (const name of ['image', 'envFrom', 'volumeMounts'])
      expect(partsOf(plan)[name]).toEqual(partsOf(migrate)[name]);
    expect([plan.spec.backoffLimit, plan.spec.template.spec.volumes]).toEqual([0, migrate.spec.template.spec.volumes]);
  });
});

describe('the authorities of the servers of data are copied [K8S-024]', () => {
  const job = (): Thing => only('overlays/production', 'CronJob', 'bourse-authorities').spec.jobTemplate;
  const rulesOf = (namespace: string): Thing[] =>
    of('overlays/production', 'Role', 'bourse-authorities').find((one) => one.metadata.namespace === namespace).rules;

  test('by a job that may read two secrets and write one config map, from which pods read them', () => {
    const { serviceAccountName, automountServiceAccountToken, containers } = job().spec.template.spec;
    expect([serviceAccountName, automountServiceAccountToken]).toEqual(['authorities', true]);
    const sources = (containers[0].args as string[]).flatMap((text) => [
      ...text.matchAll(/^--from=bourse-data\/([\w-]+)=(\w+\.crt)$/g),
    ]);
    expect(rulesOf('bourse-data')).toEqual([
      { apiGroups: [''], resources: ['secrets'], resourceNames: sources.map(([, name]) => name), verbs: ['get'] },
    ]);
    expect(rulesOf('bourse').map(({ resources, resourceNames, verbs }) => [resources, resourceNames, verbs])).toEqual([
      [['configmaps'], ['bourse-ca'], ['get', 'patch']],
      [['configmaps'], undefined, ['create']],
    ]);
    for (const binding of of('overlays/production', 'RoleBinding', 'bourse-authorities'))
      expect(binding.subjects).toEqual([{ kind: 'ServiceAccount', name: 'authorities', namespace: 'bourse' }]);
    expect(containers[0].args).toContain('--to=bourse/bourse-ca');
    const auth = workloadOf(built['overlays/production'] ?? [], 'auth').spec.template.spec;
    expect(auth.volumes).toContainEqual({ name: 'ca', configMap: { name: 'bourse-ca', optional: true } });
    // The whole folder: the kubelet renews no file that is mounted by itself.
    expect(auth.containers[0].volumeMounts).toContainEqual({ name: 'ca', mountPath: '/etc/bourse/ca', readOnly: true });
    const read = sources.map(([, , file]) => `/etc/bourse/ca/${file as string}`);
    expect(read).toContain(only('overlays/production', 'ConfigMap', 'bourse').data.KAFKA_SSL_CA_FILE);
    expect(OPERATED).toHaveProperty('databaseQuery', expect.stringContaining(read[1] ?? 'none'));
    // An object of that name in the overlay would take the certificates out at each `kubectl apply`.
    expect(of('overlays/production', 'ConfigMap', 'bourse-ca')).toEqual([]);
  });

  test('its pod has the image of production and its limits, and is no pod of the exchange', () => {
    const { metadata, spec } = job().spec.template;
    const auth = workloadOf(built['overlays/production'] ?? [], 'auth').spec.template.spec.containers[0];
    expect(spec.containers[0].image).toBe(auth.image);
    expect(unrestricted({ metadata: { name: 'authorities' }, spec: job().spec })).toEqual([]);
    expect(readFileSync(join(root, 'tools/image/tree.mjs'), 'utf8')).toContain("'copy-authorities',");
    expect(metadata.labels).toEqual({ 'app.kubernetes.io/name': 'authorities' });
    const [{ spec: policy }] = of('overlays/production', 'NetworkPolicy', 'authorities') as [Thing];
    expect(policy.podSelector.matchLabels).toEqual(metadata.labels);
    expect(policy.egress).toEqual([
      {
        ports: [
          { protocol: 'TCP', port: 443 },
          { protocol: 'TCP', port: 6443 },
        ],
      },
    ]);
  });
});

describe('watching [K8S-022]', () => {
  test('rules and dashboards of the cluster are those of deploy/', () => {
    const groupsOf = (file: string): unknown =>
      (parse(readFileSync(join(root, 'deploy/prometheus', file), 'utf8')) as Thing).groups;
    for (const [name, file] of [
      ['bourse', 'alerts.yml'],
      ['bourse-data', 'data-alerts.yml'],
    ] as const)
      expect(only('overlays/production', 'PrometheusRule', name).spec.groups).toEqual(groupsOf(file));
    const files = readdirSync(join(root, 'deploy/grafana/dashboards')).filter((file) => file.endsWith('.json'));
    const shown = of('overlays/production', 'ConfigMap').filter(({ metadata }) => metadata.labels?.grafana_dashboard);
    expect(Object.assign({}, ...shown.map(({ data }) => data as object))).toEqual(
      Object.fromEntries(
        files.map((file) => [file, readFileSync(join(root, 'deploy/grafana/dashboards', file), 'utf8')]),
      ),
    );
    // Objects with the label of Grafana's sidecar, small enough to be applied.
    for (const one of shown) {
      expect(one.metadata.labels.grafana_dashboard).toBe('1');
      expect(JSON.stringify(one).length).toBeLessThan(200_000);
    }
  });

  test('each server of data that its alerts speak of is asked', () => {
    const asked = of('overlays/production', 'PodMonitor').filter(({ spec }) =>
      spec.namespaceSelector?.matchNames?.includes('bourse-data'),
    );
    expect(asked.map(({ spec }) => [spec.selector.matchLabels, spec.podMetricsEndpoints[0].port])).toEqual([
      [{ 'strimzi.io/cluster': 'bourse', 'strimzi.io/kind': 'Kafka' }, 'tcp-prometheus'],
      [{ 'cnpg.io/cluster': 'bourse' }, 'metrics'],
    ]);
    expect(only('data', 'Kafka', 'bourse').spec.kafka.metricsConfig).toEqual({ type: 'strimziMetricsReporter' });
  });
});

describe('after a restore', () => {
  test('the comparison job has its requirements, and the accepting job is suspended [K8S-011]', () => {
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
      expect([config.kafkaAccess?.sasl?.username, new URL(config.databaseUrl ?? '').username]).toEqual([
        'operator',
        'bourse_owner',
      ]);
      // Kafka and PostgreSQL let in pods of the exchange by this label.
      expect(job.spec.template.metadata.labels['app.kubernetes.io/part-of']).toBe('bourse');
    }
  });
});

describe('a secret is replaced [K8S-019]', () => {
  const page = readFileSync(join(root, 'docs/kubernetes.md'), 'utf8');
  const OWNERS_OF = SECRET_OWNERS as Readonly<Record<string, readonly string[]>>;
  /** Rows of the page: a secret, what stands for the one before, and who is restarted. */
  const rowsOf = (text: string): Map<string, { before: string; restarted: readonly string[] }> =>
    new Map(
      [...text.matchAll(/^\| `(\w+)` \| (`\w+_OLD`|none: it is accepted) \| (.+) \|$/gm)].map(
        ([, name = '', before = '', names = '']) => [
          name,
          { before: before.replaceAll('`', ''), restarted: names.replaceAll('`', '').split(', ') },
        ],
      ),
    );
  const wrong = (text: string): string[] =>
    Object.entries(OWNERS_OF)
      // The prices' own key is rotated, and its secret stays.
      .filter(([name]) => name !== 'TICK_KEY_SECRET')
      .filter(
        ([name, owners]) => [...(rowsOf(text).get(name)?.restarted ?? [])].sort().join() !== [...owners].sort().join(),
      )
      .map(([name]) => name);

  test('the page names the users of each secret, and those that need the job', () => {
    expect(wrong(page)).toEqual([]);
    expect(wrong(page.replace('`gateway`, `auth` |', '`gateway` |'))).toEqual(['JWT_SECRET']);
    for (const [name, { before }] of rowsOf(page)) {
      const refusal = acceptRefusal(name);
      if (before.endsWith('_OLD')) expect(refusal ?? `${name} is accepted`).toContain(`as ${before} beside`);
      else expect(refusal ?? 'accepted').toBe('accepted');
    }
  });

  test('the job has its requirements, and the page explains its name', () => {
    const job = only('accept', 'Job', 'bourse-accept');
    const [container] = job.spec.template.spec.containers as [Thing];
    expect(container.image).toBe(
      workloadOf(built['overlays/production'] ?? [], 'auth').spec.template.spec.containers[0].image,
    );
    expect(container.args).toEqual(['tools/secrets.mjs', '--accept', '$(SECRET)']);
    // The tools in the image.
    expect(readFileSync(join(root, 'tools/image/tree.mjs'), 'utf8')).toContain("'secrets',");
    const [{ value: name }, { valueFrom }] = container.env as [Thing, Thing];
    expect(acceptRefusal(name as string)).toBeNull();
    const [, from = ''] = /kustomize k8s\/accept \| sed "s\/([^/]+)\//.exec(page) ?? [];
    expect(kustomize('accept').split(from)).toHaveLength(2);
    expect(from).toBe(`value: ${name as string}`);
    const secrets = clusterSecrets(services, make, OPERATED);
    const url = secrets.find((one) => one.metadata.name === valueFrom.secretKeyRef.name).stringData[
      valueFrom.secretKeyRef.key
    ] as string;
    const config = loadConfig(
      // As `installConfig` of the tools does, in the image.
      { NODE_ENV: 'production', DATABASE_URL: url, BOURSE_DEV: '0', BOURSE_RUN: 'embedded', DATA_DIR: folder },
      {},
      { tool: [] },
    );
    expect(new URL(config.databaseUrl ?? '').username).toBe('bourse_owner');
    // PostgreSQL lets in pods of the exchange by this label.
    expect(job.spec.template.metadata.labels['app.kubernetes.io/part-of']).toBe('bourse');
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

/** Objects of production with more components, as an overlay that names them gets them. */
function withComponents(components: readonly string[]): Thing[] {
  const overlay = mkdtempSync(join(folder, 'overlay-'));
  const at = (name: string): string => relative(realpathSync(overlay), join(realpathSync(root), 'k8s', name));
  const kustomization = {
    apiVersion: 'kustomize.config.k8s.io/v1beta1',
    kind: 'Kustomization',
    resources: [at('overlays/production')],
    components: components.map(at),
  };
  writeFileSync(join(overlay, 'kustomization.yaml'), stringify(kustomization));
  return parsed(kustomize(components.join(', '), overlay));
}

describe('a console under a name of its own [K8S-016]', () => {
  /** Objects of production with that part, as an overlay that names it gets them. */
  const withConsole = (component: string): Thing[] => withComponents(component === '' ? [] : [component]);
  /** The service that an address leads to by its longest prefix, as ingresses are read. */
  const serviceAt = (objects: readonly Thing[], host: string, path: string): string | undefined =>
    objects
      .filter(({ kind }) => kind === 'Ingress')
      .flatMap(({ spec }) => spec.rules as readonly Thing[])
      .filter((rule) => rule.host === host)
      .flatMap(({ http }) => http.paths as readonly Thing[])
      .filter(({ path: prefix }) => path === prefix || `${path}/`.startsWith(`${String(prefix).replace(/\/$/, '')}/`))
      .toSorted((one, other) => String(other.path).length - String(one.path).length)
      .map(({ backend }) => backend.service.name as string)[0];
  const [OPEN, OWN] = ['exchange.example.org', 'console.example.org'];
  const OF_OPERATORS = ['/admin', '/admin/users/7', '/api/admin', '/api/admin/login'];
  const OF_PEOPLE = ['/', '/administer', '/spot', '/api/user/login', '/api/administer'];

  test('the public name has neither it nor the calls of operators, and all else as before', () => {
    const objects = withConsole('components/console-host');
    expect(refused(objects)).toBe('');
    expect(OF_OPERATORS.map((path) => serviceAt(objects, OPEN, path))).toEqual(OF_OPERATORS.map(() => 'nobody'));
    expect(OF_PEOPLE.map((path) => serviceAt(objects, OPEN, path))).toEqual(OF_PEOPLE.map(() => 'gateway'));
    const [nobody] = objects.filter(({ kind, metadata }) => kind === 'Service' && metadata.name === 'nobody');
    const [name, value] = Object.entries(nobody.spec.selector as Record<string, string>)[0] ?? [];
    const labels = podsOf(objects).map(({ spec }) => spec.template.metadata.labels as Record<string, string>);
    expect(labels.length).toBeGreaterThan(5);
    expect(labels.filter((one) => one[name ?? ''] === value)).toEqual([]);
  });

  test('the public name has them only where an overlay chooses so [HARD-504]', () => {
    const without = withConsole('');
    expect(OF_OPERATORS.map((path) => serviceAt(without, OPEN, path))).toEqual(OF_OPERATORS.map(() => 'nobody'));
    const open = withConsole('components/console-public');
    expect(OF_OPERATORS.map((path) => serviceAt(open, OPEN, path))).toEqual(OF_OPERATORS.map(() => 'gateway'));
    expect(OF_PEOPLE.map((path) => serviceAt(open, OPEN, path))).toEqual(OF_PEOPLE.map(() => 'gateway'));
  });

  test('the password of Redis is in no argument of its process [HARD-505]', () => {
    const files = readdirSync(join(root, 'k8s/data')).filter((name) => name.endsWith('.yaml'));
    const pods = files.flatMap((name) => parsed(readFileSync(join(root, 'k8s/data', name), 'utf8')));
    const containers = podsOf(pods).flatMap(({ spec }) => spec.template.spec.containers as readonly Thing[]);
    expect(containers.length).toBeGreaterThan(0);
    // Kubernetes puts the value in place of `$(NAME)`, before the process starts.
    const given = containers.flatMap(({ command = [], args = [] }) => [...command, ...args] as string[]);
    expect(given.filter((text) => /\$\(\w*(?:PASSWORD|SECRET|KEY)\w*\)/.test(text))).toEqual([]);
  });

  test('its own name leads to the console and its calls, for listed addresses alone', () => {
    const objects = withConsole('components/console-host');
    expect(OF_OPERATORS.map((path) => serviceAt(objects, OWN, path))).toEqual(OF_OPERATORS.map(() => 'gateway'));
    expect(['/', '/spot'].map((path) => serviceAt(objects, OWN, path))).toEqual([undefined, undefined]);
    const [ingress] = objects.filter(({ kind, metadata }) => kind === 'Ingress' && metadata.name === 'bourse-console');
    const listed = ingress.metadata.annotations['nginx.ingress.kubernetes.io/whitelist-source-range'] as string;
    const networks = listed.split(',');
    expect(networks.length).toBeGreaterThan(0);
    for (const network of networks) expect(network).toMatch(/^\d+(\.\d+){3}\/([89]|[12]\d|3[0-2])$/);
  });
});

describe('other ways in than ingress-nginx [K8S-025]', () => {
  const WAYS = [
    ['components/ingress-gateway-api', 'envoy-gateway-system', 'components/console-gateway-api'],
    ['components/ingress-haproxy', 'haproxy-controller', 'components/console-host'],
  ] as const;
  const letIn = (objects: readonly Thing[]): string[] =>
    ['gateway', 'acme'].map(
      (name) =>
        objects.find(isOf('NetworkPolicy', name)).spec.ingress[0].from[0].namespaceSelector.matchLabels[
          'kubernetes.io/metadata.name'
        ] as string,
    );

  test.each(WAYS)('%s: fits its schemas, and lets in its own controller alone', (way, namespace, console) => {
    const parts = way === 'components/ingress-haproxy' ? [console, way] : [way, console];
    for (const components of [[way], parts]) {
      const objects = withComponents(components);
      expect(refused(objects)).toBe('');
      expect(letIn(objects)).toEqual([namespace, namespace]);
      // Nothing speaks of the other controller any more.
      expect(JSON.stringify(objects.filter(({ kind }) => kind !== 'ConfigMap'))).not.toMatch(/nginx/);
    }
  });

  test('by the Gateway API the public name has no console, an address one gateway, and a sent call one try', () => {
    const objects = withComponents(['components/ingress-gateway-api', 'components/console-gateway-api']);
    expect(objects.filter(({ kind }) => kind === 'Ingress')).toEqual([]);
    const specOf = (kind: string, name: string): Thing => objects.find(isOf(kind, name)).spec;
    const rulesOf = (name: string): [string[], string[]][] =>
      (specOf('HTTPRoute', name).rules as readonly Thing[]).map(({ matches = [], backendRefs = [] }) => [
        (matches as readonly Thing[]).map(({ path }) => path.value as string),
        (backendRefs as readonly Thing[]).map((to) => `${to.name as string}:${to.port as number}`),
      ]);
    expect(rulesOf('bourse')).toEqual([
      [['/admin', '/api/admin'], ['nobody:80']],
      [['/'], ['gateway:8080']],
    ]);
    expect(rulesOf('bourse-console')).toEqual([[['/admin', '/api'], ['gateway:8080']]]);
    const policy = specOf('BackendTrafficPolicy', 'bourse');
    expect(policy.loadBalancer).toEqual({ type: 'ConsistentHash', consistentHash: { type: 'SourceIP' } });
    for (const name of ['bourse', 'bourse-console'])
      expect(specOf('BackendTrafficPolicy', name).retry.retryOn).toEqual({ triggers: ['connect-failure'] });
    expect(specOf('SecurityPolicy', 'bourse-console').authorization).toMatchObject({
      defaultAction: 'Deny',
      rules: [{ action: 'Allow' }],
    });
    // A policy that names another object would be accepted, and do nothing.
    for (const { kind, spec } of objects.filter((one) => String(one.apiVersion).startsWith('gateway.envoyproxy.io')))
      for (const { kind: aim, name } of spec.targetRefs as readonly Thing[])
        expect([kind, aim, objects.some(isOf(aim as string, name as string))]).toEqual([kind, aim, true]);
  });

  test('HAProxy keeps an address at one gateway, and the console to the addresses of console-host', () => {
    const nginx = withComponents(['components/console-host']);
    const haproxy = withComponents(['components/console-host', 'components/ingress-haproxy']);
    const annotation = (objects: readonly Thing[], name: string, key: string): unknown =>
      objects.find(isOf('Ingress', name)).metadata.annotations[key];
    expect(annotation(haproxy, 'bourse', 'haproxy.org/load-balance')).toBe('source');
    expect(annotation(haproxy, 'bourse-console', 'haproxy.org/allow-list')).toBe(
      annotation(nginx, 'bourse-console', 'nginx.ingress.kubernetes.io/whitelist-source-range'),
    );
    for (const name of ['bourse', 'bourse-console']) {
      expect(annotation(haproxy, name, 'haproxy.org/backend-config-snippet')).toContain('retry-on conn-failure');
      expect(haproxy.find(isOf('Ingress', name)).spec.rules).toEqual(nginx.find(isOf('Ingress', name)).spec.rules);
    }
  });
});

describe('network policies [K8S-004]', () => {
  const production = (): Thing[] => structuredClone(built['overlays/production'] ?? []) as Thing[];
  const policyOf = (objects: readonly Thing[], name: string): Thing =>
    objects.find(({ kind, metadata }) => kind === 'NetworkPolicy' && metadata.name === name);

  test('only the connections of the manifests are open', () => {
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
      [['auth', 'wallet-ledger', 'notices', 'lever-risk', 'c2c-escrow'], [gateway?.port]],
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
    expect(wrongPolicies(objects)).toEqual([
      'savings lets in everybody',
      'savings keeps out gateway',
      'savings keeps out auth',
    ]);
  });

  test('finds a policy that admits a service that does not call, and one that blocks a caller', () => {
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

describe('the FIX gateway [K8S-026]', () => {
  test('one copy keeps its sessions, is restricted, and reaches nothing but the public interface', () => {
    const objects = withComponents(['components/fix']);
    const news = objects.filter(
      ({ kind, metadata }) => !(built['overlays/production'] ?? []).some(isOf(kind as string, metadata.name as string)),
    );
    expect(refused(news)).toBe('');
    expect(news.map(({ kind, metadata }) => `${kind as string} ${metadata.name as string}`).sort()).toEqual([
      'NetworkPolicy fix',
      'NetworkPolicy fix-to-gateway',
      'Service fix',
      'ServiceAccount fix',
      'StatefulSet fix',
    ]);
    const workload = workloadOf(objects, 'fix');
    expect(unrestricted(workload)).toEqual([]);
    expect([workload.spec.replicas, workload.spec.volumeClaimTemplates.length]).toEqual([1, 1]);
    const [container] = workload.spec.template.spec.containers;
    // The name that the `images` of an overlay replace in all that it lists.
    expect(container.image).toBe('bourse');
    // No secret and no setting of the exchange.
    expect(container).not.toHaveProperty('envFrom');
    const [policy] = objects.filter(isOf('NetworkPolicy', 'fix')) as [Thing];
    const targets = (policy.spec.egress as readonly Thing[]).flatMap(({ to }) => to as readonly Thing[]);
    expect(targets.flatMap(({ podSelector }) => (podSelector ? [podSelector.matchLabels] : []))).toEqual([
      { 'app.kubernetes.io/name': 'gateway' },
    ]);
    // Policies that open more apply to pods of the exchange by this label.
    expect(workload.spec.template.metadata.labels).not.toHaveProperty('app.kubernetes.io/part-of');
  });
});

describe('servers of data outside the cluster [K8S-017]', () => {
  test('one more component opens the way to them, only for pods of the exchange', () => {
    const path = join(folder, 'outside');
    mkdirSync(path);
    const at = (part: string): string => relative(path, join(root, 'k8s', part));
    const made = { resources: [at('overlays/production')], components: [at('components/data-outside')] };
    writeFileSync(join(path, 'kustomization.yaml'), stringify(made));
    const objects = parsed(kustomize('components/data-outside', path));
    const news = objects.filter(
      ({ kind, metadata }) => !(built['overlays/production'] ?? []).some(isOf(kind as string, metadata.name as string)),
    );
    expect(refused(news)).toBe('');
    expect(news.map(({ kind, metadata }) => [kind, metadata.name])).toEqual([['NetworkPolicy', 'data-outside']]);
    // Nothing shows how those servers are: rules that miss it for ever are left out.
    const rules = objects
      .filter(({ kind }) => kind === 'PrometheusRule')
      .map(({ metadata }) => metadata.name as string);
    expect(rules).toEqual(['bourse']);
    const [{ spec }] = news as [Thing];
    // Those whom the policy `out` lets go to the servers within the cluster.
    const [out] = of('overlays/production', 'NetworkPolicy', 'out');
    expect([spec.podSelector, spec.policyTypes]).toEqual([out.spec.podSelector, ['Egress']]);
    for (const { to, ports } of spec.egress as readonly Thing[]) {
      // A rule without a list of ports, or of networks, would open all of them.
      expect((ports as readonly Thing[]).length).toBeGreaterThan(0);
      for (const { ipBlock } of to as readonly Thing[])
        expect(ipBlock.cidr).toMatch(/^(192\.0\.2|198\.51\.100|203\.0\.113)\.0\/28$/);
    }
  });
});

/** Returns violations of the Pod Security Standard `restricted` that our pods could have. */
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
  test('every pod satisfies the standard of its namespace [K8S-005]', () => {
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

  test('several copies are spread over nodes, and at most one is evicted at a time [K8S-007]', () => {
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

  test('a lost node stops only the service that may not run twice, which the runbook names [K8S-018]', () => {
    const alone = (all: readonly Thing[]): string[] =>
      all
        .filter(({ kind, spec }) => kind === 'StatefulSet' && (spec.replicas ?? 2) < 2)
        .map((one) => one.metadata.name);
    const production = podsOf(built['overlays/production'] ?? []);
    const single = services.filter(({ deploy }) => deploy.single === true).map(({ name }) => name);
    expect(alone(production)).toEqual(single);
    const fewer = structuredClone(workloadOf(production, 'savings'));
    fewer.spec.replicas = 1;
    expect(alone([fewer])).toEqual(['savings']);
    // A pod without a volume moves automatically, soon.
    const moving = [...production.filter(({ kind }) => kind === 'Deployment'), only('data', 'Deployment', 'redis')];
    const movable = services
      .filter(({ deploy }) => deploy.memoryKept !== true && deploy.single !== true)
      .map(({ name }) => name);
    expect(moving.map(({ metadata }) => metadata.name).sort()).toEqual([...movable, 'redis'].sort());
    for (const { metadata, spec } of moving) {
      const tolerations = (spec.template.spec.tolerations ?? []) as readonly Thing[];
      expect([metadata.name, ...tolerations.map(({ key, tolerationSeconds }) => [key, tolerationSeconds])]).toEqual([
        metadata.name,
        ['node.kubernetes.io/unreachable', 30],
        ['node.kubernetes.io/not-ready', 30],
      ]);
    }
    const pages = ['docs/runbooks/process-down.md', 'docs/kubernetes.md'].map((file) =>
      readFileSync(join(root, file), 'utf8'),
    );
    for (const page of pages) {
      expect(page).toContain('node.kubernetes.io/out-of-service=nodeshutdown:NoExecute');
      for (const name of single) expect(page).toContain(`delete pod ${name}-0 --grace-period=0 --force`);
    }
  });

  test('the number of copies has one source: a scaler, or the manifest [K8S-008]', () => {
    const metrics = readFileSync(join(root, 'docs/metrics.md'), 'utf8');
    for (const { name, topics, deploy } of services) {
      const workload = workloadOf(built['overlays/production'] ?? [], name);
      const scalers = [
        ...of('overlays/production', 'HorizontalPodAutoscaler', name),
        ...of('overlays/production', 'ScaledObject', name),
      ];
      // Only services that share partitions become faster with one more copy.
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

  test('every image names its registry and version [K8S-009]', () => {
    for (const output of OUTPUTS)
      for (const workload of podsOf(built[output] ?? []))
        for (const { image, imagePullPolicy } of workload.spec.template.spec.containers as readonly Thing[]) {
          expect(image).toMatch(/^[^:@]+(:[^:@]+|@sha256:[0-9a-f]{64})$/);
          expect(image).not.toMatch(/:latest$/);
          expect(imagePullPolicy ?? 'IfNotPresent').toBe('IfNotPresent');
          if (['overlays/production', 'reconcile', 'accept', 'plan'].includes(output))
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
      const [, file, path] = new RegExp(`--from-file=\\$SAFE/(\\S+) --from-literal=${name}=(\\S+)`).exec(page) ?? [];
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

type Labels = Readonly<Record<string, string>>;
/** Whether a selector, as kubectl reads it, takes an object with these labels. */
function selects(selector: string, labels: Labels): boolean {
  const wants = (selector.match(/(?:[^,(]|\([^)]*\))+/g) ?? []).map((one) => one.trim());
  return wants.every((want) => {
    const [, absent, key = '', how = '', value = ''] =
      /^(!)?([\w./-]+)(?: *(!=|==?| in | notin ) *(.*))?$/.exec(want) ?? [];
    if (key === '') throw new Error(`kubectl does not read ${want}`);
    const has = labels[key];
    if (how === '') return (has === undefined) === (absent === '!');
    const values = value.replace(/^\(|\)$/g, '').split(/ *, */);
    const among = has !== undefined && values.includes(has);
    return ['!=', 'notin'].includes(how.trim()) ? !among : among;
  });
}
const labelsOf = (one: Thing): Labels => (one.metadata.labels ?? {}) as Labels;
const nameOf = ({ kind, metadata }: Thing): string => `${kind as string} ${metadata.name as string}`;

describe('the commands of the pages [K8S-020]', () => {
  const page = readFileSync(join(root, 'docs/kubernetes.md'), 'utf8');
  const runbooks = readdirSync(join(root, 'docs/runbooks')).map((file) =>
    readFileSync(join(root, 'docs/runbooks', file), 'utf8'),
  );
  const blocksOf = (text: string): string[] =>
    [...text.matchAll(/^```sh\n([\s\S]*?)^```/gm)].map(([, block]) => block ?? '');
  const section = (title: string): string => page.split(/^## /m).find((part) => part.startsWith(title)) ?? '';
  /** Selectors of objects of the production overlay that a block applies, one after the other. */
  const applied = (block: string): string[] =>
    [...block.matchAll(/^(?:roll|kubectl apply -k k8s\/overlays\/production -l) (?:'([^']+)'|(\S+))/gm)].map(
      ([, quoted, bare]) => quoted ?? bare ?? '',
    );
  /** Objects that these selectors take, as often as they do. */
  const taken = (selectors: readonly string[]): Thing[] =>
    selectors.flatMap((selector) =>
      (built['overlays/production'] ?? []).filter((one) => selects(selector, labelsOf(one))),
    );
  const workloadsOf = (objects: readonly Thing[]): string[] =>
    podsOf(objects).map(({ metadata }) => metadata.name as string);

  test('an upgrade applies every object once: tables, settings, owners, others, gateways', () => {
    const [plan = '', prepare = '', order = '', back = ''] = blocksOf(section('An upgrade, and the way back'));
    // Before anything is changed: what would be.
    expect(plan).toMatch(/^kubectl apply -k k8s\/plan$/m);
    expect(applied(plan)).toEqual([]);
    const all = taken([...applied(prepare), ...applied(order)]);
    expect(all.map(nameOf).sort()).toEqual((built['overlays/production'] ?? []).map(nameOf).sort());
    const workloads = workloadsOf(all);
    expect(workloads.slice(0, 3)).toEqual(['bourse-migrate', 'spot-matching', 'wallet-ledger']);
    expect(workloads.at(-1)).toBe('gateway');
    // Pods read settings when they start: these are there before.
    const settings = all.findIndex(isOf('ConfigMap', 'bourse'));
    const first = all.findIndex(({ kind }) => kind === 'StatefulSet');
    expect(all.findIndex(isOf('Job', 'bourse-migrate'))).toBeLessThan(settings);
    expect(settings).toBeLessThan(first);
    // A finished job takes no other image: it is taken away before, and left out on the way back.
    expect(prepare).toMatch(/^kubectl -n bourse delete job bourse-migrate/);
    const returned = taken(applied(back));
    expect(returned.map(nameOf).sort()).toEqual(
      all
        .filter(({ metadata }) => labelsOf({ metadata })['app.kubernetes.io/component'] !== 'prepare')
        .map(nameOf)
        .sort(),
    );
    expect(workloadsOf(returned)[0]).toBe('gateway');
    expect(workloadsOf(returned).slice(-2)).toEqual(['spot-matching', 'wallet-ledger']);
  });

  test('a wait for the end of pods does not wait for a finished one', () => {
    const lines = page.split('\n').filter((line) => line.startsWith('kubectl'));
    const waits = lines.findIndex((line) => line.includes('wait --for=delete pod'));
    expect(waits).toBeGreaterThan(0);
    const selector = /-l (\S+)/.exec(lines[waits] ?? '')?.[1] ?? '';
    const finished = podsOf(built['overlays/production'] ?? []).filter(
      (one) => one.kind === 'Job' && selects(selector, one.spec.template.metadata.labels as Labels),
    );
    for (const { metadata } of finished)
      expect(lines.slice(0, waits).at(-1)).toContain(`delete job ${metadata.name as string}`);
    for (const { name } of services)
      expect(
        selects(selector, workloadOf(built['overlays/production'] ?? [], name).spec.template.metadata.labels),
      ).toBe(true);
  });

  test('named objects are created by the files of k8s, or by an earlier command', () => {
    const objects = Object.values(built).flat();
    const texts = [page, ...runbooks];
    const said = texts.flatMap((text) =>
      [
        ...blocksOf(text).flatMap((block) => block.split('\n')),
        ...[...text.replace(/^```[\s\S]*?^```/gm, '').matchAll(/`([^`\n]+)`/g)].map(([, code]) => code ?? ''),
      ].filter((line) => line.includes('kubectl')),
    );
    const KINDS: Readonly<Record<string, string>> = {
      job: 'Job',
      deploy: 'Deployment',
      deployment: 'Deployment',
      statefulset: 'StatefulSet',
      service: 'Service',
      kafka: 'Kafka',
      cluster: 'Cluster',
    };
    const PATTERN = new RegExp(`\\b(${Object.keys(KINDS).join('|')})(?:/| )([a-z][a-z0-9-]*)`, 'g');
    // Jobs that a command makes of a cron job.
    const begun = said.flatMap((line) => [...line.matchAll(/create job ([\w-]+) --from=cronjob\/([\w-]+)/g)]);
    for (const [text, , from = ''] of begun) expect([text, objects.some(isOf('CronJob', from))]).toEqual([text, true]);
    const named = said
      .filter((line) => !/ingress-nginx|cnpg-system/.test(line))
      .flatMap((line) =>
        [...line.matchAll(PATTERN)].map(([text, kind = '', name = '']) => [text, kind, name] as const),
      );
    expect(named.length).toBeGreaterThan(15);
    const made = [
      ...objects,
      ...services.map(({ name }) => workloadOf(objects, name)),
      ...begun.map(([, name]) => ({ kind: 'Job', metadata: { name } })),
    ];
    expect(named.filter(([, kind, name]) => !made.some(isOf(KINDS[kind] ?? '', name))).map(([text]) => text)).toEqual(
      [],
    );
    const selectors = said.flatMap((line) =>
      [...line.matchAll(/ -l (?:'([^']+)'|([\w.!/=-]+))/g)].map(([, quoted, bare]) => quoted ?? bare ?? ''),
    );
    // Labels that an operator gives to what it makes.
    const foreign = (selector: string): boolean => /^(cnpg\.io\/|k6_cr=)/.test(selector);
    for (const selector of selectors.filter((one) => !foreign(one)))
      expect([selector, objects.some((one) => selects(selector, labelsOf(one)))]).toEqual([selector, true]);
  });

  test('a selector is read as kubectl reads it', () => {
    const labels = { app: 'gateway', tier: 'edge' };
    const takes = (selector: string): boolean => selects(selector, labels);
    expect(
      ['app=gateway', 'app!=auth', '!other', 'app in (auth, gateway)', 'app, app notin (auth)'].map(takes),
    ).toEqual([true, true, true, true, true]);
    expect(['app=auth', 'app!=gateway', '!app', 'app in (auth)', 'app=gateway,other'].map(takes)).toEqual([
      false,
      false,
      false,
      false,
      false,
    ]);
    expect(() => takes('app ~ x')).toThrow('does not read');
  });

  test('the program that makes the secrets has help, and a sentence for unknown arguments', () => {
    const program = (...words: string[]): { status: number | null; stdout: string; stderr: string } =>
      spawnSync(process.execPath, [join(root, 'tools/cluster-secrets.mjs'), ...words], { encoding: 'utf8' });
    const help = program('--help');
    expect([help.status, help.stderr]).toEqual([0, '']);
    for (const word of ['--plain', 'npm run build', 'secrets.yaml']) expect(help.stdout).toContain(word);
    const wrong = program('--plane');
    expect([wrong.status, wrong.stdout]).toEqual([1, '']);
    expect(wrong.stderr).toBe("Unknown option '--plane'. See --help.\n");
    expect(page.indexOf('npm run build')).toBeLessThan(page.indexOf('node tools/cluster-secrets.mjs'));
    // Into a file that only its owner reads, and that is never written twice.
    const file = join(folder, 'secrets.yaml');
    expect(program('--out', file)).toMatchObject({ status: 0, stdout: '', stderr: '' });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(parsed(readFileSync(file, 'utf8')).length).toBeGreaterThan(30);
    expect(program('--out', file)).toMatchObject({ status: 1, stderr: expect.stringContaining('is there already') });
  });

  test('monitored objects have the label that kube-prometheus-stack selects, and the page names it', () => {
    const watched = [...of('overlays/production', 'PodMonitor'), ...of('overlays/production', 'PrometheusRule')];
    expect(watched).toHaveLength(5);
    for (const one of watched)
      expect([nameOf(one), labelsOf(one)['release']]).toEqual([nameOf(one), 'kube-prometheus-stack']);
    expect(page).toContain('`release: kube-prometheus-stack`');
  });
});
