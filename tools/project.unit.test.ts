import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from '@jest/globals';
import { Ajv2020 as Ajv } from 'ajv-2020/dist/2020.js';
import ts from 'typescript';
import { parse } from 'yaml';
import { isAllowed, licenceProblems, noticesOf, shipped, unnamed } from './lib/licences.mjs';
import { anchorsOf, brokenLinks, targetsOf } from './lib/links.mjs';
import { startKafka } from './lib/kafka.mjs';
import { HEADLESS_SHELL, packagesOf } from './lib/parts/system.mjs';
import { startRedis } from './lib/redis.mjs';
import { commandProblem, commandsIn } from './lib/spoken-commands.mjs';
import { manifests, releaseProblems, sectionOf } from './release.mjs';

interface Named {
  readonly name: string;
}
/** Of a tsconfig.json, what says how projects build on one another. */
interface Project {
  readonly references?: readonly { readonly path: string }[];
  readonly compilerOptions?: { readonly noEmit?: boolean };
}

const root = fileURLToPath(new URL('../', import.meta.url));
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const folder = mkdtempSync(join(tmpdir(), 'bourse-project-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
/** Files of the repository, as git knows them and as they lie here. */
const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  cwd: root,
  encoding: 'utf8',
})
  .split('\n')
  .filter(Boolean);
const named = (pattern: RegExp): string[] => files.filter((file) => pattern.test(file));
const written = (name: string, text: string): string => {
  const file = join(folder, name);
  writeFileSync(file, text);
  return file;
};

/** Suites that no job of a change runs: they run by changes of their sources, and in the full run of each night. */
const NIGHTLY_ALONE = ['faults', 'load'];
/** Suites that need a program which is installed by hand. */
const ON_REQUEST = ['bots'];
/** Names of the suites of `npm test`. */
const suites = [...read('tools/lib/suites/suites.mjs').matchAll(/^ {4}name: '([a-z]+)',/gm)].map(([, name]) => name!);

