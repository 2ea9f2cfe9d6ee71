// Builds the image's file tree without a container engine, by the Dockerfile's own steps, and runs programs in it as an
// engine would: as its user, in a mount namespace, with a read-only root. Each stage is an overlay over this machine's
// own files, in the place of the base image; what the stage adds is the upper layer, which is what an image's layers
// hold. It needs Linux and the right to make mount namespaces.
import { execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join, matchesGlob } from 'node:path';
import { cacheDir, node24, root } from '../lib/clone.mjs';

const dir = join(cacheDir, 'image');
/** As the base image has it. */
const NODE_USER = { name: 'node', id: 1000 };
/** Steps that the clone has done already, with the same lock file, when its tests run. */
const DONE_IN_CLONE = [/^npm ci\b(?!.*--omit)/, /\bnpm run build$/];
const PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

/** The instructions of a Dockerfile, by stage; an argument has its default. */
export function readStages(text) {
  const lines = text
    .split('\n')
    .filter((line) => !/^\s*#/.test(line))
    .join('\n')
    .replace(/\\\n\s*/g, ' ')
    .split('\n')
    .filter((line) => line.trim() !== '');
  const stages = [];
  for (const line of lines) {
    const [, word, rest] = /^(\w+)\s+(.*)$/.exec(line.trim()) ?? [];
    if (word === 'FROM') stages.push({ name: / AS (\S+)$/i.exec(rest)?.[1] ?? 'image', steps: [] });
    else if (stages.length > 0) stages.at(-1).steps.push({ word, rest });
  }
  return stages;
}

/**
 * Returns what is missing to try the image where this user may not make a mount namespace with an overlay; '' if
 * nothing.
 */
export function namespacesMissing() {
  if (process.platform !== 'linux') return 'The image is tried in a mount namespace, which Linux alone has.';
  const probe = join(dir, 'probe');
  for (const one of ['upper', 'work', 'merged']) mkdirSync(join(probe, one), { recursive: true });
  try {
    execFileSync('unshare', ['-m', 'sh', '-ec', overlay(probe)], { stdio: 'pipe' });
    return '';
  } catch (error) {
    return (
      'The image is tried in a mount namespace, and this user may not make one with an overlay ' +
      `(unshare -m: ${String(error.stderr ?? error.message).trim()}). Run the tests as root, and a container of them ` +
      'with --cap-add SYS_ADMIN --security-opt apparmor=unconfined.'
    );
  }
}

const quote = (text) => `'${text.replaceAll("'", "'\\''")}'`;
const overlay = (at) => {
  const [upper, work, merged] = ['upper', 'work', 'merged'].map((one) => quote(`${at}/${one}`));
  return `mount -t overlay overlay -o lowerdir=/,upperdir=${upper},workdir=${work} ${merged}`;
};

/** Runs a shell line in a stage, writing into its upper layer; `inClone`: with this clone, read-only, as `/app`. */
function runIn(stage, workdir, line, inClone) {
  const script = [
    overlay(stage),
    `mount --bind /proc ${quote(`${stage}/merged/proc`)}`,
    `mount --bind /dev ${quote(`${stage}/merged/dev`)}`,
    ...(inClone
      ? [
          `mkdir -p ${quote(`${stage}/merged/app`)}`,
          `mount --bind ${quote(root)} ${quote(`${stage}/merged/app`)}`,
          `mount -o remount,ro,bind ${quote(`${stage}/merged/app`)}`,
        ]
      : []),
    `exec chroot ${quote(`${stage}/merged`)} env -C ${quote(workdir)} sh -ec ${quote(line)}`,
  ].join('\n');
  execFileSync('unshare', ['-m', 'sh', '-ec', script], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH, HOME: '/root', ...registrySettings() },
    maxBuffer: 64 * 1024 * 1024,
  });
}

/** Returns this machine's package registry settings, as the builder of an image would get them. */
const registrySettings = () =>
  Object.fromEntries(
    Object.entries(process.env).filter(([name]) => /^(npm_config_(registry|cache)|https?_proxy|no_proxy)$/i.test(name)),
  );

/** The patterns that `.dockerignore` allows; the builder gets nothing else. */
const readAllowed = () =>
  readFileSync(join(root, '.dockerignore'), 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('!'))
    .map((line) => line.slice(1));

/** The files of the context: what the repository holds, as `.dockerignore` lets through. */
function contextFiles() {
  const patterns = readAllowed();
  return execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  })
    .split('\n')
    .filter((path) => patterns.some((one) => matchesGlob(path.split('/')[0], one) || path.startsWith(`${one}/`)))
    .filter((path) => existsSync(join(root, path)));
}

function freshStage(name) {
  const stage = join(dir, name);
  rmSync(stage, { recursive: true, force: true });
  for (const one of ['upper', 'work', 'merged']) mkdirSync(join(stage, one), { recursive: true });
  // Programs of the base image that this machine may lack.
  const bin = join(stage, 'upper/usr/local/bin');
  mkdirSync(bin, { recursive: true });
  copyFileSync(realpathSync(node24), join(bin, 'node'));
  mkdirSync(join(stage, 'upper/etc'), { recursive: true });
  const others = (file) =>
    readFileSync(file, 'utf8')
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('node:') && line.split(':')[2] !== String(NODE_USER.id));
  writeFileSync(
    join(stage, 'upper/etc/passwd'),
    `${others('/etc/passwd').join('\n')}\nnode:x:1000:1000::/home/node:/bin/sh\n`,
  );
  writeFileSync(join(stage, 'upper/etc/group'), `${others('/etc/group').join('\n')}\nnode:x:1000:\n`);
  return stage;
}

