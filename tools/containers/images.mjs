// Images for `npm test -- containers`: pulled by the names in the project's files. Where no registry of images can be
// reached, they are made under the same names, by the recipes in `images/` out of Debian's packages and of parts that
// the project has already: Node, npm, the jars of Kafka.
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { node24 } from '../lib/clone.mjs';
import { findGo, GO_COMPILES } from '../lib/go.mjs';
import { fetchKafka, KAFKA_JARS } from '../lib/kafka-jars.mjs';
import { MissingPart } from '../lib/missing.mjs';
import { onPath } from '../lib/processes.mjs';
import { docker, madeDir, tryDocker } from './engine.mjs';

const recipes = fileURLToPath(new URL('images/', import.meta.url));
const BASE = 'bourse-made/debian';
/** The release of Debian that has PostgreSQL 18, Prometheus 3.5 and Compose 2. */
const RELEASE = 'forky';
const NPM = 'npm@11.19.1';
const MAILPIT = 'github.com/axllent/mailpit@v1.27.11';
const PULL_MS_MAX = 10 * 60_000;

/** The parts beside its recipe that an image is made of. */
const PARTS = {
  node: (folder) => {
    cpSync(realpathSync(node24), join(folder, 'node'));
    run('npm', ['pack', '--silent', NPM], { cwd: folder });
    run('tar', ['-xzf', `${NPM.replace('@', '-')}.tgz`], { cwd: folder });
    cpSync(join(folder, 'package'), join(folder, 'npm'), { recursive: true });
    const authorities = process.env.NODE_EXTRA_CA_CERTS;
    writeFileSync(join(folder, 'authorities.crt'), authorities ? readFileSync(authorities) : '');
  },
  kafka: async (folder) => {
    await fetchKafka();
    cpSync(KAFKA_JARS, join(folder, 'jars'), { recursive: true });
  },
  mailpit: (folder) => {
    const built = join(madeDir, MAILPIT.replaceAll(/[^\w.]/g, '-'));
    if (!existsSync(join(built, 'mailpit')))
      run(findGo('mailpit is built by it'), ['install', '-ldflags', '-s -w', MAILPIT], {
        env: { ...GO_COMPILES, GOBIN: built, CGO_ENABLED: '0', GOFLAGS: '-modcacherw' },
      });
    cpSync(join(built, 'mailpit'), join(folder, 'mailpit'));
  },
};

function run(program, args, { env, ...options } = {}) {
  const { status, stdout, stderr, error } = spawnSync(program, args, {
    encoding: 'utf8',
    ...options,
    env: { ...process.env, ...env },
  });
  if (status !== 0) throw new Error(`${program} ${args.join(' ')} failed: ${error?.message ?? stderr.slice(-2_000)}`);
  return stdout;
}

const isThere = (image) => tryDocker(['image', 'inspect', image]).ok;

/** The folder of the recipe for an image: the last part of its name. */
const recipeOf = (image) => /([\w-]+)(?::[^/]*)?$/.exec(image)[1];

/**
 * Brings images to the engine: pulls them, or makes them where nothing can be pulled.
 *
 * @param {readonly string[]} names
 * @param {(text: string) => void} onProgress
 * @returns {Promise<{ made: string[], missing: string[] }>} `missing`: those that could neither be pulled nor made
 */
export async function bringImages(names, onProgress) {
  const made = [];
  const missing = [];
  let canPull = true;
  for (const name of names.filter((one) => !isThere(one))) {
    if (canPull && tryDocker(['pull', '--quiet', name], { timeout: PULL_MS_MAX }).ok) continue;
    if (canPull) onProgress(`${name} cannot be pulled: images are made of packages.`);
    canPull = false;
    if (!existsSync(join(recipes, recipeOf(name)))) missing.push(name);
    else {
      onProgress(`Making ${name} …`);
      await makeImage(recipeOf(name), name);
      made.push(name);
    }
  }
  return { made, missing };
}

/** Makes an image by its recipe and gives its name. */
export async function makeImage(recipe, name = `bourse-made/${recipe}`) {
  const folder = mkdtempSync(join(tmpdir(), 'bourse-image-'));
  try {
    cpSync(join(recipes, recipe), folder, { recursive: true });
    if (readFileSync(join(folder, 'Containerfile'), 'utf8').includes(BASE) && !isThere(BASE)) makeBase();
    await PARTS[recipe]?.(folder);
    buildImage(['-f', join(folder, 'Containerfile'), '-t', name, folder]);
    return name;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * `docker build` over the host's network, because a network of containers may not reach the registries of packages.
 * The client without buildx has the older builder alone.
 */
export function buildImage(args) {
  const hasBuildx = tryDocker(['buildx', 'version']).ok;
  return docker(['build', '--quiet', '--network', 'host', ...args], {
    env: { DOCKER_BUILDKIT: hasBuildx ? '1' : '0' },
  });
}

/** @throws MissingPart where this process may not install it */
function installDebootstrap() {
  if (onPath('debootstrap')) return;
  try {
    run('apt-get', ['install', '-y', '--no-install-recommends', 'debootstrap']);
  } catch (error) {
    const reason = `no image can be pulled, so they are made: ${error.message}`;
    throw new MissingPart('debootstrap', 'apt-get install debootstrap', reason);
  }
}

/** The root file system that the recipes begin with: a minimal Debian from where this machine gets its packages. */
function makeBase() {
  installDebootstrap();
  const made = mkdtempSync(join(tmpdir(), 'bourse-debian-'));
  try {
    const source = run('apt-get', ['indextargets', '--format', '$(REPO_URI)', 'Created-By: Packages'])
      .split('\n')
      .find((address) => /\/debian\/?$/.test(address));
    if (!source) throw new Error('apt names no archive of Debian.');
    const root = join(made, 'root');
    run('debootstrap', ['--variant=minbase', RELEASE, root, source, '/usr/share/debootstrap/scripts/sid']);
    for (const folder of ['cache/apt/archives', 'lib/apt/lists']) {
      rmSync(join(root, 'var', folder), { recursive: true });
      mkdirSync(join(root, 'var', folder, 'partial'), { recursive: true });
    }
    // As this machine judges the age of its sources.
    const settings = run('apt-config', ['dump']).match(/^Acquire::Check-.*$/gm) ?? [];
    writeFileSync(join(root, 'etc', 'apt', 'apt.conf.d', '50machine'), `${settings.join('\n')}\n`);
    const archive = join(made, 'root.tar');
    run('tar', ['-C', root, '-cf', archive, '.']);
    docker(['import', archive, BASE]);
  } finally {
    rmSync(made, { recursive: true, force: true });
  }
}
