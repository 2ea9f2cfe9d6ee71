import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { describe, expect, test } from '@jest/globals';
import { TOPICS } from '@bourse/events';

interface Manifest {
  readonly [field: string]: unknown;
  readonly name: string;
}
interface Manifests {
  readManifests(root?: string): readonly Manifest[];
  manifestProblems(manifest: object, folder: string): readonly string[];
  missingParts(manifest: object, exists: (part: string) => boolean): readonly string[];
  problemsBetween(manifests: readonly object[]): readonly string[];
  stopOrder(manifests: readonly object[]): readonly Manifest[];
  servicesOf(manifests: readonly Manifest[]): readonly Manifest[];
}
type FileMaker = (text: string, services: readonly Manifest[]) => string;
interface Generated {
  staleFiles(root?: string): Promise<readonly { readonly file: string }[]>;
  generatedNames(root?: string): readonly string[];
}
const root = fileURLToPath(new URL('../../', import.meta.url));
const load = async <T>(file: string): Promise<T> => (await import(pathToFileURL(join(root, file)).href)) as T;
const { readManifests, manifestProblems, missingParts, problemsBetween, stopOrder, servicesOf } =
  await load<Manifests>('tools/lib/manifests.mjs');
const { prometheusFile, alertFile, alertTestFile } = await load<
  Readonly<Record<'prometheusFile' | 'alertFile' | 'alertTestFile', FileMaker>>
>('tools/lib/services/scrapes.mjs');
const { composeLogins } = await load<{ composeLogins(services: readonly Manifest[]): string }>(
  'tools/lib/services/compose.mjs',
);
const { staleFiles, generatedNames } = await load<Generated>('tools/lib/generated.mjs');

const manifest = (name: string, changes: object = {}): object => ({
  ...(JSON.parse(readFileSync(join(root, 'services/notices/service.json'), 'utf8')) as object),
  name,
  schema: name,
  port: 9000 + name.length,
  // A topic has one owner.
  topics: [],
  writes: ['reference'],
  reads: ['reference'],
  asks: [],
  ...changes,
});
/** Sources of a folder: no tests, nothing generated, no migrations, which never change, and no addresses of screens. */
const sourcesOf = (folder: string): string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter(
      (file) =>
        /\.ts$/.test(file) && !/\.test\.ts$|\.generated\.ts$|gateway-database\.ts$|terminal-addresses/.test(file),
    )
    .map((file) => `${folder}/${file}`);
