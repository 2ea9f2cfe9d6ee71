// The manifests of the services: `services/<name>/service.json`, and those of examples that are services. Everything
// that must know which services there are reads them, or is written from them by `npm run services`.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = fileURLToPath(new URL('../../', import.meta.url));

/**
 * The resources that a service may need beside other services; `outside`: the internet, `prices`: the feed, `pictures`:
 * receiving and reading the files that users upload for it.
 */
const NEEDS = ['postgres', 'redis', 'kafka', 'outside', 'prices', 'pictures'];
/**
 * Kinds of faults that `npm run faults` tries on a service (docs/proofs/faults.md): its clock jumps, its connections
 * are half-open, it consumes slowly, it is in the path of every order (no descriptors, killed in the short form too),
 * it owns partitions that another instance takes over.
 */
const FAULTS = ['clock', 'line', 'slow', 'path', 'owner'];

const isText = (value) => typeof value === 'string' && value.trim() !== '';
const isName = (value) => typeof value === 'string' && /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(value);
const isTopicName = (value) => typeof value === 'string' && /^[a-z]+(\.[a-z]+)?$/.test(value);
const isCount = (value) => Number.isInteger(value) && value > 0;
const isFlag = (value) => typeof value === 'boolean';
const listOf = (test) => (value) =>
  Array.isArray(value) && value.every(test) && new Set(value.map((one) => JSON.stringify(one))).size === value.length;
const oneOf = (values) => (value) => values.includes(value);
/** A test of an object's fields; a name that ends in `?` may be absent, and no other field may be there. */
const shape = (fields) => (value) =>
  typeof value === 'object' &&
  value !== null &&
  Object.keys(value).every((key) => key in fields || `${key}?` in fields) &&
  Object.entries(fields).every(([key, test]) =>
    key.endsWith('?') ? value[key.slice(0, -1)] === undefined || test(value[key.slice(0, -1)]) : test(value[key]),
  );

/** Each field of a manifest with its check, and the description that an error message uses. */
const FIELDS = {
  name: [isName, 'small letters and digits with dashes: the name of its folder'],
  module: [isText, 'the class that its src/index.ts exports as its Nest module'],
  summary: [isText, 'what the service owns, in a few words'],
  port: [isCount, 'its internal port'],
  schema: [
    (value) => typeof value === 'string' && /^[a-z]+$/.test(value),
    'the schema of the database that is its own',
  ],
  'edge?': [isFlag, 'true for the one service that faces people'],
  'stops?': [oneOf(['first', 'last']), 'first or last, where the order of the end matters'],
  topics: [
    listOf(
      shape({
        name: isTopicName,
        partitions: (value) => isCount(value) || ['LEDGER_PARTITIONS', 'SPOT_PARTITIONS'].includes(value),
        what: isText,
        'direct?': isFlag,
      }),
    ),
    'the topics that it owns: { name, partitions, what, direct? }',
  ],
  writes: [listOf(isTopicName), 'the topics that it writes'],
  reads: [listOf(isTopicName), 'the topics that it reads'],
  ledger: [
    shape({ issuers: listOf(isName), forwards: listOf(isTopicName), 'demoOnly?': isFlag, 'sagas?': isFlag }),
    '{ issuers, forwards, demoOnly?, sagas? }: in whose name it sends commands to the ledger, ' +
      'where they may be passed on, and whether results come back by stream',
  ],
  asks: [listOf(isName), 'the services that it asks or calls'],
  needs: [listOf(oneOf(NEEDS)), `a list of ${NEEDS.join(', ')}`],
  secrets: [listOf(isText), 'the secrets of .env.example that its process takes'],
  'settings?': [listOf(isText), 'the settings of .env.example that its process reads and that may be left out'],
  seedMarks: [listOf(isText), 'the rows of its table meta that only a demo install has'],
  simulation: [isFlag, 'whether its src/simulation.ts takes part in the simulation'],
  faults: [listOf(oneOf(FAULTS)), `a list of ${FAULTS.join(', ')}`],
  deploy: [
    shape({
      'note?': isText,
      replicas: isCount,
      cpu: isText,
      memory: isText,
      memoryMax: isText,
      'memoryKept?': isFlag,
      'single?': isFlag,
      'scale?': shape({ by: oneOf(['cpu', 'lag']), most: isCount }),
      'apart?': shape({ secret: isText, note: isText, holds: listOf(isText) }),
    }),
    '{ note?, replicas, cpu, memory, memoryMax, memoryKept?, single?, scale?, apart? }; memoryKept: its data folder ' +
      'outlives its pod; single: it never runs twice; scale { by: cpu or lag, most }; apart { secret, note, holds } ' +
      'names a Kubernetes secret of its own',
  ],
};

/**
 * All manifests, in the order of their ports; `dir` is the folder from the root, `example` true for one of `examples/`.
 *
 * @throws Error with one sentence a line, for each thing that does not fit.
 */
