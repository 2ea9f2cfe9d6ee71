// `node tools/copy-authorities.mjs --from <namespace>/<secret>=<file> … --to <namespace>/<config map>`: in a cluster,
// copies the authorities of PostgreSQL and Kafka to the config map that the exchange's pods read
// (k8s/components/authorities). The operators of these servers renew them. It calls Kubernetes with the account of its
// pod, and writes only what has changed. Exit code 0: the copy is up to date; 1: it is not, with the reason.
import { readFileSync } from 'node:fs';
import { request } from 'node:https';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { bundleOf, sourceOf } from './lib/authorities.mjs';

const ANSWER_MS_MAX = 10_000;
const { values } = parseArgs({
  options: {
    from: { type: 'string', multiple: true, default: [] },
    to: { type: 'string', default: '' },
    account: { type: 'string', default: '/var/run/secrets/kubernetes.io/serviceaccount' },
  },
});

/** Calls Kubernetes and returns the answer; null: there is no such object. */
function ask(method, path, body, type = 'application/json') {
  const { KUBERNETES_SERVICE_HOST: host, KUBERNETES_SERVICE_PORT: port } = process.env;
  const given = (name) => readFileSync(join(values.account, name), 'utf8').trim();
  return new Promise((resolve, reject) => {
    const asked = request(
      {
        host,
        port,
        method,
        path,
        ca: given('ca.crt'),
        signal: AbortSignal.timeout(ANSWER_MS_MAX),
        headers: { authorization: `Bearer ${given('token')}`, 'content-type': type },
      },
      (response) => {
        let text = '';
        response.setEncoding('utf8');
        response.on('data', (piece) => (text += piece));
        response.on('error', reject);
        response.on('end', () => {
          if (response.statusCode === 404) resolve(null);
          else if (response.statusCode < 300) resolve(JSON.parse(text));
          else reject(new Error(`${method} ${path} was answered ${response.statusCode}: ${text.slice(0, 300)}`));
        });
      },
    );
    asked.on('error', reject);
    asked.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

async function certificatesOf({ namespace, name }) {
  const secret = await ask('GET', `/api/v1/namespaces/${namespace}/secrets/${name}`);
  if (secret === null) throw new Error(`There is no secret ${name} in ${namespace}: its server is not made yet.`);
  try {
    return bundleOf(secret.data);
  } catch (error) {
    throw new Error(`The secret ${name} in ${namespace} is not copied: ${error.message}.`, { cause: error });
  }
}

try {
  const [, namespace, name] = /^([\w.-]+)\/([\w.-]+)$/.exec(values.to) ?? [];
  if (name === undefined || values.from.length === 0)
    throw new Error('Say what and where to: --from <namespace>/<secret>=<file> --to <namespace>/<config map>');
  const data = {};
  for (const source of values.from.map((text) => sourceOf(text))) data[source.file] = await certificatesOf(source);
  const path = `/api/v1/namespaces/${namespace}/configmaps`;
  const present = await ask('GET', `${path}/${name}`);
  const changed = Object.keys(data).filter((file) => present?.data?.[file] !== data[file]);
  if (present === null)
    await ask('POST', path, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace }, data });
  else if (changed.length > 0) await ask('PATCH', `${path}/${name}`, { data }, 'application/merge-patch+json');
  console.log(changed.length === 0 ? 'Nothing has changed.' : `Written to ${values.to}: ${changed.join(', ')}.`);
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}