describe('workflows and pipelines', () => {
  const workflows = named(/^\.github\/workflows\/.*\.yml$/);

  test('all faults run by themselves, on both, with the history that the upgrade needs [PROJECT-012]', () => {
    const github = read('.github/workflows/faults.yml');
    expect(github).toMatch(/schedule:\n\s+- cron: /);
    expect(github).toMatch(/mode: \[embedded, distributed\]/);
    expect(github).toMatch(/fetch-depth: 0/);
    // Neither run alone takes the hours that a runner allows; one job of both would.
    expect(read('.gitlab-ci.yml')).toMatch(/MODE: \[embedded, distributed\]/);
    const [, gitlab = ''] = /^faults:\n((?: .*\n|\n)+)/m.exec(read('.gitlab-ci.yml')) ?? [];
    expect(gitlab).toContain('$CI_PIPELINE_SOURCE == "schedule"');
    expect(gitlab).toContain("GIT_DEPTH: '0'");
    for (const text of [github, gitlab]) {
      expect(text).toMatch(/npm run faults -- /);
      expect(text).not.toContain('--short');
    }
  });

  test('GitLab refuses a cache whose key is made of more than two files, so there is none [PROJECT-001]', () => {
    const keys = [...read('.gitlab-ci.yml').matchAll(/key: \{[^}]*files: \[([^\]]*)\]/g)].map(([, list]) =>
      list!.split(','),
    );
    expect(keys.length).toBeGreaterThan(1);
    expect(keys.filter((list) => list.length > 2)).toEqual([]);
  });

  test('a tag becomes the same image on GitHub and on GitLab [PROJECT-002]', () => {
    for (const file of ['.github/workflows/release.yml', '.gitlab-ci.yml']) {
      const text = read(file);
      expect(text).toContain('linux/amd64,linux/arm64');
      expect(text).toMatch(/sbom[:=] ?true/);
      expect(text).toContain('node tools/release.mjs check');
      // The client for programs is a file of the release.
      expect(text).toContain('npm run pack -w @bourse/sdk -- "$PWD"');
      expect(text).toContain('bourse-sdk-*.tgz');
    }
  });

  test('pipelines run .ci/run, with every suite of a change, and each night all suites [PROJECT-002]', () => {
    expect(suites.length).toBeGreaterThan(10);
    for (const file of ['.github/workflows/ci.yml', '.gitlab-ci.yml']) {
      const text = read(file);
      expect(text).toContain('.ci/run');
      expect(text).toContain('BOURSE_SERVERS: containers');
      const run = [...text.matchAll(/(?:suites|SUITES): (.+)/g)].flatMap(([, list]) => list!.split(' '));
      expect(suites.filter((suite) => !run.includes(suite))).toEqual([...NIGHTLY_ALONE, ...ON_REQUEST]);
    }
    for (const file of ['.github/workflows/full.yml', '.gitlab-ci.yml'])
      expect(read(file)).toMatch(/npm run --silent test:full/);
  });

  test('.ci/run on GitHub runs as root, as the image test needs [PROJECT-002]', () => {
    const lines = workflows.flatMap((file) => read(file).split('\n')).filter((line) => /^[^#]*\.ci\/run/.test(line));
    expect(lines.length).toBeGreaterThan(2);
    expect(lines.filter((line) => !/\b(?:sudo|as_root) /.test(line))).toEqual([]);
  });
});

test('every image, Go module and jar that a file names is checked for updates [PROJECT-010]', () => {
  const { updates } = parse(read('.github/dependabot.yml')) as {
    updates: { 'package-ecosystem': string; directory?: string; directories?: string[] }[];
  };
  const watched = (ecosystem: string): string[] =>
    updates
      .filter((one) => one['package-ecosystem'] === ecosystem)
      .flatMap((one) => one.directories ?? [one.directory!])
      .sort();
  const foldersOf = (list: readonly string[]): string[] => [...new Set(list.map((file) => `/${dirname(file)}`))].sort();
  const images = named(/^k8s\/.*\.yaml$/).filter((file) => /^\s*(?:image|imageName): (?!bourse$)\S/m.test(read(file)));
  expect(images.length).toBeGreaterThan(3);
  expect(watched('docker')).toEqual(foldersOf([...named(/(^|\/)Dockerfile$/), ...images]));
  expect(watched('gomod')).toEqual(foldersOf(named(/(^|\/)go\.mod$/)));
  // Other people's books are measured at versions that the page of benchmarks names.
  const jars = named(/(^|\/)pom\.xml$/).filter((file) => !file.startsWith('loadtest/book/peers/'));
  expect(watched('maven')).toEqual(foldersOf(jars));
});

/** The properties of containers.dev for a container that is built by a Dockerfile, as far as ours may use them. */
const DEVCONTAINER = {
  type: 'object',
  properties: {
    name: { type: 'string' },
    build: {
      type: 'object',
      properties: { dockerfile: { type: 'string' }, context: { type: 'string' }, args: { type: 'object' } },
      required: ['dockerfile'],
      additionalProperties: false,
    },
    forwardPorts: { type: 'array', items: { type: ['integer', 'string'] } },
    portsAttributes: { type: 'object', additionalProperties: { type: 'object' } },
    postCreateCommand: { type: ['string', 'array', 'object'] },
    remoteUser: { type: 'string' },
    customizations: { type: 'object' },
  },
  required: ['build'],
  additionalProperties: false,
};

test('the devcontainer is a valid one, with the Node and the programs that npm test fetches [PROJECT-011]', () => {
  const check = new Ajv({ strict: false, allowUnionTypes: true }).compile(DEVCONTAINER);
  const told = JSON.parse(read('.devcontainer/devcontainer.json')) as { build: { dockerfile: string } };
  expect(check(told) ? [] : check.errors).toEqual([]);
  expect(check({ ...told, postCreateComand: 'npm ci' })).toBe(false);
  const dockerfile = read(`.devcontainer/${told.build.dockerfile}`);
  expect(/^FROM node:(\d+)-/m.exec(dockerfile)?.[1]).toBe(read('.nvmrc').trim());
  const wanted = [...packagesOf(['Chromium', 'Redis', 'Java', 'Go', 'Python'], 'apt'), HEADLESS_SHELL];
  const brought = /apt-get install ([^&]+)/.exec(dockerfile)?.[1]?.split(/[\s\\]+/) ?? [];
  expect(wanted.filter((name) => !brought.includes(name))).toEqual([]);
});

test('BOURSE_SERVERS=containers takes neither Redis nor Kafka of this machine [PROJECT-003]', async () => {
  const wanted = { BOURSE_SERVERS: 'containers', DOCKER_HOST: 'tcp://127.0.0.1:1' };
  const before = { ...process.env };
  Object.assign(process.env, wanted);
  try {
    await expect(startRedis({ given: '', logDir: folder } as never)).rejects.toThrow('Redis is missing');
    await expect(startKafka({ given: '', dataDir: folder, logDir: folder } as never)).rejects.toThrow(
      /Kafka is missing[^]*BOURSE_SERVERS wants containers/,
    );
  } finally {
    for (const name of Object.keys(wanted))
      if (before[name] === undefined) Reflect.deleteProperty(process.env, name);
      else process.env[name] = before[name];
  }
});

describe('licences', () => {
  const lock = JSON.parse(read('package-lock.json')) as { packages: Record<string, object> };

  test('everything that ships is under an allowed licence [PROJECT-004]', () => {
    expect(shipped(lock).length).toBeGreaterThan(100);
    expect(licenceProblems(lock)).toEqual([]);
  });

  test('the notices name everything that ships: npm run release -- notices [PROJECT-004]', () => {
    const notices = read('THIRD_PARTY_NOTICES.md');
    expect(unnamed(lock, notices)).toEqual([]);
    // Swagger UI is served as one file, with the code of others in it.
    const bundled = read('node_modules/swagger-ui-dist/swagger-ui-bundle.js.LICENSE.txt').trim();
    expect(notices).toContain(bundled.replaceAll('\r\n', '\n'));
    expect(notices).toContain(read('node_modules/swagger-ui-dist/NOTICE').trim());
  });

  test('finds packages that need a newer Node, or name none; packages of tests are not checked [PROJECT-004]', () => {
    const packages = {
      'node_modules/free': { version: '1.0.0', license: 'GPL-3.0-only' },
      'node_modules/silent': { version: '2.0.0' },
      'node_modules/fine': { version: '3.0.0', license: '(GPL-2.0-only OR MIT)' },
      'node_modules/tool': { version: '4.0.0', license: 'GPL-3.0-only', dev: true },
    };
    expect(licenceProblems({ packages })).toEqual([
      'free@1.0.0 is under GPL-3.0-only',
      'silent@2.0.0 is under no licence that it names',
    ]);
    expect(unnamed({ packages }, noticesOf({ packages }, folder))).toEqual([]);
    expect(unnamed({ packages }, '')).toHaveLength(3);
    expect(isAllowed('LGPL-3.0-or-later', '@img/sharp-libvips-linux-x64')).toBe(true);
    expect(isAllowed('LGPL-3.0-or-later', 'another')).toBe(false);
  });

  test('every package has a description, a licence and a repository [PROJECT-005]', () => {
    const all = manifests().map((path) => [path, JSON.parse(read(path)) as Record<string, unknown>] as const);
    expect(all.filter(([, { license }]) => license !== 'MIT').map(([path]) => path)).toEqual([]);
    for (const field of ['description', 'repository', 'bugs', 'homepage']) expect(all[0]![1]).toHaveProperty(field);
    const { url } = all[0]![1]['repository'] as { url: string };
    for (const [path, { description, repository }] of all.slice(1)) {
      expect([path, description]).toEqual([path, expect.stringMatching(/^[A-Z].{20,100}[^.]$/)]);
      expect([path, repository]).toEqual([path, { type: 'git', url, directory: dirname(path) }]);
    }
    expect(new Set(all.map(([, { description }]) => description)).size).toBe(all.length);
  });
});

describe('a release', () => {
  const ready = {
    versions: { 'package.json': '1.2.0', 'libs/money/package.json': '1.2.0' },
    changelog: '# Changelog\n\n## Unreleased\n\n## 1.2.0 (2030-01-02)\n\n- New.\n\n## 1.1.0 (2030-01-01)\n\n- Old.\n',
    lock: { packages: {} },
    notices: '',
    api: {
      baseline: { version: '1.2.0', released: '2030-01-02', sha256: { 'openapi.json': 'a' } },
      digests: { 'openapi.json': 'a' },
      changed: [] as string[],
    },
  };

  test('agrees between tree, changelog and tag [PROJECT-006]', () => {
    expect(releaseProblems('v1.2.0', ready)).toEqual([]);
    expect(sectionOf(ready.changelog, '1.2.0')).toBe('- New.');
    expect(releaseProblems('1.2.0', ready)).toEqual(['1.2.0 is no tag of a version: vX.Y.Z']);
    expect(releaseProblems('v1.3.0', ready)).toHaveLength(4);
  });

  test('has made its interface documents the ones that the next is compared with [PROJECT-006]', () => {
    const { api } = ready;
    const before = { ...api.baseline, version: '1.1.0', released: '2030-01-01' };
    expect(releaseProblems('v1.2.0', { ...ready, api: { ...api, baseline: before } })).toEqual([
      'docs/api/released/release.json is of 1.1.0, 2030-01-01: npm run api -- --release',
    ]);
    expect(releaseProblems('v1.2.0', { ...ready, api: { ...api, changed: ['asyncapi.json'] } })).toEqual([
      'docs/api/asyncapi.json is not the released one: npm run api -- --release',
    ]);
    expect(releaseProblems('v1.2.0', { ...ready, api: { ...api, digests: { 'openapi.json': 'b' } } })).toEqual([
      'docs/api/released/openapi.json is not the one of 1.2.0: only a release writes it',
    ]);
  });
});

describe('pages', () => {
  test('every link leads to a file and a heading that are there [PROJECT-007]', () => {
    const pages = named(/\.md$/).filter((file) => file !== 'THIRD_PARTY_NOTICES.md');
    expect(pages.length).toBeGreaterThan(50);
    expect(pages.flatMap((file) => brokenLinks(root, file).map((target) => `${file}: ${target}`))).toEqual([]);
  });

  test('a broken link is found, except in code [PROJECT-007]', () => {
    written('page.md', '# One *two*\n[a](#one-two) [b](#three) [c](gone.md) `[d](e.md)`\n```\n[f](g.md)\n```\n');
    expect(brokenLinks(folder, 'page.md')).toEqual(['#three', 'gone.md']);
    expect(targetsOf('[x](https://example.org) ![y](z.png "w")')).toEqual(['z.png']);
    expect([...anchorsOf('# A `b` c, d\n## Same\n## Same')]).toEqual(['a-b-c-d', 'same', 'same-1']);
  });

  test('every command that a page names is there, with the options it is given [PROJECT-009]', () => {
    interface Manifest {
      readonly name: string;
      readonly scripts?: Readonly<Record<string, string>>;
      readonly bin?: Readonly<Record<string, string>>;
    }
    const packages = manifests().map((path) => [dirname(path), JSON.parse(read(path)) as Manifest] as const);
    const known = {
      suites,
      scripts: packages[0]![1].scripts ?? {},
      parts: Object.fromEntries(
        packages.flatMap(([folder, { name, scripts = {} }]) => [folder, name].map((one) => [one, scripts])),
      ),
      bins: Object.fromEntries(
        packages.flatMap(([folder, { bin = {} }]) =>
          Object.entries(bin).map(([name, path]) => [name, join(folder, path)]),
        ),
      ),
    };
    const problemsOf = (page: string, text: string): string[] =>
      commandsIn(text).flatMap((command) => commandProblem(root, page, command, known) ?? []);
    // Decisions and changes refer to their own time; the sources are third-party texts.
    const pages = named(/\.md$/).filter(
      (file) => !/^(CHANGELOG|THIRD_PARTY_NOTICES)|^docs\/(contract\/sources|decisions|coverage)/.test(file),
    );
    expect(pages.flatMap((page) => commandsIn(read(page))).length).toBeGreaterThan(150);
    expect(pages.flatMap((page) => problemsOf(page, read(page)).map((problem) => `${page}: ${problem}`))).toEqual([]);
    const wrong = [
      ...['`npx bourse restart`', '`bourse operator remove eve`', '`npx bourse reconcile --force`', '`npm run deploy`'],
      ...[
        '`npm test -- everything`',
        '`npm run loadtest -- storm`',
        '`npm run audit -- --deep`',
        '`node tools/no.mjs`',
      ],
      ...[
        '`npx bourse-verify x.json --trust`',
        '`kubectl apply -k k8s/overlays/moon`',
        '`npm run serve -w apps/console`',
      ],
    ];
    expect(wrong.filter((text) => problemsOf('README.md', text).length !== 1)).toEqual([]);
  });

  test('the project speaks of itself alone: no path of a machine [PROJECT-008]', () => {
    const spoken = named(
      /^(\.github|\.devcontainer|\.gitlab-ci\.yml|[A-Z_]+\.md$|docs\/(releasing|troubleshooting)\.md)/,
    );
    const foreign = spoken
      .filter((file) => file !== 'THIRD_PARTY_NOTICES.md')
      .filter((file) => /(?:^|[\s("'`])\/(?:home|root|Users|work|tmp)\//m.test(read(file)));
    expect(foreign).toEqual([]);
  });

  // The native compiler builds projects side by side: without the reference one may come before what it needs.
  test('a project refers to every project whose types it imports [PROJECT-013]', () => {
    const built = named(/^(libs|services|apps|examples)\/[^/]+\/tsconfig\.json$/)
      .map((file) => ({ dir: dirname(file), config: ts.parseConfigFileTextToJson(file, read(file)).config as Project }))
      .filter(({ config }) => config.references && !config.compilerOptions?.noEmit);
    const dirs = new Map(built.map(({ dir }) => [(JSON.parse(read(`${dir}/package.json`)) as Named).name, dir]));
    const missing = built.flatMap(({ dir, config }) => {
      const known = new Set(config.references?.map(({ path }) => join(dir, path)));
      const imported = files
        .filter((file) => file.startsWith(`${dir}/src/`) && file.endsWith('.ts'))
        .flatMap((file) =>
          [...read(file).matchAll(/(?:from|import\()\s*'(@bourse\/[\w-]+)/g)].map(([, name]) => name!),
        );
      return [...new Set(imported)]
        .filter((name) => dirs.has(name) && dirs.get(name) !== dir && !known.has(dirs.get(name)!))
        .map((name) => `${dir} imports ${name}`);
    });
    expect(dirs.size).toBeGreaterThan(20);
    expect(missing).toEqual([]);
  });

  test('the Node of .nvmrc is the one that packages want [PROJECT-005]', () => {
    const { engines } = JSON.parse(read('package.json')) as { engines: { node: string } };
    expect(engines.node).toMatch(new RegExp(`^>=${read('.nvmrc').trim()}\\.`));
  });
});