/** A source without its comments, which show patterns too. */
const textOf = (file: string): string => readFileSync(join(root, file), 'utf8').replace(/\/\*[^]*?\*\//g, '');
/** Topics that a text takes from the log: by patterns of events, or by the log itself. */
const takenIn = (text: string): string[] =>
  [
    ...text.matchAll(/@EventPattern\(\s*TOPICS\.(\w+)/g),
    ...text.matchAll(/\blog\s*\.(?:consume|watch|follow|read|own)\(\{[^]{0,200}?\btopic: TOPICS\.(\w+)/g),
  ].map(([, name]) => TOPICS[name as keyof typeof TOPICS]);
/** The Nest modules of the libraries that take a topic for the service which imports them. */
const TAKING = ['libs/messaging/src', 'libs/ledger-client/src', 'libs/settings/src']
  .flatMap(sourcesOf)
  .map(textOf)
  .flatMap((text) => {
    const topics = takenIn(text);
    return topics.length === 0
      ? []
      : [...text.matchAll(/export class (\w+Module)\b/g)].map(([, name]) => ({ name, topics }));
  });
/** Topics that a service takes by its sources, without results of sagas, which its manifest names by `sagas`. */
const takenBy = (dir: string): string[] => {
  const texts = sourcesOf(`${dir}/src`)
    .filter((file) => !file.includes('/simulation'))
    .map(textOf);
  const byModules = TAKING.filter(({ name }) => texts.some((text) => text.includes(`${name}.for`)));
  return [...new Set([...texts.flatMap(takenIn), ...byModules.flatMap(({ topics }) => topics)])].sort();
};
const isComment = (text: string): boolean => /^\s*(\/\/|\*|\/\*)/.test(text);

const edge = manifest('front', { edge: true, topics: [{ name: 'reference', partitions: 1, what: 'Rows.' }] });

describe('manifests of the services', () => {
  test('every generated file follows from them [SERVICE-001]', async () => {
    const stale = await staleFiles(root);
    expect(stale.map(({ file }) => file)).toEqual([]);
  }, 60_000);

  test('a new service is scraped, has an alert where it is not, and a login in the containers [SERVICE-001]', () => {
    const services = [...servicesOf(readManifests()), manifest('gifts', { port: 8099 }) as Manifest];
    const file = (name: string): string => readFileSync(join(root, 'deploy/prometheus', name), 'utf8');
    expect(prometheusFile(file('prometheus.yml'), services)).toContain(
      "['gifts:8099']\n        labels: { service: gifts }",
    );
    expect(alertFile(file('alerts.yml'), services)).toContain('absent(up{job="bourse",service="gifts"}) or\n');
    expect(alertTestFile(file('alerts.test.yml'), services).match(/service="gifts"/g)).toHaveLength(2);
    expect(composeLogins(services)).toContain('"gifts":"bourse-gifts"');
  });

  test('a manifest has every field and no other [SERVICE-002]', () => {
    expect(manifestProblems(manifest('news'), 'news')).toEqual([]);
    expect(manifestProblems(manifest('news'), 'other')).toEqual(['name must be other, as its folder is called']);
    expect(manifestProblems(manifest('news', { asks: undefined }), 'news')).toEqual([
      'asks must be the services that it asks or calls',
    ]);
    expect(manifestProblems(manifest('news', { prot: 1 }), 'news')).toEqual(['prot is no field of a manifest']);
    expect(manifestProblems(manifest('news', { port: '8080' }), 'news')).toEqual(['port must be its internal port']);
    expect(manifestProblems(manifest('news', { reads: ['reference', 'reference'] }), 'news')).toHaveLength(1);
    expect(manifestProblems(manifest('news', { ledger: { issuers: ['x'] } }), 'news')).toHaveLength(1);
  });

  test('a service that begins sagas is simulated, and has planted mistakes [SERVICE-008]', () => {
    const sagas = { issuers: ['news'], forwards: [], sagas: true };
    const lacks = (changes: object, ...parts: string[]): readonly string[] =>
      missingParts(manifest('news', changes), (part) => parts.includes(part));
    expect(lacks({})).toEqual([]);
    expect(lacks({ ledger: sagas })).toEqual(['simulation must be true: it begins sagas (docs/proofs/simulation.md)']);
    expect(lacks({ ledger: sagas, simulation: true })).toEqual([
      'simulation is true, and there is no src/simulation.ts',
      'it has no planted.mjs: mistakes its tests must find',
    ]);
    expect(lacks({}, 'src/simulation.ts')).toEqual(['there is a src/simulation.ts, and simulation is false']);
    expect(lacks({ ledger: sagas, simulation: true }, 'src/simulation.ts', 'planted.mjs')).toEqual([]);
  });

  test('manifests agree with one another [SERVICE-003]', () => {
    const between = (...more: object[]): readonly string[] =>
      problemsBetween([edge, ...more].map((one) => ({ ...one, reads: [] })));
    expect(between(manifest('news'))).toEqual([]);
    expect(between(manifest('news', { port: 9005 }))).toEqual(['two services have the port 9005']);
    expect(between(manifest('news', { schema: 'front' }))).toEqual(['two services have the schema front']);
    expect(between(manifest('news', { asks: ['nobody'] }))).toEqual(['news asks nobody, which is no service']);
    expect(between(manifest('news', { writes: ['no.topic'] }))).toEqual([
      'news names the topic no.topic, which nobody owns',
    ]);
    expect(between({ ...edge, name: 'other', schema: 'other', port: 1, topics: [] })).toEqual([
      'exactly one service must be the edge',
    ]);
  });

  /** Words of single products: what these parts do with them is data of libs/contract or of a description. */
  const PRODUCTS = ['c2c', 'lever', 'micro', 'savings', 'insurance', 'legal', 'acceptor'];
  /** Declarations of asks are data: each names its owner and the services that ask it. */
  const DECLARED = 'libs/messaging/src/asks/declared/';
  const FOLDERS = ['services/gateway', 'libs/platform', 'libs/messaging', 'libs/persistence', 'apps/simulation'];
  test.each(FOLDERS.map((folder) => `${folder}/src`))(
    '%s knows no service and no product by name [SERVICE-006]',
    (folder) => {
      const names = readManifests().flatMap(({ name, edge: isEdge }) => (isEdge ? [] : [name]));
      // All are built on who signs people in, and texts have its name, too; sessions of the points exchange are a kind
      // of caller (api §2.1).
      const foreign = names.filter((name) => name !== 'auth' && name !== 'points');
      const word = new RegExp(`['"\`](${[...foreign, ...PRODUCTS].join('|')})(['"\`]|\\.[a-z])`);
      const files = sourcesOf(folder).filter((file) => !file.startsWith(DECLARED));
      const found = files.flatMap((file) =>
        readFileSync(join(root, file), 'utf8')
          .split('\n')
          .flatMap((text, index) =>
            word.test(text) && !isComment(text) ? [`${file}:${index + 1}: ${text.trim()}`] : [],
          ),
      );
      expect(found).toEqual([]);
    },
  );

  test('no more than five files that people write name the example [SERVICE-007]', () => {
    const written = ['docs', 'libs', 'services', 'apps', 'tools', 'k8s', 'deploy'].flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
        .filter(
          (file) => /\.(ts|tsx|mjs|json|ya?ml|md)$/.test(file) && !/(^|\/)(dist|node_modules)\/|\.test\.ts$/.test(file),
        )
        .map((file) => `${folder}/${file}`),
    );
    const generated = new Set(generatedNames(root));
    // Its own page of proofs, the recipe, the page of coverage, which a tool writes, and what tells of the example
    // itself are no part of adding a service.
    const own = /^docs\/(proofs\/service-template|adding-a-service|glossary|coverage)\.md$/;
    const touched = [...written, 'package.json', 'README.md', 'CHANGELOG.md'].filter(
      (file) =>
        !generated.has(file) && !own.test(file) && readFileSync(join(root, file), 'utf8').includes('service-template'),
    );
    expect(touched.sort()).toEqual([
      'CHANGELOG.md',
      'apps/terminal/src/paths.ts',
      'docs/proofs/planted-defects.md',
      'libs/contract/src/push.ts',
      'libs/events/src/ledger/issuers.ts',
    ]);
  });

  test('the manifest of a service lists the topics that its sources read [SERVICE-010]', () => {
    expect(TAKING.map(({ name, topics }) => `${name} ${topics.join()}`).sort()).toEqual([
      'MarkPricesModule market.ticks',
      'ReferenceModule reference',
    ]);
    // Records of a topic that the manifest does not list are rejected as forged: the service has no right to read it.
    const lacking = readManifests().flatMap(({ name, dir, reads }) =>
      takenBy(dir as string)
        .filter((topic) => !(reads as string[]).includes(topic))
        .map((topic) => `${name} takes ${topic}, and its manifest does not say that it reads it`),
    );
    expect(lacking).toEqual([]);
    expect(readManifests().reduce((sum, { dir }) => sum + takenBy(dir as string).length, 0)).toBeGreaterThan(20);
  });

  test('services end with the edge first and the ledger last [SERVICE-004]', () => {
    const order = stopOrder(readManifests()).map(({ name }) => name);
    expect(order[0]).toBe('gateway');
    expect(order.at(-1)).toBe('wallet-ledger');
  });
});
