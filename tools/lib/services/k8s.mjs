// The files of Kubernetes that follow from the manifests of the services: workloads, network policies, secrets of each
// process, and the topics, users and logins of its data servers.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { METRICS_PORT } from './compose.mjs';
import { exampleDocuments, KAFKA_OPERATOR, yamlOf } from './k8s-secrets.mjs';
import { alertFile } from './scrapes.mjs';

const here = fileURLToPath(new URL('../../../', import.meta.url));
const HEAD = 'Written by `npm run services` from the manifests of the services (service.json): change those.';

/** The namespace of the data servers; k8s/data creates it. */
export const DATA_NAMESPACE = 'bourse-data';
export const NAMESPACE = 'bourse';
const PUBLIC_PORT = 8080;
/** Longer than Kubernetes takes to remove a pod from the endpoints of the ingress and the services. */
const LEAVE_SECONDS = 10;
/** Beyond `LEAVE_SECONDS`, longer than a process takes to drain (10 s, `DRAIN_MS_MAX`). */
const DRAIN_SECONDS = 20;

/** Time until a pod without a volume leaves an unreachable node; the default of Kubernetes is five minutes. */
const LOST_SECONDS = 30;

/** By file, how its text follows from the manifests. */
export function kubernetesFiles(services) {
  const load = loadScripts();
  return {
    ...Object.fromEntries(services.map((one) => [`k8s/base/${one.name}.yaml`, () => serviceFile(one, services)])),
    'k8s/base/services.yaml': () => written([addressBook(services)]),
    'k8s/base/kustomization.yaml': (text) => withList(text, 'resources', baseResources(services)),
    'k8s/base/network.yaml': (text) =>
      marked(text, 'One policy per service', [outside(services), ...services.map((one) => policy(one, services))]),
    'k8s/components/scaling/scalers.yaml': () => written(services.filter(scales).map(scaler)),
    'k8s/components/scaling/kustomization.yaml': (text) => withList(text, 'patches', scaledPatches(services)),
    'k8s/components/monitoring/alerts.yaml': () =>
      written(Object.entries(RULES).map(([name, file]) => alertRules(name, file, services))),
    'k8s/data/topics.yaml': () => written(topics(services)),
    'k8s/data/users.yaml': () => written([...services.map((one) => kafkaUser(one, services)), kafkaOperator(services)]),
    'k8s/data/postgres.yaml': (text) => withRoles(text, services),
    'k8s/secret.example.yaml': () => exampleFile(services),
    [`${DASHBOARDS}/kustomization.yaml`]: () =>
      written([dashboardsConfig()], headOf('from the dashboards of this folder:')),
    'loadtest/k6/kustomization.yaml': () => written([scriptsConfig(load)], headOf('from the scripts of this folder:')),
    'k8s/loadtest/job.yaml': (text) => withScripts(text, load),
    'k8s/loadtest/testrun.yaml': (text) => withScripts(text, load),
  };
}

const EXAMPLE_HEAD = `# ${HEAD}
# What each process must know, and nobody else. \`node tools/cluster-secrets.mjs\` writes the same with values of its
# own (docs/kubernetes.md); by hand: copy it to a folder outside of the clone, and replace every value.`;

/** Each secret of a service with its optional settings. */
function exampleFile(services) {
  const shared = readFileSync(join(here, 'k8s/base/configmap.yaml'), 'utf8');
  const documents = exampleDocuments(services).map((one) => {
    const service = services.find(({ name }) => one.metadata.name === `bourse-${name}`);
    const wanted = (service?.settings ?? []).filter(
      (setting) => !shared.includes(`\n  ${setting}:`) && !(setting in (one.stringData ?? {})),
    );
    const lines =
      wanted.length > 0 ? ['Where they are wanted (.env.example):', ...wanted.map((name) => `${name}:`)] : [];
    return yamlOf(one) + lines.map((line) => `  # ${line}\n`).join('');
  });
  return `${EXAMPLE_HEAD}\n${documents.join('---\n')}`;
}

const headOf = (source) => `# ${HEAD.replace(/from.*:/, source)}`;
const written = (objects, head = `# ${HEAD}`) => `${head}\n${objects.map((one) => yamlOf(one)).join('---\n')}`;

// ── Parts of files that people write ──

