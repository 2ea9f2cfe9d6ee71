// The suite `containers`: what runs in an engine is built and brought here, the tests start it.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findK6 } from '../../../loadtest/lib/k6.mjs';
import { docker, openCompose, openEngine } from '../../containers/engine.mjs';
import { bringImages, buildImage, makeImage } from '../../containers/images.mjs';
import { progress, root } from '../clone.mjs';
import { readChanges } from './changes.mjs';
import { testFiles } from './places.mjs';
import { attempt, nothing, sum } from './result.mjs';
import { cleanups, jest, LANE_MS_MAX } from './run.mjs';
import { runIntegration } from './servers.mjs';

/** As docker-compose.yml and deploy/Dockerfile name them. */
const NODE_IMAGE = process.env.NODE_IMAGE ?? 'node:24-bookworm-slim';
const BUILT = { current: 'bourse:tested', previous: 'bourse:tested-previous' };
/**
 * The integration tests that run on servers by testcontainers: those of the two libraries that talk to servers, except
 * the tests of authentication, which need servers of their own: a container accepts every client.
 */
const ON_TESTCONTAINERS = /^libs\/(?:persistence|messaging)\/(?!.*\/secured\.).*\.int\.test\.ts$/;

/** Starts an engine where none answers, brings and builds the images, and runs the tests. @throws MissingPart */
export async function runContainers({ files }) {
  const engine = await openEngine(progress);
  cleanups.add(engine.stop);
  try {
    const node = await bringImages([NODE_IMAGE], progress);
    await openCompose(makeImage);
    const { services } = JSON.parse(docker(['compose', 'config', '--format', 'json'], { cwd: root }));
    const named = [...new Set(Object.values(services).map(({ image }) => image))].filter(
      (one) => one !== 'bourse:latest',
    );
    const servers = await bringImages(named, progress);
    const missing = [...node.missing, ...servers.missing];
    for (const name of missing) progress(describeMissing(name));
    build(root, BUILT.current);
    buildPrevious();
    const env = {
      K6: await findK6(),
      CONTAINERS_IMAGES: JSON.stringify({ ...BUILT, base: NODE_IMAGE }),
      CONTAINERS_MISSING: JSON.stringify(missing),
    };
    const composed = await attempt(() => jest(files, 'containers', env, { timeoutMs: 2 * LANE_MS_MAX }));
    // The tests are on the machine of the engine, whatever else testcontainers takes it for.
    process.env.TESTCONTAINERS_HOST_OVERRIDE ??= '127.0.0.1';
    // Its helper container is an image too.
    if (node.made.length + servers.made.length + missing.length > 0) process.env.TESTCONTAINERS_RYUK_DISABLED = 'true';
    const ran = sum(composed, await onTestcontainers());
    return { ...ran, missing: [...ran.missing, ...missing.map(describeMissing)] };
  } finally {
    await engine.stop();
    cleanups.delete(engine.stop);
  }
}

const describeMissing = (image) =>
  `${image} can neither be pulled nor made of packages: its container and the tests of it did not run`;

function build(folder, name) {
  const began = Date.now();
  progress(`Building ${name} …`);
  const args = [
    '-f',
    join(folder, 'deploy', 'Dockerfile'),
    '--build-arg',
    `NODE_IMAGE=${NODE_IMAGE}`,
    '-t',
    name,
    folder,
  ];
  buildImage(args);
  progress(`${name} is built (${((Date.now() - began) / 1000).toFixed(0)} s).`);
}

/** The image of the commit before the change, by that commit's own Dockerfile. */
function buildPrevious() {
  const base = readChanges()?.base;
  if (base === undefined) throw new Error('git knows no commit before this one, from which an upgrade could be tried.');
  const folder = mkdtempSync(join(tmpdir(), 'bourse-previous-'));
  try {
    const archive = spawnSync('git', ['archive', '--format=tar', base], { cwd: root, maxBuffer: 1024 ** 3 });
    const unpacked = spawnSync('tar', ['-x', '-C', folder], { input: archive.stdout });
    if (archive.status !== 0 || unpacked.status !== 0) throw new Error(`git could not lay out the commit ${base}.`);
    build(folder, BUILT.previous);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function onTestcontainers() {
  const files = testFiles().filter((file) => ON_TESTCONTAINERS.test(file));
  if (files.length === 0)
    return { ...nothing(), failed: 1, notes: ['No integration test is there for testcontainers.'] };
  const before = process.env.BOURSE_SERVERS;
  process.env.BOURSE_SERVERS = 'containers';
  try {
    return await attempt(() => runIntegration({ files }));
  } finally {
    if (before === undefined) delete process.env.BOURSE_SERVERS;
    else process.env.BOURSE_SERVERS = before;
  }
}
