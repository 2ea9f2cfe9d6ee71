// What is written from the manifests of the services. Each entry makes the whole text of a file from its present text.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as prettier from 'prettier';
import { readManifests, servicesOf } from './manifests.mjs';

const here = fileURLToPath(new URL('../../', import.meta.url));
const HEAD = 'Written by `npm run services` from the manifests of the services (service.json): change those.';

/** The files that are not what follows from the manifests, each with the text that does. */
export async function staleFiles(root = here) {
  const manifests = readManifests(root);
  const stale = [];
  for (const [file, make] of Object.entries(generatedFiles(manifests))) {
    const path = join(root, file);
    const present = existsSync(path) ? readFileSync(path, 'utf8') : '';
    const made = make(present);
    const options = { ...(await prettier.resolveConfig(path)), filepath: path };
    const { ignored, inferredParser } = await prettier.getFileInfo(path, { ignorePath: join(root, '.prettierignore') });
    const text = ignored || inferredParser === null ? made : await prettier.format(made, options);
    if (text !== present) stale.push({ file, text });
  }
  return stale;
}

/** Every file that is written from the manifests, in whole or in part. */
export const generatedNames = (root = here) => Object.keys(generatedFiles(readManifests(root)));

/** Writes them. */
export function writeGenerated(stale, root = here) {
  for (const { file, text } of stale) writeFileSync(join(root, file), text);
}