/** Replaces everything after the marker line of a text. */
function marked(text, what, objects) {
  const mark = `# ${what}, written by npm run services.\n`;
  const at = text.indexOf(mark);
  if (at < 0) throw new Error(`A generated part is missing: ${mark.trim()}`);
  return `${text.slice(0, at + mark.length)}---\n${objects.map((one) => yamlOf(one)).join('---\n')}`;
}

/** The text with one list at its end replaced. */
function withList(text, name, items) {
  const mark = `# Written by npm run services.\n${name}:\n`;
  const at = text.indexOf(mark);
  if (at < 0) throw new Error(`A generated list is missing: ${name}`);
  return `${text.slice(0, at + mark.length)}${yamlOf(items).replace(/^/gm, '  ').trimEnd()}\n`;
}

// ── What runs ──

const labelsOf = (name) => ({ 'app.kubernetes.io/name': name, 'app.kubernetes.io/part-of': 'bourse' });
const meta = (name, more = {}) => ({ name, namespace: NAMESPACE, labels: { ...labelsOf(name), ...more } });
const selector = (name) => ({ matchLabels: { 'app.kubernetes.io/name': name } });
/** The edge is probed at its public port. */
const openPort = ({ edge, port }) => (edge ? PUBLIC_PORT : port);
const openName = ({ edge }) => (edge ? 'public' : 'internal');
const scales = ({ deploy }) => deploy.scale !== undefined;
/** A service that keeps state in memory, or may not run twice, gets a stable name and a volume. */
export const isStateful = ({ deploy }) => deploy.memoryKept === true || deploy.single === true;

const baseResources = (services) => [
  'namespace.yaml',
  'configmap.yaml',
  'services.yaml',
  ...services.map(({ name }) => `${name}.yaml`),
  'ingress.yaml',
  'network.yaml',
  'migrate.yaml',
];

/** The address of every service: the same for all of them. */
const addressBook = (services) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'bourse-services', namespace: NAMESPACE, labels: { 'app.kubernetes.io/part-of': 'bourse' } },
  data: {
    BOURSE_SERVICES: JSON.stringify(
      Object.fromEntries(services.map(({ name, edge, port }) => [name, `http://${name}${edge ? `:${port}` : ''}`])),
    ),
  },
});

function serviceFile(service, services) {
  const note = service.deploy.note ? `\n# ${service.deploy.note}` : '';
  const objects = [
    { apiVersion: 'v1', kind: 'ServiceAccount', metadata: meta(service.name), automountServiceAccountToken: false },
    workload(service, services),
    ...reachable(service),
    ...(service.deploy.replicas > 1 ? [budget(service)] : []),
  ];
  return written(objects, `# ${HEAD}${note}`);
}

function workload(service, services) {
  const { name, deploy } = service;
  const common = { replicas: deploy.replicas, minReadySeconds: 5, revisionHistoryLimit: 5, selector: selector(name) };
  if (!isStateful(service))
    return {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: meta(name),
      spec: {
        ...common,
        progressDeadlineSeconds: 300,
        strategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 0, maxSurge: 1 } },
        template: pod(service, services),
      },
    };
  return {
    apiVersion: 'apps/v1',
    kind: 'StatefulSet',
    metadata: meta(name),
    spec: {
      ...common,
      serviceName: `${name}-copies`,
      podManagementPolicy: 'Parallel',
      updateStrategy: { type: 'RollingUpdate' },
      persistentVolumeClaimRetentionPolicy: { whenDeleted: 'Retain', whenScaled: 'Retain' },
      template: pod(service, services),
      volumeClaimTemplates: [
        {
          apiVersion: 'v1',
          kind: 'PersistentVolumeClaim',
          metadata: { name: 'data', labels: labelsOf(name) },
          spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
        },
      ],
    },
  };
}

const CONTAINER_SECURITY = {
  allowPrivilegeEscalation: false,
  readOnlyRootFilesystem: true,
  capabilities: { drop: ['ALL'] },
};

const leavesLost = (state) => ({
  key: `node.kubernetes.io/${state}`,
  operator: 'Exists',
  effect: 'NoExecute',
  tolerationSeconds: LOST_SECONDS,
});

