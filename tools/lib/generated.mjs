// The files that are generated from the manifests of the services. Each entry makes the whole text of a file from its
// present text.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { formatText } from './format.mjs';
import { readManifests, servicesOf } from './manifests.mjs';
import { askTable } from './services/asks.mjs';
import { composeLogins, composeService, composeVolumes } from './services/compose.mjs';
import { kubernetesFiles } from './services/k8s.mjs';
import { alertFile, alertTestFile, prometheusFile } from './services/scrapes.mjs';

const here = fileURLToPath(new URL('../../', import.meta.url));
const HEAD = 'Written by `npm run services` from the manifests of the services (service.json): change those.';

/** The files that are not what follows from the manifests, each with the text that does. */
export async function staleFiles(root = here) {
  const manifests = readManifests(root);
  const stale = [];
  for (const [file, make] of Object.entries(generatedFiles(manifests))) {
    const path = join(root, file);
    const present = existsSync(path) ? readFileSync(path, 'utf8') : '';
    const text = await formatText(path, make(present));
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

/** Per file, a function that makes its text from the manifests and its present text. */
function generatedFiles(manifests) {
  const services = servicesOf(manifests);
  const inSimulation = manifests.filter(({ simulation }) => simulation);
  return {
    'libs/platform/src/config/services.generated.ts': () => platformServices(manifests),
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
    'docs/interfaces.md': (text) => marked(text, 'asks', askTable(services)),
    'deploy/prometheus/prometheus.yml': (text) => prometheusFile(text, services),
    'deploy/prometheus/alerts.yml': (text) => alertFile(text, services),
    'deploy/prometheus/alerts.test.yml': (text) => alertTestFile(text, services),
    ...kubernetesFiles(services),
  };
}

/** The areas of texts, by the English files; texts of every page first, the server's own last. */
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

/** Topics to which services send commands directly, without a stream of their own. */
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

/** Replaces the text between two lines; the lines stay. */
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
// ── docker compose ──

function composeFile(text, services) {
  const bases = addresses(services, (service) => `http://${service.name}:${service.port}`);
  const withServices = block(
    line(line(text, /(BOURSE_SERVICES: >-\n {4}).*/, bases), /(DATABASE_LOGINS: >-\n {8}).*/, composeLogins(services)),
    '  # One process per service, written by npm run services.\n',
    '\nvolumes:\n',
    () => services.map(composeService).join('\n'),
  );
  const last = '  secrets:\n';
  const at = withServices.lastIndexOf(last);
  if (at < 0) throw new Error('docker-compose.yml has no volume secrets');
  return withServices.slice(0, at + last.length) + composeVolumes(services);
}
