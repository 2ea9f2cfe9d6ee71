// `node tools/cluster-secrets.mjs`: all secrets of an exchange in a cluster, made now, as objects of Kubernetes on the
// standard output: kubectl apply -f takes them. Each process gets what is its own. Nothing is stored; run it once an
// install and keep what it wrote (docs/kubernetes.md). --plain: for the servers of k8s/overlays/dev, which speak in
// clear
import { randomBytes } from 'node:crypto';
import { readArguments } from './lib/arguments.mjs';

const HELP = `node tools/cluster-secrets.mjs [--plain] > secrets.yaml

All secrets of an exchange in a cluster, made now, for kubectl apply -f. Nothing is stored: run it once an install,
and keep what it wrote (docs/kubernetes.md). The clone must be built: npm ci && npm run build

  --plain   for the servers of k8s/overlays/dev, which speak in clear
  --help    this text`;

/** The end for a person: a sentence, and no way through the program. */
function end(message) {
  console.error(message);
  process.exit(1);
}

const {
  values: { plain },
} = readArguments(HELP, { options: { plain: { type: 'boolean', default: false } } }, (sentence) =>
  end(`${sentence} See --help.`),
);
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
process.stdout.write(documents.map((one) => yamlOf(one)).join('---\n'));
