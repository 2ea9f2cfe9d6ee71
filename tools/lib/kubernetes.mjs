// Checks the files of Kubernetes without a cluster: kustomize and kubectl-validate, built by Go from the versions and
// hashes of tools/kubernetes, and the schemas of the operators' kinds. All of it is kept in .cache/kubernetes.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parse } from 'yaml';
import { cacheDir, cloneEnv, root } from './clone.mjs';
import { findGo, GO_COMPILES } from './go.mjs';
import { startProcess } from './processes.mjs';

const sources = join(root, 'tools', 'kubernetes');
const home = join(cacheDir, 'kubernetes');
/** Go compiles kubectl-validate for about three minutes of one core. */
const BUILD_MS_MAX = 20 * 60_000;

const PROGRAMS = {
  kustomize: 'sigs.k8s.io/kustomize/kustomize/v5',
  'kubectl-validate': 'sigs.k8s.io/kubectl-validate',
};
/** Modules that hold custom resource definitions, each with its hash as go.sum would have it, and where they lie. */
const DEFINITIONS = JSON.parse(readFileSync(join(sources, 'crds', 'modules.json'), 'utf8'));

const hashOf = (...files) => {
  const hash = createHash('sha256');
  for (const file of files) hash.update(readFileSync(file));
  return hash.digest('hex').slice(0, 12);
};
const programFile = (name) =>
  join(home, `${name}-${hashOf(join(sources, name, 'go.mod'), join(sources, name, 'go.sum'))}`);
const ownDefinitions = () => readdirSync(join(sources, 'crds')).map((file) => join(sources, 'crds', file));
const definitionsDir = () => join(home, `crds-${hashOf(...ownDefinitions())}`);

/**
 * Returns the paths of the programs and the schemas; fetches and builds what is absent, once for all processes.
 *
 * @returns {Promise<{ kustomize: string, validate: string, definitions: string }>}
 * @throws MissingPart if there is no Go.
 */
export async function kubernetesTools(onProgress = () => undefined) {
  const found = {
    kustomize: programFile('kustomize'),
    validate: programFile('kubectl-validate'),
    definitions: definitionsDir(),
  };
  const complete = () => Object.values(found).every(existsSync);
  if (complete()) return found;
  const go = findGo('1.24 or newer builds kustomize and kubectl-validate');
  mkdirSync(home, { recursive: true });
  await alone(join(home, 'building'), complete, async () => {
    onProgress('Building kustomize and kubectl-validate with Go, about four minutes of one core, once …');
    fetchDefinitions(go, found.definitions);
    for (const name of Object.keys(PROGRAMS)) await build(go, name);
  });
  return found;
}

/** Calls `run` in one process at a time; a second process waits until `done`, or takes over if the first has died. */
async function alone(lock, done, run) {
  for (const until = Date.now() + BUILD_MS_MAX; !done(); await delay(500)) {
    if (Date.now() > until) throw new Error(`What ${lock} names has not ended in ${BUILD_MS_MAX / 60_000} minutes`);
    try {
      writeFileSync(lock, String(process.pid), { flag: 'wx' });
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
      if (!lives(Number(readFileSync(lock, 'utf8')))) rmSync(lock, { force: true });
      continue;
    }
    try {
      await run();
      return;
    } finally {
      rmSync(lock, { force: true });
    }
  }
}

function lives(pid) {
  try {
    return pid > 0 && process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** Our own Go settings: those of the person may say another mode. */
const goEnv = () => cloneEnv({ ...GO_COMPILES, GOFLAGS: '-mod=readonly -trimpath', CGO_ENABLED: '0' });

async function build(go, name) {
  const target = programFile(name);
  if (existsSync(target)) return;
  const log = join(home, `${name}.log`);
  const building = `${target}.new-${process.pid}`;
  // Behind whatever else runs: the first suites are not to wait for it.
  const args = ['build', '-o', building, PROGRAMS[name]];
  const options = { name: `go-${name}`, cwd: join(sources, name), env: goEnv(), log, niceness: 10 };
  const handle = startProcess(go, args, options);
  const late = setTimeout(() => void handle.stop(5_000), BUILD_MS_MAX);
  const { code } = await handle.exited;
  clearTimeout(late);
  if (code !== 0) throw new Error(`Go could not build ${name}; its words are in ${log}`);
  renameSync(building, target);
}

/** Definitions of the operators: of Go modules by their hashes, and those that lie in tools/kubernetes/crds. */
function fetchDefinitions(go, target) {
  if (existsSync(target)) return;
  const building = `${target}.new-${process.pid}`;
  mkdirSync(building, { recursive: true });
  for (const { module, version, sum, files } of DEFINITIONS) {
    const told = spawnSync(go, ['mod', 'download', '-json', `${module}@${version}`], {
      cwd: building,
      env: { ...goEnv(), GOFLAGS: '' },
      encoding: 'utf8',
      timeout: 5 * 60_000,
    });
    const { Dir: dir, Sum: found, Error: error } = JSON.parse(told.stdout || '{}');
    if (error || !dir) throw new Error(`${module}@${version} could not be fetched: ${error ?? told.stderr}`);
    if (found !== sum) throw new Error(`${module}@${version} is not what it was: ${found} instead of ${sum}`);
    for (const file of files) copyFileSync(join(dir, file), join(building, file.split('/').pop()));
  }
  for (const file of ownDefinitions()) {
    const text = readFileSync(file, 'utf8');
    if (file.endsWith('strimzi.json'))
      for (const one of parse(text)) writeFileSync(join(building, `${one.metadata.name}.yaml`), JSON.stringify(one));
  }
  renameSync(building, target);
}
