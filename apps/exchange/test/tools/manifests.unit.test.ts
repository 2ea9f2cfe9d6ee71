import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';
import { parseAllDocuments } from 'yaml';
import { SECRET_OWNERS, SERVICE_NAMES } from '@bourse/platform';

interface Manifest {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly stringData?: Readonly<Record<string, string>>;
  readonly spec: {
    readonly podSelector?: object;
    readonly policyTypes?: readonly string[];
    readonly template: {
      readonly spec: {
        readonly automountServiceAccountToken: boolean;
        readonly containers: readonly {
          readonly envFrom: readonly { readonly secretRef?: { readonly name: string } }[];
        }[];
      };
    };
  };
}
const folder = fileURLToPath(new URL('../../../../k8s/', import.meta.url));
const manifests = [...readdirSync(`${folder}base`).map((name) => `base/${name}`), 'secret.example.yaml'].flatMap(
  (name) => parseAllDocuments(readFileSync(folder + name, 'utf8')).map((one) => one.toJS() as Manifest),
);
const of = (...kinds: readonly string[]): Manifest[] => manifests.filter((one) => kinds.includes(one.kind));

test('each pod is given the secrets of its service alone, and no account of the cluster [HARD-209]', () => {
  const secrets = new Map(of('Secret').map(({ metadata, stringData }) => [metadata.name, stringData ?? {}]));
  for (const { metadata, spec } of of('Deployment', 'StatefulSet')) {
    expect(spec.template.spec.automountServiceAccountToken).toBe(false);
    const given = spec.template.spec.containers
      .flatMap(({ envFrom }) => envFrom)
      .flatMap(({ secretRef }) => (secretRef ? [secretRef.name] : []));
    const names = given.flatMap((name) => Object.keys(secrets.get(name) ?? {}));
    expect(names).toEqual(expect.arrayContaining(['DATABASE_URL', 'INTERNAL_KEY', 'KAFKA_SASL_PASSWORD']));
    expect(names).not.toContain('DATABASE_OWNER_URL');
    for (const [secret, owners] of Object.entries(SECRET_OWNERS) as [string, readonly string[]][])
      expect([metadata.name, secret, names.includes(secret)]).toEqual([
        metadata.name,
        secret,
        owners.includes(metadata.name),
      ]);
  }
  expect(
    of('Deployment', 'StatefulSet')
      .map(({ metadata }) => metadata.name)
      .sort(),
  ).toEqual([...SERVICE_NAMES].sort());
});

test('nothing talks to anything that is not named [HARD-209]', () => {
  const policies = new Map(of('NetworkPolicy').map((one) => [one.metadata.name, one.spec]));
  expect(policies.get('nothing')).toEqual({ podSelector: {}, policyTypes: ['Ingress', 'Egress'] });
  for (const name of SERVICE_NAMES) expect(policies.get(name)?.policyTypes).toEqual(['Ingress']);
});
