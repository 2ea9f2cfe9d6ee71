// Reads the certificates of authorities from the secrets in which the operators of PostgreSQL and Kafka renew them.
import { X509Certificate } from 'node:crypto';

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g;

/**
 * The certificates of a secret, PEM: its `ca.crt`, then others beside it (those that an operator keeps while it
 * replaces a key), without expired ones. `data` is as Kubernetes returns it, by name in base64.
 * @throws Error if none is left: the trusted certificates must not be replaced by nothing
 */
export function bundleOf(data, now = Date.now()) {
  const names = Object.keys(data ?? {})
    .filter((name) => name.endsWith('.crt'))
    .sort((one, other) => Number(other === 'ca.crt') - Number(one === 'ca.crt') || (one < other ? -1 : 1));
  const valid = names
    .map((name) => Buffer.from(data[name], 'base64').toString('utf8').trim())
    // A file may hold the renewed and the previous certificate. Text without a certificate is not left out: it throws.
    .flatMap((text) => text.match(CERTIFICATE) ?? [text])
    .filter((text) => Date.parse(new X509Certificate(text).validTo) > now);
  if (valid.length === 0) throw new Error('it has no certificate that is valid now');
  return `${[...new Set(valid)].join('\n')}\n`;
}

/** `--from bourse-data/bourse-ca=postgres.crt`: the secret, and the name that its certificates get. */
export function sourceOf(text) {
  const [, namespace, name, file] = /^([\w.-]+)\/([\w.-]+)=([\w.-]+)$/.exec(text) ?? [];
  if (file === undefined) throw new Error(`${text} is not <namespace>/<secret>=<file>.`);
  return { namespace, name, file };
}