/** By file, how its text follows from the manifests and from what it says now. */
function generatedFiles(manifests) {
  const services = servicesOf(manifests);
  const inSimulation = manifests.filter(({ simulation }) => simulation);
  return {
    'libs/platform/src/services.generated.ts': () => platformServices(manifests),
    'libs/i18n/src/areas.generated.ts': () => textAreas(),
    'libs/events/src/topics.generated.ts': () => eventTopics(manifests),
    'apps/exchange/src/modules.ts': () =>
      exchangeModules(
        services,
        manifests.filter(({ example }) => example),
      ),
    'apps/exchange/package.json': (text) => withDependencies(text, manifests),
    'apps/exchange/tsconfig.json': (text) => withReferences(text, manifests, '../../'),
    'apps/simulation/package.json': (text) => withDependencies(text, inSimulation),
    'apps/simulation/tsconfig.json': (text) => withReferences(text, inSimulation, '../../'),
    'apps/simulation/src/services.generated.ts': () => simulatedServices(inSimulation),
    'tsconfig.json': (text) => withReferences(text, manifests, ''),
    'docker-compose.yml': (text) => composeFile(text, services),
    '.env.example': (text) => line(text, /(# BOURSE_SERVICE= +# name of this process: ).*/, names(services).join(', ')),
    'README.md': (text) => marked(text, 'services', serviceTable(services)),
    'docs/architecture.md': (text) => marked(text, 'services', ownersTable(services)),
    'deploy/README.md': (text) => marked(text, 'topics', topicTable(services)),
    'k8s/kustomization.yaml': (text) =>
      block(text, 'resources:\n  - namespace.yaml\n  - configmap.yaml\n', '  - ingress.yaml', () =>
        services.map(({ name }) => `  - ${name}.yaml\n`).join(''),
      ),
    'k8s/configmap.yaml': (text) => line(text, /(BOURSE_SERVICES: >-\n {4}).*/, addresses(services, kubernetesAddress)),
    'k8s/network.yaml': (text) => networkPolicies(text, services),
    'k8s/secret.example.yaml': (text) => exampleSecrets(text, services),
    ...Object.fromEntries(services.map((service) => [`k8s/${service.name}.yaml`, () => deployment(service)])),
  };
}

/** The areas of texts, by the English files; what is on every page comes first, the server's own last. */
function textAreas() {
  const rank = (area) => (area === 'core' ? 0 : area === 'server' ? 2 : 1);
  const areas = readdirSync(join(here, 'libs/i18n/src/bundles/en'))
    .map((file) => file.replace(/\.json$/, ''))
    .sort((one, other) => rank(one) - rank(other) || one.localeCompare(other));
  return `// Written by \`npm run services\` from the files of libs/i18n/src/bundles/en.

/** The areas the texts are split into; a route loads the ones it names. */
export const AREAS = ${literal(areas)} as const;
`;
}

const names = (services) => services.map(({ name }) => name);

// ── TypeScript ──

const literal = (value) => JSON.stringify(value);
const quoted = (key) => (/^[a-z]\w*$/i.test(key) ? key : literal(key));
const record = (entries) => `{\n${entries.map(([key, value]) => `${quoted(key)}: ${literal(value)},`).join('\n')}\n}`;

function platformServices(manifests) {
  const services = servicesOf(manifests);
  const secrets = [...new Set(services.flatMap((service) => service.secrets))].sort();
  const examples = manifests.filter(({ example }) => example);
  const pricing = services.filter(({ needs }) => needs.includes('prices'));
  const picturing = services.filter(({ needs }) => needs.includes('pictures'));
  const owners = secrets.map((secret) => [secret, names(services.filter((one) => one.secrets.includes(secret)))]);
  return `// ${HEAD}

/** The services of the exchange, each with the schema of the database that is its own. */
export const SERVICE_SCHEMAS = ${record(services.map(({ name, schema }) => [name, schema]))} as const;

/** Services of \`examples/\`, which run on demo installs alone, where they are asked for. */
export const EXAMPLE_SCHEMAS = ${record(examples.map(({ name, schema }) => [name, schema]))} as const;

/** The service that faces people. */
export const EDGE_SERVICE = ${literal(services.find(({ edge }) => edge).name)};

/** The services whose process names where index prices come from. */
export const PRICE_SOURCES: readonly string[] = ${literal(names(pricing))};

/** The services that take in and read pictures that people have uploaded for them. */
export const PICTURE_READERS: readonly (keyof typeof SERVICE_SCHEMAS)[] = ${literal(names(picturing))};

/** Secrets of \`.env.example\`, and whose they are: in the distributed run a process takes none that is not its own. */
export const SECRET_OWNERS = ${record(owners)} as const;

/** Rows of the tables \`meta\` that only a demo install has: known installs from before their kind was written down. */
export const SEED_MARKS: readonly string[] = ${literal(manifests.flatMap(({ seedMarks }) => seedMarks))};
`;
}

const topicKey = (name) => name.replace(/[.-]([a-z])/g, (_, letter) => letter.toUpperCase());

function eventTopics(manifests) {
  const services = servicesOf(manifests);
  const topics = services.flatMap((service) => service.topics);
  const parties = (field) =>
    `{\n${topics
      .map(
        ({ name }) =>
          `[TOPICS.${topicKey(name)}]: ${literal(names(services.filter((service) => service[field].includes(name))))},`,
      )
      .join('\n')}\n}`;
  const ofExamples = manifests.flatMap(({ name, example, topics: own }) =>
    example ? own.map((topic) => [topic, name]) : [],
  );
  const exampleTopics = ofExamples.map(([{ name, partitions }, example]) => [name, { example, partitions }]);
  const senders = services
    .filter(({ ledger }) => ledger.issuers.length > 0)
    .map(({ name, ledger: { issuers, forwards, demoOnly = false } }) => [name, { demoOnly, issuers, forwards }]);
  return `// ${HEAD}

/** Logs of the exchange. Partition counts are fixed at install and checked at start. */
export const TOPICS = {
${topics.map(({ name, what }) => `/** ${what} */\n${topicKey(name)}: ${literal(name)},`).join('\n')}
} as const;

/** Partitions of each topic: a count, or the setting that gives it. */
export const TOPIC_PARTITIONS = {
${topics.map(({ name, partitions }) => `[TOPICS.${topicKey(name)}]: ${literal(partitions)},`).join('\n')}
} as const;

/** Topics of examples, each with its example: they are there where that runs. */
export const EXAMPLE_TOPICS: Readonly<Record<string, { readonly example: string; readonly partitions: number }>> =
  ${record(exampleTopics)};

type Service = ${names(services).map(literal).join(' | ')};
type Parties = Readonly<Record<string, readonly Service[]>>;

/** Which services write a topic: from any other one nothing is believed there. Kafka's ACLs should say the same. */
export const TOPIC_WRITERS: Parties = ${parties('writes')};

/** Which services read a topic: each record carries a proof for each of them. */
export const TOPIC_READERS: Parties = ${parties('reads')};

/** Where services send commands directly, without a stream of their own. */
export type DirectTopic = ${topics
    .filter(({ direct }) => direct)
    .map(({ name }) => `typeof TOPICS.${topicKey(name)}`)
    .join(' | ')};
export const DIRECT_TOPICS: ReadonlySet<string> = new Set<DirectTopic>([${topics
    .filter(({ direct }) => direct)
    .map(({ name }) => `TOPICS.${topicKey(name)}`)
    .join(', ')}]);

/** In whose name a service may send commands to the ledger, and to which topics it may have them passed on. */
export const LEDGER_SENDERS: Readonly<
  Record<
    string,
    { readonly issuers: readonly string[]; readonly forwards: readonly string[]; readonly demoOnly: boolean }
  >
> = ${record(senders)};
`;
}

const exchangeModules = (services, examples) => `// ${HEAD}
import type { DynamicModule, Type } from '@nestjs/common';
${[...services]
  .sort((one, other) => (one.name < other.name ? -1 : 1))
  .map(({ module, name }) => `import { ${module} } from '@bourse/${name}';`)
  .join('\n')}

/** Every service of the exchange, in this one process. */
export const SERVICE_MODULES: readonly (DynamicModule | Type)[] = [${services.map(({ module }) => module).join(', ')}];

/** Modules of the examples: loaded on demo installs alone, where BOURSE_EXAMPLES names them. */
export const EXAMPLE_MODULES: Readonly<Record<string, () => Promise<DynamicModule | Type>>> = {
${examples
  .map(({ name, module }) => `  ${literal(name)}: async () => (await import('@bourse/${name}')).${module},`)
  .join('\n')}
};
`;

const simulatedService = ({ name }, at) =>
  `import { SIMULATED as service${at + 1} } from '@bourse/${name}/simulation';`;
const simulatedServices = (services) => `// ${HEAD}
import type { AnySimulatedService } from '@bourse/ledger-client';
${services.map(simulatedService).join('\n')}

/** The services that run in every simulated exchange. */
export const SERVICES: readonly AnySimulatedService[] = [${services.map((_, at) => `service${at + 1}`).join(', ')}];
`;

// ── Packages and projects ──

/** The package depends on these services, in place of those it names now. */
function withDependencies(text, services) {
  const project = JSON.parse(text);
  const others = Object.entries(project.dependencies);
  const isService = ([name]) => name.startsWith('@bourse/') && !isLibrary(name);
  const after = others.findLastIndex(([name]) => name.startsWith('@bourse/') && isLibrary(name));
  const kept = others.filter((entry) => !isService(entry));
  kept.splice(after + 1, 0, ...services.map(({ name }) => [`@bourse/${name}`, '*']));
  return `${JSON.stringify({ ...project, dependencies: Object.fromEntries(kept) }, null, 2)}\n`;
}
const isLibrary = (name) => existsSync(join(here, 'libs', name.replace('@bourse/', '')));

/** The project refers to these services, in place of those it names now; order and other references stay. */
function withReferences(text, services, up) {
  const lines = text.split('\n');
  const isService = (one) => one.includes(`{ "path": "${up}services/`) || one.includes(`{ "path": "${up}examples/`);
  const opening = lines.findIndex((one) => one.includes('"references": ['));
  const closing = lines.findIndex((one, index) => index > opening && one.trim().startsWith(']'));
  if (opening < 0 || closing < 0) throw new Error('A tsconfig.json has no list of references');
  const present = lines.slice(opening + 1, closing);
  const at = present.findIndex(isService);
  const others = present.filter((one) => !isService(one)).map((one) => one.replace(/,?$/, ''));
  others.splice(at < 0 ? others.length : at, 0, ...services.map(({ dir }) => `    { "path": "${up}${dir}" }`));
  return [...lines.slice(0, opening + 1), others.join(',\n'), ...lines.slice(closing)].join('\n');
}

// ── Parts of files that people write ──

/** The text with what stands between two lines replaced; the lines stay. */
function block(text, from, to, make) {
  const start = text.indexOf(from);
  const end = text.indexOf(to, start + from.length);
  if (start < 0 || end < 0) throw new Error(`A generated part is missing: from ${from.trim()} to ${to.trim()}`);
  return text.slice(0, start + from.length) + make() + text.slice(end);
}

function line(text, pattern, value) {
  if (!pattern.test(text)) throw new Error(`A generated line is missing: ${pattern}`);
  return text.replace(pattern, (_, before) => `${before}${value}`);
}

const marked = (text, name, content) =>
  block(text, `<!-- ${name}, written by npm run services -->\n`, `<!-- /${name} -->`, () => `${content}\n`);

const serviceTable = (services) =>
  [
    '| service | owns | schema | port |',
    '|---|---|---|---|',
    ...services.map(({ name, summary, schema, port }) => `| \`${name}\` | ${summary} | \`${schema}\` | ${port} |`),
  ].join('\n');

const ownersTable = (services) =>
  ['| service | owns |', '|---|---|', ...services.map(({ name, summary }) => `| \`${name}\` | ${summary} |`)].join(
    '\n',
  );

function topicTable(services) {
  const who = (list) => (list.length === services.length ? 'all' : list.join(', '));
  const of = (field, topic) => who(names(services.filter((service) => service[field].includes(topic))));
  return [
    '| topic | write | read |',
    '|---|---|---|',
    ...services.flatMap(({ topics }) =>
      topics.map(({ name }) => `| \`${name}\` | ${of('writes', name)} | ${of('reads', name)} |`),
    ),
  ].join('\n');
}

const addresses = (services, address) =>
  `{${services.map((service) => `"${service.name}": "${address(service)}"`).join(', ')}}`;
const kubernetesAddress = ({ name, edge }) => `http://${name}${edge ? ':8080' : ''}`;
/** The edge is asked where it answers everybody. */
const openPort = ({ edge, port }) => (edge ? 8080 : port);

// ── docker compose ──

function composeFile(text, services) {
  const bases = addresses(services, (service) => `http://${service.name}:${openPort(service)}`);
  return block(
    line(text, /(BOURSE_SERVICES: >-\n {4}).*/, bases),
    '  # One process per service, written by npm run services.\n',
    '\nvolumes:\n',
    () => services.map(composeService).join('\n'),
  );
}

const composeService = (service) => {
  const { name, edge, port, settings = [] } = service;
  const environment = [
    `BOURSE_SERVICE: ${name}`,
    `BOURSE_SERVICE_PORT: '${port}'`,
    ...(edge ? ["PORT: '8080'"] : []),
    // From the shell that starts the containers; empty is as if it were not there.
    ...settings.map((setting) => `${setting}: '\${${setting}:-}'`),
  ].join(', ');
  const look =
    `fetch('http://127.0.0.1:${openPort(service)}/readyz').then((r) => ` +
    'process.exit(r.ok ? 0 : 1), () => process.exit(1))';
  return `  ${name}:
    <<: *service
    command: ['dist/${name}.js']
    environment: { <<: *environment, ${environment} }
    healthcheck: { test: ['CMD', 'node', '-e', "${look}"], interval: 5s, timeout: 5s, retries: 30 }
${edge ? "    ports: ['127.0.0.1:${PORT:-8080}:8080']\n" : ''}`;
};

// ── Kubernetes ──

const labels = (name) => `{ app.kubernetes.io/name: ${name}, app.kubernetes.io/part-of: bourse }`;
const METRICS_PORT = 9464;

function deployment({ name, edge, port, deploy }) {
  const { note, replicas, cpu, memory, memoryMax, apart } = deploy;
  const open = edge ? 'public' : 'internal';
  const metricsPort = edge ? METRICS_PORT : port;
  const annotations =
    "{ prometheus.io/scrape: 'true', prometheus.io/path: /metrics, " + `prometheus.io/port: '${metricsPort}' }`;
  const ports = edge
    ? `            - { name: public, containerPort: 8080 }
            - { name: metrics, containerPort: ${METRICS_PORT} }
`
    : `            - { name: internal, containerPort: ${port} }
`;

  const metricsNote = "Metrics, and /readyz in detail: for the cluster's Prometheus. The ingress leads to the public";
  const environment = [
    `{ name: BOURSE_SERVICE, value: ${name} }`,
    `{ name: BOURSE_SERVICE_PORT, value: '${port}' }`,
    ...(edge ? [`{ name: PORT, value: '8080' }`] : []),
  ];
  const metrics = [`{ name: METRICS_PORT, value: '${METRICS_PORT}' }`, '{ name: METRICS_HOST, value: 0.0.0.0 }'];
  const item = (indent) => (text) => `${' '.repeat(indent)}- ${text}\n`;
  return `# ${HEAD}
${note ? `# ${note}\n` : ''}apiVersion: apps/v1
kind: Deployment
metadata:
  name: ${name}
  namespace: bourse
  labels: ${labels(name)}
spec:
  replicas: ${replicas}
  selector:
    matchLabels: { app.kubernetes.io/name: ${name} }
  strategy:
    rollingUpdate: { maxUnavailable: 0, maxSurge: 1 }
  template:
    metadata:
      labels: ${labels(name)}
      annotations: ${annotations}
    spec:
      terminationGracePeriodSeconds: 30
      automountServiceAccountToken: false
      securityContext: { runAsNonRoot: true, runAsUser: 1000, fsGroup: 1000, seccompProfile: { type: RuntimeDefault } }
      containers:
        - name: ${name}
          image: bourse:latest
          args: ['dist/${name}.js']
          envFrom:
            - configMapRef: { name: bourse }
            - secretRef: { name: bourse-${name} }
${apart ? `            - secretRef: { name: ${apart.secret} }\n` : ''}          env:
${environment.map(item(12)).join('')}${
    edge
      ? `            # ${metricsNote} port only.
${metrics.map(item(12)).join('')}`
      : ''
  }          ports:
${ports}          startupProbe: { httpGet: { path: /healthz, port: ${open} }, periodSeconds: 2, failureThreshold: 60 }
          livenessProbe:
            { httpGet: { path: /healthz, port: ${open} }, periodSeconds: 10, timeoutSeconds: 5, failureThreshold: 3 }
          readinessProbe:
            { httpGet: { path: /readyz, port: ${open} }, periodSeconds: 5, timeoutSeconds: 5, failureThreshold: 2 }
          resources:
            requests: { cpu: ${cpu}, memory: ${memory} }
            limits: { memory: ${memoryMax} }
          securityContext:
            { allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, capabilities: { drop: [ALL] } }
          volumeMounts:
            - { name: data, mountPath: /data }
            - { name: tmp, mountPath: /tmp }
      volumes:
        - { name: data, emptyDir: {} }
        - { name: tmp, emptyDir: {} }
---
apiVersion: v1
kind: Service
metadata:
  name: ${name}
  namespace: bourse
  labels: ${labels(name)}
spec:
  selector: { app.kubernetes.io/name: ${name} }
  ports:
    - { name: ${open}, port: ${edge ? 8080 : 80}, targetPort: ${open} }
${edge ? metricsService(name) : ''}${
    replicas > 1
      ? `---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata:
  name: ${name}
  namespace: bourse
spec:
  minAvailable: 1
  selector:
    matchLabels: { app.kubernetes.io/name: ${name} }
`
      : ''
  }`;
}

const metricsService = (name) => `---
# For a ServiceMonitor: apart from the public service, so that nothing leads from the ingress to it.
apiVersion: v1
kind: Service
metadata:
  name: ${name}-metrics
  namespace: bourse
  labels: { app.kubernetes.io/name: ${name}, app.kubernetes.io/part-of: bourse, app.kubernetes.io/component: metrics }
spec:
  clusterIP: None
  selector: { app.kubernetes.io/name: ${name} }
  ports:
    - { name: metrics, port: ${METRICS_PORT}, targetPort: metrics }
`;

function networkPolicies(text, services) {
  const outside = names(services.filter(({ needs }) => needs.includes('outside')));
  const policy = (service) => {
    const asking = services.filter(({ asks }) => asks.includes(service.name));
    const from = [
      ...(service.edge ? ['namespaceSelector: { matchLabels: { kubernetes.io/metadata.name: ingress-nginx } }'] : []),
      ...asking.map(({ name }) => `podSelector: { matchLabels: { app.kubernetes.io/name: ${name} } }`),
    ];
    return `---
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata:
  name: ${service.name}
  namespace: bourse
spec:
  podSelector:
    matchLabels: { app.kubernetes.io/name: ${service.name} }
  policyTypes: [Ingress]
  ingress:
    - from:
${from.map((one) => `        - ${one}\n`).join('')}      ports: [{ port: ${openPort(service)} }]
    - from:
        - namespaceSelector: { matchLabels: { kubernetes.io/metadata.name: monitoring } }
      ports: [{ port: ${openPort(service)} }, { port: ${METRICS_PORT} }]
`;
  };
  const withOutside = line(text, /(operator: In, values: ).*(?= \})/, `[${outside.join(', ')}]`);
  const mark = '# One policy per service, written by npm run services.\n';
  const at = withOutside.indexOf(mark);
  if (at < 0) throw new Error(`k8s/network.yaml has no line ${mark.trim()}`);
  return withOutside.slice(0, at + mark.length) + services.map(policy).join('');
}

function exampleSecrets(text, services) {
  const secret = (name, lines) =>
    `apiVersion: v1\nkind: Secret\nmetadata:\n  name: ${name}\n  namespace: bourse\n` +
    `type: Opaque\nstringData:\n${lines.map((one) => `  ${one}\n`).join('')}`;
  const random = (name) => `${name}: replace-me-by-32-random-bytes`;
  const shared = readFileSync(join(here, 'k8s/configmap.yaml'), 'utf8');
  const optional = (settings) => settings.filter((one) => !shared.includes(`\n  ${one}:`));
  const wanted = (settings) =>
    settings.length === 0 ? [] : ['# Where they are wanted (.env.example):', ...settings.map((one) => `# ${one}:`)];
  const own = services.map(({ name, schema, secrets, settings = [], deploy }) =>
    secret(`bourse-${name}`, [
      `DATABASE_URL: postgres://bourse_${schema}:replace-me@postgres:5432/exchange`,
      'REDIS_URL: rediss://:replace-me@redis:6379',
      `KAFKA_SASL_USERNAME: ${name}`,
      'KAFKA_SASL_PASSWORD: replace-me',
      `INTERNAL_KEY: replace-me-by-the-key-of-${name}`,
      ...secrets.filter((one) => !deploy.apart?.holds.includes(one)).map(random),
      ...wanted(optional(settings)),
    ]),
  );
  const apart = services
    .filter(({ deploy }) => deploy.apart)
    .map(({ deploy: { apart: one } }) => `---\n# ${one.note}\n${secret(one.secret, one.holds.map(random))}`);
  const logins = `{${names(services)
    .map((name) => `"${name}":"replace-me"`)
    .join(',')}}`;
  const withLogins = line(text, /(DATABASE_LOGINS: ).*/, `'${logins}'`);
  const first = '# One secret per service, written by npm run services.\n';
  const last = '# Secrets that lie apart, written by npm run services.\n';
  const withOwn = block(withLogins, first, '---\n# For the job that prepares the database', () => own.join('---\n'));
  const at = withOwn.indexOf(last);
  if (at < 0) throw new Error(`k8s/secret.example.yaml has no line ${last.trim()}`);
  return withOwn.slice(0, at + last.length) + apart.join('');
}