export function readManifests(root = here) {
  const found = ['services', 'examples'].flatMap((group) =>
    readdirSync(join(root, group), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map((entry) => ({ folder: entry.name, dir: `${group}/${entry.name}`, example: group === 'examples' })),
  );
  const problems = [];
  const manifests = [];
  for (const { folder, dir, example } of found) {
    const file = join(root, dir, 'service.json');
    if (existsSync(file)) {
      const manifest = JSON.parse(readFileSync(file, 'utf8'));
      problems.push(
        ...[
          ...manifestProblems(manifest, folder),
          ...missingParts(manifest, (part) => existsSync(join(root, dir, part))),
        ].map((problem) => `${dir}/service.json: ${problem}`),
      );
      manifests.push({ ...manifest, dir, example });
    } else if (!example && existsSync(join(root, dir, 'package.json'))) problems.push(`${dir} has no service.json`);
  }
  if (problems.length === 0) problems.push(...problemsBetween(manifests));
  if (problems.length > 0) throw new Error(problems.join('\n'));
  return withResults(manifests).sort((one, other) => one.port - other.port);
}

/**
 * Adds what follows from `ledger.sagas`: a topic of results for each service that begins sagas. The owner of
 * `ledger.commands` owns and writes it, the service reads it.
 */
function withResults(manifests) {
  const topicOf = ({ name }) => `ledger.results.${name}`;
  const issuers = manifests.filter(({ ledger }) => ledger.sagas);
  return manifests.map((manifest) => {
    // The result topic of an example is declared by the example: no topic of a production exchange is made for it.
    const isOwner = manifest.topics.some(({ name }) => name === 'ledger.commands');
    const own = isOwner ? issuers.filter(({ example }) => !example) : [];
    const results = manifest.example && manifest.ledger.sagas ? [manifest] : own;
    return {
      ...manifest,
      topics: [
        ...manifest.topics,
        ...results.map((issuer) => ({
          name: topicOf(issuer),
          partitions: 1,
          what: `What became of the commands that the sagas of ${issuer.name} have sent.`,
        })),
      ],
      writes: [...manifest.writes, ...results.map(topicOf)],
      reads: [...manifest.reads, ...(manifest.ledger.sagas ? [topicOf(manifest)] : [])],
    };
  });
}

/** Returns the problems of one manifest. */
export function manifestProblems(manifest, folder) {
  const known = (key) => key in FIELDS || `${key}?` in FIELDS;
  const strange = Object.keys(manifest).filter((key) => !known(key));
  const wrong = Object.entries(FIELDS).filter(([field, [test]]) => {
    const value = manifest[field.replace('?', '')];
    return !(field.endsWith('?') && value === undefined) && !test(value);
  });
  return [
    ...strange.map((key) => `${key} is no field of a manifest`),
    ...wrong.map(([field, [, what]]) => `${field.replace('?', '')} must be ${what}`),
    ...(manifest.name === folder ? [] : [`name must be ${folder}, as its folder is called`]),
  ];
}

/**
 * Returns the missing parts that the manifest of a service declares or implies: a service that begins sagas is
 * simulated, so that its invariants are checked while processes die, and has planted mistakes that its tests must find.
 */
export function missingParts({ simulation, ledger }, exists) {
  const part = 'src/simulation.ts';
  return [
    ...(simulation && !exists(part) ? [`simulation is true, and there is no ${part}`] : []),
    ...(!simulation && exists(part) ? [`there is a ${part}, and simulation is false`] : []),
    ...(!simulation && ledger?.sagas ? ['simulation must be true: it begins sagas (docs/proofs/simulation.md)'] : []),
    ...(simulation && !exists('planted.mjs') ? ['it has no planted.mjs: mistakes its tests must find'] : []),
  ];
}

/** Returns conflicts between manifests: duplicate names, ports, schemas and topics, and references to missing ones. */
export function problemsBetween(manifests) {
  const problems = [];
  for (const field of ['name', 'port', 'schema']) {
    const values = manifests.map((manifest) => manifest[field]);
    for (const value of new Set(values.filter((one, index) => values.indexOf(one) !== index)))
      problems.push(`two services have the ${field} ${value}`);
  }
  const names = new Set(manifests.map(({ name }) => name));
  const owned = manifests.flatMap(({ topics }) => topics.map(({ name }) => name));
  for (const topic of new Set(owned.filter((one, index) => owned.indexOf(one) !== index)))
    problems.push(`two services own the topic ${topic}`);
  for (const { name, asks, writes, reads, ledger } of manifests) {
    for (const asked of asks) if (!names.has(asked)) problems.push(`${name} asks ${asked}, which is no service`);
    for (const topic of [...writes, ...reads, ...ledger.forwards])
      if (!owned.includes(topic)) problems.push(`${name} names the topic ${topic}, which nobody owns`);
  }
  if (manifests.filter(({ edge }) => edge).length !== 1) problems.push('exactly one service must be the edge');
  return problems;
}

/** The services of a production exchange. */
export const servicesOf = (manifests) => manifests.filter(({ example }) => !example);

/** The order in which services end: the edge first, the ledger last, the others from the youngest to the oldest. */
export function stopOrder(manifests) {
  const rank = ({ stops }) => (stops === 'first' ? 0 : stops === 'last' ? 2 : 1);
  return [...servicesOf(manifests)].sort((one, other) => rank(one) - rank(other) || other.port - one.port);
}

/** Which services a fault of `npm run faults` is tried on. */
export const withFault = (manifests, fault) =>
  servicesOf(manifests)
    .filter(({ faults }) => faults.includes(fault))
    .map(({ name }) => name);
