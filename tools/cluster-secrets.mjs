// `node tools/cluster-secrets.mjs --out FILE`: all secrets of an exchange in a cluster, made now, as objects of
// Kubernetes that kubectl apply -f takes. Each process gets only its own. Run it once per install and keep the file
// that it writes (docs/kubernetes.md). FILE must be outside the clone, where neither `git add` nor the build of an
// image finds it. Without --out they go to the standard output, for a pipe. --plain: for the servers of
// k8s/overlays/dev, which do not use TLS.
import { randomBytes } from 'node:crypto';
import { fstatSync, realpathSync, writeFileSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readArguments } from './lib/arguments.mjs';

const HELP = `node tools/cluster-secrets.mjs --out <file> [--plain]

All secrets of an exchange in a cluster, made now, for kubectl apply -f. Run it once an install, and keep what it
wrote (docs/kubernetes.md). The clone must be built: npm ci && npm run build

  --out     a new file outside the clone, such as ~/bourse/secrets.yaml; only you may read it.
            Without it the secrets go to the standard output, for a pipe
  --plain   for the servers of k8s/overlays/dev, which speak in clear
  --help    this text`;
const root = realpathSync(fileURLToPath(new URL('../', import.meta.url)));

/** Ends the program with a sentence for a person, without a stack. */
function end(message) {
  console.error(message);
  process.exit(1);
}

const {
  values: { out, plain },
} = readArguments(
  HELP,
  { options: { out: { type: 'string' }, plain: { type: 'boolean', default: false } } },
  (sentence) => end(`${sentence} See --help.`),
);
const file = out === undefined ? null : placeOf(out);
// The shell has created the file already, readable by others and perhaps in the clone.
if (file === null && fstatSync(1).isFile()) end('Name the file by --out <file> instead of `>`: only you may read it.');

/** Returns the path of the file to write; refuses a folder in the clone. */
function placeOf(path) {
  const folder = dirname(resolve(path));
  let real;
  try {
    real = realpathSync(folder);
  } catch {
    return end(`There is no folder ${folder}: mkdir -m 700 ${folder}`);
  }
  if (!relative(root, real).startsWith('..'))
    end(`${path} lies in the clone, where git and the build of the image would take it: name a file outside of it.`);
  return resolve(path);
}

const parts = () =>
  Promise.all([import('@bourse/platform'), import('./lib/manifests.mjs'), import('./lib/services/k8s-secrets.mjs')]);
const [{ makeServiceKey, publicKeyOf }, { readManifests, servicesOf }, { clusterSecrets, OPERATED, PLAIN, yamlOf }] =
  await parts().catch((error) =>
    error.code === 'ERR_MODULE_NOT_FOUND'
      ? end('This needs the packages and programs of a built clone: npm ci && npm run build')
      : Promise.reject(error),
  );
const services = servicesOf(readManifests());
const keys = new Map(services.map(({ name }) => [name, makeServiceKey()]));
const make = {
  password: () => randomBytes(24).toString('base64url'),
  random: () => randomBytes(32).toString('base64'),
  key: (name) => keys.get(name),
  publicKey: (name) => publicKeyOf(keys.get(name)),
};
const documents = clusterSecrets(services, make, plain ? PLAIN : OPERATED);
const text = documents.map((one) => yamlOf(one)).join('---\n');
if (file === null) process.stdout.write(text);
else {
  process.umask(0o077);
  try {
    writeFileSync(file, text, { flag: 'wx' });
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
    end(`${file} is there already, and an install has one set of secrets: nothing was written.`);
  }
}
