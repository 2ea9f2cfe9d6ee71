// k6, built once from its Go module into .cache/bench.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cacheDir, progress, runLogged } from '../../tools/lib/clone.mjs';
import { findGo, GO_COMPILES } from '../../tools/lib/go.mjs';
import { onPath, startProcess } from '../../tools/lib/processes.mjs';
import { cpuSeconds } from './proc.mjs';

const MODULE = 'go.k6.io/k6@v1.8.1';
const SAMPLE_MS = 250;
const scripts = fileURLToPath(new URL('../k6/', import.meta.url));

let finding;
/**
 * Path of k6: the one on PATH, else the one built here. Concurrent callers wait for the same build. @throws MissingPart
 * without Go
 */
export function findK6() {
  finding ??= find().finally(() => {
    finding = undefined;
  });
  return finding;
}

async function find() {
  const installed = onPath('k6');
  if (installed) return installed;
  const own = join(cacheDir, 'bench', 'bin', process.platform === 'win32' ? 'k6.exe' : 'k6');
  if (existsSync(own)) return own;
  const go = findGo('k6 is built by it');
  progress(`Building k6 (${MODULE}); the first time this takes some minutes …`);
  mkdirSync(join(cacheDir, 'bench'), { recursive: true });
  const code = await runLogged('k6', [go, 'install', MODULE], {
    env: {
      ...process.env,
      ...GO_COMPILES,
      GOPATH: join(cacheDir, 'bench', 'go'),
      GOBIN: join(cacheDir, 'bench', 'bin'),
      GOFLAGS: '-modcacherw',
    },
  });
  if (code !== 0) throw new Error('k6 could not be built, see .cache/logs/k6.log');
  return own;
}

/**
 * Runs a script. Gives the metrics of its summary, the lines it noted, how long it ran and the CPU seconds of k6
 * itself.
 */
export async function runK6(k6, script, { folder, env, onSample = () => undefined }) {
  const name = `${script}-${Date.now()}`;
  const summary = join(folder, `${name}.summary.json`);
  const notes = join(folder, `${name}.notes`);
  writeFileSync(notes, '');
  const begun = Date.now();
  const handle = startProcess(
    k6,
    ['run', '--quiet', '--no-color', '--log-format', 'raw', '--console-output', notes, join(scripts, `${script}.js`)],
    {
      name: 'k6',
      log: join(folder, `${name}.log`),
      env: { ...process.env, ...env, SUMMARY: summary, K6_NO_USAGE_REPORT: 'true' },
    },
  );
  let cpu = 0;
  const sampling = setInterval(() => {
    cpu = Math.max(cpu, cpuSeconds(handle.pid) ?? 0);
    onSample();
  }, SAMPLE_MS);
  const { code, error } = await handle.exited;
  clearInterval(sampling);
  if (error) throw error;
  if (code !== 0 || !existsSync(summary))
    throw new Error(`k6 ended with ${code}:\n${readFileSync(join(folder, `${name}.log`), 'utf8').slice(-3000)}`);
  return {
    metrics: JSON.parse(readFileSync(summary, 'utf8')),
    notes: readFileSync(notes, 'utf8'),
    seconds: (Date.now() - begun) / 1000,
    cpuSeconds: cpu,
  };
}

/** k6 as a whole of its version, for the report. */
export function k6Version(k6) {
  return spawnSync(k6, ['version'], { encoding: 'utf8' }).stdout.split(' ')[1] ?? 'unknown';
}