function hashOf(folder) {
  const hash = createHash('sha256');
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true }).sort((one, other) =>
    `${one.parentPath}/${one.name}`.localeCompare(`${other.parentPath}/${other.name}`),
  ))
    if (entry.isFile())
      hash
        .update(join(entry.parentPath, entry.name).slice(folder.length))
        .update(readFileSync(join(entry.parentPath, entry.name)));
  return hash.digest('hex');
}

/** The single files of the context that these steps copy, for the key of their stage. */
const copiedBy = (steps) =>
  steps
    .filter(({ word, rest }) => word === 'COPY' && !rest.startsWith('--from=') && !rest.startsWith('. '))
    .map(({ rest }) => readFileSync(join(root, rest.split(' ')[0]), 'utf8'))
    .join('');

/**
 * Follows the Dockerfile. The stage of packages is kept while its steps and the package files are the same; what the
 * tests have done in the clone already (all packages, the build) is taken from there.
 * @returns the last stage's folder and what its settings say
 */
export function buildImage(say = () => undefined) {
  const missing = namespacesMissing();
  if (missing) throw new Error(missing);
  const made = new Map();
  let image;
  for (const { name, steps } of readStages(readFileSync(join(root, 'deploy/Dockerfile'), 'utf8'))) {
    const before = name === 'packages' ? hashOf(join(made.get('manifests'), 'upper/manifests')) : '';
    const key = createHash('sha256').update(JSON.stringify(steps)).update(before).update(copiedBy(steps)).digest('hex');
    const mark = join(dir, `${name}.key`);
    if (name === 'packages' && existsSync(mark) && readFileSync(mark, 'utf8') === key) {
      made.set(name, join(dir, name));
      continue;
    }
    say(`stage ${name}`);
    rmSync(mark, { force: true });
    const stage = freshStage(name);
    made.set(name, stage);
    image = follow(stage, steps, made, name);
    writeFileSync(mark, key);
  }
  return image;
}

function follow(stage, steps, made, name) {
  const image = { stage, env: { PATH }, workdir: '/', user: 'root', entrypoint: [], command: [], labels: '' };
  for (const { word, rest } of steps) {
    if (word === 'WORKDIR') {
      image.workdir = rest;
      mkdirSync(join(stage, 'upper', rest), { recursive: true });
    } else if (word === 'ENV')
      Object.assign(image.env, Object.fromEntries(rest.split(/\s+/).map((one) => one.split('='))));
    else if (word === 'USER') image.user = rest;
    else if (word === 'ENTRYPOINT') image.entrypoint = JSON.parse(rest);
    else if (word === 'CMD') image.command = JSON.parse(rest);
    else if (word === 'HEALTHCHECK') image.healthcheck = JSON.parse(/CMD (.*)$/.exec(rest)[1]);
    else if (word === 'LABEL') image.labels = rest;
    else if (word === 'COPY') copy(stage, image.workdir, rest, made, name);
    else if (word === 'RUN') {
      if (name === 'build' && DONE_IN_CLONE.some((done) => done.test(rest))) continue;
      try {
        runIn(stage, image.workdir, rest, name === 'build');
      } catch (error) {
        throw new Error(
          `RUN ${rest}\nfailed in stage ${name}: ${String(error.stderr ?? error.message).slice(-2_000)}`,
          { cause: error },
        );
      }
    } else if (!['ARG', 'EXPOSE', 'VOLUME'].includes(word)) throw new Error(`No step for ${word} is known here.`);
  }
  return image;
}

function copy(stage, workdir, rest, made, name) {
  const [, from, source, target] = /^(?:--from=(\S+) )?(\S+) (\S+)$/.exec(rest) ?? [];
  if (source === undefined) throw new Error(`COPY ${rest} is not understood here.`);
  // The build has happened in the clone.
  if (name === 'build') return;
  const into = join(stage, 'upper', target.startsWith('/') ? target : join(workdir, target));
  mkdirSync(into, { recursive: true });
  if (from !== undefined)
    cpSync(join(made.get(from), 'upper', source), into, { recursive: true, verbatimSymlinks: true });
  else
    for (const path of contextFiles().filter((one) => source === '.' || one === source)) {
      const at = join(into, source === '.' ? path : basename(path));
      mkdirSync(dirname(at), { recursive: true });
      cpSync(join(root, path), at, { verbatimSymlinks: true });
    }
}

/** Bytes that the image adds to its base. */
export function imageBytes({ stage }) {
  return readdirSync(join(stage, 'upper/app'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);
}

/**
 * Starts a program in the image: its user, its environment and `env`, its root read-only, `/data` in `dataDir` and
 * `/tmp` writable. Nothing else of this machine's is.
 */
export function startInImage({ stage, env: own, workdir }, command, { env = {}, dataDir }) {
  const merged = `${stage}/merged`;
  execFileSync('chown', ['-R', `${NODE_USER.id}:${NODE_USER.id}`, dataDir]);
  const script = [
    overlay(stage),
    `mount --bind /proc ${quote(`${merged}/proc`)}`,
    `mount --bind /dev ${quote(`${merged}/dev`)}`,
    `mount --bind ${quote(dataDir)} ${quote(`${merged}/data`)}`,
    `mount -t tmpfs -o mode=1777 tmpfs ${quote(`${merged}/tmp`)}`,
    `mount -o remount,ro ${quote(merged)}`,
    `exec chroot --userspec=${NODE_USER.id}:${NODE_USER.id} --groups= ${quote(merged)} env -C ${quote(workdir)} "$@"`,
  ].join('\n');
  return spawn('unshare', ['-m', 'sh', '-ec', script, 'image', ...command], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...own, HOME: '/home/node', ...env },
  });
}