function pod(service) {
  const { name, edge, deploy } = service;
  const spread = (topologyKey) => ({
    maxSkew: 1,
    topologyKey,
    whenUnsatisfiable: 'ScheduleAnyway',
    labelSelector: selector(name),
  });
  const probe = (path, more) => ({ httpGet: { path, port: openName(service) }, timeoutSeconds: 5, ...more });
  return {
    metadata: { labels: labelsOf(name) },
    spec: {
      serviceAccountName: name,
      automountServiceAccountToken: false,
      enableServiceLinks: false,
      terminationGracePeriodSeconds: LEAVE_SECONDS + DRAIN_SECONDS,
      ...(isStateful(service) ? {} : { tolerations: ['unreachable', 'not-ready'].map(leavesLost) }),
      securityContext: {
        runAsNonRoot: true,
        runAsUser: 1000,
        runAsGroup: 1000,
        fsGroup: 1000,
        fsGroupChangePolicy: 'OnRootMismatch',
        seccompProfile: { type: 'RuntimeDefault' },
      },
      ...(deploy.replicas > 1
        ? {
            topologySpreadConstraints: [spread('topology.kubernetes.io/zone'), spread('kubernetes.io/hostname')],
          }
        : {}),
      containers: [
        {
          name,
          image: 'bourse',
          imagePullPolicy: 'IfNotPresent',
          args: [`dist/${name}.js`],
          envFrom: [
            { configMapRef: { name: 'bourse' } },
            { configMapRef: { name: 'bourse-services' } },
            { configMapRef: { name: 'bourse-keys' } },
            { secretRef: { name: `bourse-${name}` } },
            ...(deploy.apart ? [{ secretRef: { name: deploy.apart.secret } }] : []),
          ],
          env: environment(service),
          ports: [
            { name: openName(service), containerPort: openPort(service) },
            ...(edge
              ? [
                  { name: 'internal', containerPort: service.port },
                  { name: 'metrics', containerPort: METRICS_PORT },
                ]
              : []),
          ],
          startupProbe: probe('/healthz', { periodSeconds: 2, failureThreshold: 60 }),
          livenessProbe: probe('/healthz', { periodSeconds: 10, failureThreshold: 3 }),
          readinessProbe: probe('/readyz', { periodSeconds: 5, failureThreshold: 2 }),
          lifecycle: { preStop: { sleep: { seconds: LEAVE_SECONDS } } },
          resources: {
            requests: { cpu: deploy.cpu, memory: deploy.memory, 'ephemeral-storage': '64Mi' },
            limits: { memory: deploy.memoryMax, 'ephemeral-storage': '512Mi' },
          },
          securityContext: CONTAINER_SECURITY,
          volumeMounts: [
            { name: 'data', mountPath: '/data' },
            { name: 'tmp', mountPath: '/tmp' },
            { name: 'ca', mountPath: '/etc/bourse/ca', readOnly: true },
          ],
        },
      ],
      volumes: [
        ...(isStateful(service) ? [] : [{ name: 'data', emptyDir: { sizeLimit: '256Mi' } }]),
        { name: 'tmp', emptyDir: { sizeLimit: '128Mi' } },
        // Absent if the certificates of the servers are signed by a public authority.
        { name: 'ca', configMap: { name: 'bourse-ca', optional: true } },
      ],
    },
  };
}

function environment({ name, edge, port }) {
  const metrics = { METRICS_PORT: String(METRICS_PORT), METRICS_HOST: '0.0.0.0' };
  const values = {
    BOURSE_SERVICE: name,
    BOURSE_SERVICE_PORT: String(port),
    // For the cluster's Prometheus: the ingress leads to the public port only.
    ...(edge ? { PORT: String(PUBLIC_PORT), ...metrics } : {}),
  };
  return Object.entries(values).map(([key, value]) => ({ name: key, value }));
}

/** The Kubernetes services of a service: one for its callers, one with the names of its copies. */
function reachable(service) {
  const { name, edge, port } = service;
  const open = openName(service);
  const asked = {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: meta(name),
    spec: {
      selector: selector(name).matchLabels,
      ports: [
        { name: open, port: edge ? PUBLIC_PORT : 80, targetPort: open },
        // The ingress does not route to this port: other services call the edge there.
        ...(edge ? [{ name: 'internal', port, targetPort: 'internal' }] : []),
      ],
    },
  };
  const copies = {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: meta(`${name}-copies`, { 'app.kubernetes.io/name': name, 'app.kubernetes.io/component': 'copies' }),
    spec: {
      clusterIP: 'None',
      publishNotReadyAddresses: true,
      selector: selector(name).matchLabels,
      ports: [{ name: open, port: openPort(service), targetPort: open }],
    },
  };
  return isStateful(service) ? [asked, copies] : [asked];
}

