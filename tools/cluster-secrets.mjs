// `node tools/cluster-secrets.mjs`: all secrets of an exchange in a cluster, made now, as objects of Kubernetes on the
// standard output: kubectl apply -f takes them. Each process gets what is its own. Nothing is stored; run it once an
// install and keep what it wrote (docs/kubernetes.md). --plain: for the servers of k8s/overlays/dev, which speak in
// clear
import { randomBytes } from 'node:crypto';
import { parseArgs } from 'node:util';
import { makeServiceKey, publicKeyOf } from '@bourse/platform';
import { readManifests, servicesOf } from './lib/manifests.mjs';
import { clusterSecrets, OPERATED, PLAIN, yamlOf } from './lib/services/k8s-secrets.mjs';

const { values } = parseArgs({ options: { plain: { type: 'boolean', default: false } } });
const services = servicesOf(readManifests());
const keys = new Map(services.map(({ name }) => [name, makeServiceKey()]));
const make = {
  password: () => randomBytes(24).toString('base64url'),
  random: () => randomBytes(32).toString('base64'),
  key: (name) => keys.get(name),
  publicKey: (name) => publicKeyOf(keys.get(name)),
};
const documents = clusterSecrets(services, make, values.plain ? PLAIN : OPERATED);
process.stdout.write(documents.map((one) => yamlOf(one)).join('---\n'));
