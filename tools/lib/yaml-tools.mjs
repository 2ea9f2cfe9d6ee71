// Checks workflows and forms: actionlint out of its Go module, and check-jsonschema, which brings the schemas of
// GitHub, GitLab and others, out of its Python package. Both are fetched once into .cache/tools.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { cacheDir } from './clone.mjs';
import { findGo, GO_COMPILES } from './go.mjs';

const ACTIONLINT = '1.7.12';
const CHECK_JSONSCHEMA = '0.39.0';
const tools = join(cacheDir, 'tools');

function run(program, args, options = {}) {
  const done = spawnSync(program, args, { encoding: 'utf8', ...options });
  if (done.error) throw new Error(`${program} could not be run: ${done.error.message}`);
  return done;
}

function need(program, args, options) {
  const done = run(program, args, options);
  if (done.status !== 0) throw new Error(`${program} ${args.join(' ')}\n${done.stderr}${done.stdout}`);
}

/** Path of actionlint. */
export function actionlint() {
  const folder = join(tools, `actionlint-${ACTIONLINT}`);
  const program = join(folder, 'actionlint');
  if (existsSync(program)) return program;
  mkdirSync(folder, { recursive: true });
  need(findGo('actionlint is built by it'), ['install', `github.com/rhysd/actionlint/cmd/actionlint@v${ACTIONLINT}`], {
    env: { ...process.env, ...GO_COMPILES, GOPATH: join(tools, 'go'), GOBIN: folder, GOFLAGS: '-modcacherw' },
  });
  return program;
}

/** The folder of Python packages that holds check-jsonschema. */
export function jsonschemaFolder() {
  const folder = join(tools, `check-jsonschema-${CHECK_JSONSCHEMA}`);
  if (existsSync(folder)) return folder;
  const building = `${folder}.new-${process.pid}`;
  rmSync(building, { recursive: true, force: true });
  need('python3', ['-m', 'pip', 'install', '-q', '--target', building, `check-jsonschema==${CHECK_JSONSCHEMA}`]);
  renameSync(building, folder);
  return folder;
}

/** Returns the problems that check-jsonschema finds in files by one of its schemas; '' if there are none. */
export function schemaProblems(schema, files) {
  const env = { ...process.env, PYTHONPATH: jsonschemaFolder() };
  const done = run('python3', ['-m', 'check_jsonschema', '--builtin-schema', schema, ...files], { env });
  return done.status === 0 ? '' : `${done.stdout}${done.stderr}`;
}

/** Returns the problems that actionlint finds in a workflow; '' if there are none. */
export function workflowProblems(files) {
  // Scripts of steps are not checked: shellcheck is not on every machine, and the result must not depend on it.
  const done = run(actionlint(), ['-no-color', '-shellcheck=', '-pyflakes=', ...files]);
  return done.status === 0 ? '' : `${done.stdout}${done.stderr}`;
}