const budget = ({ name }) => ({
  apiVersion: 'policy/v1',
  kind: 'PodDisruptionBudget',
  metadata: meta(name),
  spec: { maxUnavailable: 1, unhealthyPodEvictionPolicy: 'AlwaysAllow', selector: selector(name) },
});

// ── Network policies ──

const podOf = (name) => ({ podSelector: selector(name) });
const namespaceOf = (name) => ({ namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': name } } });

/** Callers of a service: the services whose manifests name it, and the edge, which forwards the calls of users. */
export const callersOf = (service, services) =>
  services.filter(({ name, edge, asks }) => name !== service.name && (edge || asks.includes(service.name)));

function policy(service, services) {
  const callers = callersOf(service, services).map(({ name }) => podOf(name));
  return {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'NetworkPolicy',
    metadata: { name: service.name, namespace: NAMESPACE },
    spec: {
      podSelector: selector(service.name),
      policyTypes: ['Ingress'],
      ingress: [
        ...(service.edge
          ? [{ from: [namespaceOf('ingress-nginx')], ports: [{ protocol: 'TCP', port: PUBLIC_PORT }] }]
          : []),
        // An empty list would admit every caller.
        ...(callers.length > 0 ? [{ from: callers, ports: [{ protocol: 'TCP', port: service.port }] }] : []),
        {
          from: [namespaceOf('monitoring')],
          ports: [{ protocol: 'TCP', port: service.edge ? METRICS_PORT : service.port }],
        },
      ],
    },
  };
}

/** TLS, mail (465, 587), and the usual ports of nodes: Bitcoin, Litecoin, Dogecoin, Ethereum. */
const OUTSIDE_PORTS = [443, 465, 587, 8332, 9332, 22555, 8545];

/** Prices, mail, chains and third parties are outside: by TLS, or to the ports of one's nodes. */
const outside = (services) => ({
  apiVersion: 'networking.k8s.io/v1',
  kind: 'NetworkPolicy',
  metadata: { name: 'outside', namespace: NAMESPACE },
  spec: {
    podSelector: {
      matchExpressions: [
        {
          key: 'app.kubernetes.io/name',
          operator: 'In',
          values: services.filter(({ needs }) => needs.includes('outside')).map(({ name }) => name),
        },
      ],
    },
    policyTypes: ['Egress'],
    egress: [{ ports: OUTSIDE_PORTS.map((port) => ({ protocol: 'TCP', port })) }],
  },
});

// ── Scaling ──

const target = (service) => ({
  apiVersion: 'apps/v1',
  kind: isStateful(service) ? 'StatefulSet' : 'Deployment',
  name: service.name,
});

/** By CPU where every copy takes its part of the calls; by what waits for its owner where partitions are shared out. */
function scaler(service) {
  const { name, deploy } = service;
  const { by } = deploy.scale;
  const most = mostOf(service);
  if (by === 'cpu')
    return {
      apiVersion: 'autoscaling/v2',
      kind: 'HorizontalPodAutoscaler',
      metadata: meta(name),
      spec: {
        scaleTargetRef: target(service),
        minReplicas: deploy.replicas,
        maxReplicas: most,
        metrics: [
          { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 70 } } },
        ],
        behavior: { scaleDown: { stabilizationWindowSeconds: 300 } },
      },
    };
  return {
    apiVersion: 'keda.sh/v1alpha1',
    kind: 'ScaledObject',
    metadata: meta(name),
    spec: {
      scaleTargetRef: target(service),
      minReplicaCount: deploy.replicas,
      maxReplicaCount: most,
      pollingInterval: 15,
      cooldownPeriod: 300,
      // If Prometheus does not answer, the usual number.
      fallback: { failureThreshold: 4, replicas: deploy.replicas },
      triggers: [
        {
          type: 'prometheus',
          metricType: 'AverageValue',
          metadata: {
            serverAddress: 'http://prometheus-operated.monitoring:9090',
            query: `sum(max by (consumer) (bourse_consumer_lag{namespace="${NAMESPACE}",service="${name}"}))`,
            threshold: String(LAG_OF_ONE),
            activationThreshold: '0',
          },
        },
      ],
    },
  };
}
/** If partitions are a setting of the install: as many copies as have work, and one standby. */
function mostOf({ topics: own, deploy }) {
  const setting = own.map(({ partitions }) => partitions).find((partitions) => typeof partitions === 'string');
  if (setting === undefined) return deploy.scale.most;
  return Math.max(deploy.replicas, Math.min(deploy.scale.most, installSetting(setting) + 1));
}

/** Rows that one copy may have before it: about what the ledger books in a tenth of a second (docs/benchmarks.md). */
const LAG_OF_ONE = 1_000;

/** The scaler must be the only owner of the number of copies: the numbers of the base are removed. */
const scaledPatches = (services) =>
  services.filter(scales).map((service) => ({
    target: { kind: target(service).kind, name: service.name },
    patch: '- op: remove\n  path: /spec/replicas\n',
  }));

// ── Watching ──

/** kube-prometheus-stack selects by the name of its release, as of k8s/components/monitoring/monitors.yaml. */
const watched = { 'app.kubernetes.io/part-of': 'bourse', release: 'kube-prometheus-stack' };

/** Which rules of deploy/prometheus the cluster's Prometheus evaluates, by the name of their object. */
const RULES = { bourse: 'alerts.yml', [DATA_NAMESPACE]: 'data-alerts.yml' };
const alertRules = (name, file, services) => ({
  apiVersion: 'monitoring.coreos.com/v1',
  kind: 'PrometheusRule',
  metadata: { name, namespace: NAMESPACE, labels: watched },
  spec: { groups: parse(rulesText(file, services)).groups },
});
function rulesText(file, services) {
  const text = readFileSync(join(here, 'deploy/prometheus', file), 'utf8');
  return file === RULES.bourse ? alertFile(text, services) : text;
}

const DASHBOARDS = 'deploy/grafana/dashboards';
/** For the sidecar of kube-prometheus-stack's Grafana, which loads objects with its label from every namespace. */
const dashboardsConfig = () => ({
  apiVersion: 'kustomize.config.k8s.io/v1beta1',
  kind: 'Kustomization',
  generatorOptions: { disableNameSuffixHash: true, labels: { ...watched, grafana_dashboard: '1' } },
  configMapGenerator: readdirSync(join(here, DASHBOARDS))
    .filter((file) => file.endsWith('.json'))
    .map((file) => ({
      name: `bourse-dashboard-${file.replace(/\.json$/, '')}`,
      namespace: NAMESPACE,
      files: [file],
    })),
});

// ── Servers of data ──

/** `MESSAGE_BYTES_MAX` of libs/messaging: the log sends records of this size, and asks for as much. */
const MESSAGE_BYTES_MAX = 16_777_216;

/** As the log itself would make them (`KafkaTopics`). */
const topics = (services) =>
  services
    .flatMap((service) => service.topics)
    .map(({ name, partitions, what }) => ({
      apiVersion: 'kafka.strimzi.io/v1',
      kind: 'KafkaTopic',
      metadata: {
        name,
        namespace: DATA_NAMESPACE,
        labels: { 'strimzi.io/cluster': 'bourse' },
        annotations: {
          'bourse.example.org/what': what,
          ...(typeof partitions === 'string' ? { 'bourse.example.org/partitions': partitions } : {}),
        },
      },
      spec: {
        // A setting is as the production overlay says: it is fixed at install.
        partitions: typeof partitions === 'string' ? installSetting(partitions) : partitions,
        replicas: 3,
        config: {
          'cleanup.policy': 'delete',
          'retention.ms': 604_800_000,
          'max.message.bytes': MESSAGE_BYTES_MAX,
          'min.insync.replicas': 2,
          'unclean.leader.election.enable': false,
        },
      },
    }));

/** A setting that is fixed at install, as the production overlay says it: k8s/data and the scalers are for that one. */
const installSetting = (name) =>
  Number(
    ['k8s/overlays/production/settings.yaml', 'k8s/base/configmap.yaml']
      .map((file) => parse(readFileSync(join(here, file), 'utf8')).data[name])
      .find((value) => value !== undefined),
  );

const aclOf = (type, resource, operations, patternType = 'literal') => ({
  resource: { type, name: resource, patternType },
  operations,
  host: '*',
});
const topicNames = (services) => services.flatMap((service) => service.topics).map((topic) => topic.name);
const userOf = (name, acls) => ({
  apiVersion: 'kafka.strimzi.io/v1',
  kind: 'KafkaUser',
  metadata: { name, namespace: DATA_NAMESPACE, labels: { 'strimzi.io/cluster': 'bourse' } },
  spec: {
    authentication: {
      type: 'scram-sha-512',
      password: { valueFrom: { secretKeyRef: { name: `kafka-${name}`, key: 'password' } } },
    },
    authorization: { type: 'simple', acls },
  },
});

/** Kafka rights of a service: write and read the topics of its manifest, and describe all topics. */
const kafkaUser = ({ name, writes, reads }, services) =>
  userOf(name, [
    ...topicNames(services).map((topic) =>
      aclOf('topic', topic, [
        'Describe',
        ...(writes.includes(topic) ? ['Write'] : []),
        ...(reads.includes(topic) ? ['Read'] : []),
      ]),
    ),
    // A reader's group is named after its topic and lives as long as it owns the partition (decision 0011).
    ...reads.map((topic) => aclOf('group', `${topic}.`, ['Read', 'Describe', 'Delete'], 'prefix')),
  ]);

/** `bourse reconcile`: reads the heads of every topic (`logHeads`) and empties the topics (`emptyTopics`). */
const kafkaOperator = (services) =>
  userOf(KAFKA_OPERATOR, [
    ...topicNames(services).map((topic) => aclOf('topic', topic, ['Describe', 'Read', 'Delete'])),
    aclOf('group', 'bourse-restored-log-', ['Read', 'Describe', 'Delete'], 'prefix'),
  ]);

/** The logins of the services in the cluster of PostgreSQL, and its owner as a member of each. */
function withRoles(text, services) {
  const mark = '    # Written by npm run services.\n    roles:\n';
  const end = '    # End of the roles.\n';
  const [start, stop] = [text.indexOf(mark), text.indexOf(end)];
  if (start < 0 || stop < start) throw new Error('k8s/data/postgres.yaml has no list of roles');
  const role = (name, secret, more) => ({
    name,
    ensure: 'present',
    login: true,
    passwordSecret: { name: secret },
    ...more,
  });
  const roles = [
    role('bourse_owner', 'postgres-owner', { inRoles: services.map(({ schema }) => `bourse_${schema}`) }),
    ...services.map(({ schema }) => role(`bourse_${schema}`, `postgres-${schema}`, {})),
  ];
  const list = yamlOf(roles).replace(/^(?=.)/gm, '      ');
  return text.slice(0, start + mark.length) + list + text.slice(stop);
}

// ── Load from within the cluster ──

const loadFolder = 'loadtest/k6';
/** The scripts of k6, as one folder deep as they are. */
const loadScripts = () =>
  readdirSync(join(here, loadFolder), { recursive: true, encoding: 'utf8' })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => file.endsWith('.js'))
    .sort();
/** Keys of a config map have no slashes. */
const keyOf = (file) => file.replaceAll('/', '__');

const scriptsConfig = (files) => ({
  apiVersion: 'kustomize.config.k8s.io/v1beta1',
  kind: 'Kustomization',
  configMapGenerator: [
    {
      name: 'k6-scripts',
      namespace: 'bourse-load',
      // A resource that kustomize does not know refers to it by its name.
      options: { disableNameSuffixHash: true },
      files: files.map((file) => `${keyOf(file)}=${file}`),
    },
  ],
});

function withScripts(text, files) {
  const list = /^(?<indent> *)# Written by npm run services\.\n\k<indent>items:\n(?:\k<indent> {2}.*\n)*/m;
  const { groups } = list.exec(text) ?? {};
  if (!groups) throw new Error('a file of k8s/loadtest has no list of scripts');
  const items = yamlOf(files.map((file) => ({ key: keyOf(file), path: file })));
  const lines = items.replace(/^(?=.)/gm, `${groups.indent}  `);
  return text.replace(list, () => `${groups.indent}# Written by npm run services.\n${groups.indent}items:\n${lines}`);
}
