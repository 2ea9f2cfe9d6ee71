import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { testTimeoutMs } from '@bourse/testing/eventually';

// Each case starts programs of its own.
jest.setTimeout(testTimeoutMs(12_000));

const root = fileURLToPath(new URL('../', import.meta.url));
const dir = mkdtempSync(join(tmpdir(), 'bourse-copy-'));
const SECRETS = '/api/v1/namespaces/bourse-data/secrets';
const MAPS = '/api/v1/namespaces/bourse/configmaps';
type Data = Readonly<Record<string, string>>;

/** A Kubernetes with two secrets and perhaps a config map; notes what is written. */
const objects = new Map<string, { data: Data }>();
const writes: string[] = [];
let server: Server;
const pem = (name: string): string => readFileSync(join(dir, `${name}.crt`), 'utf8').trim();
const secret = (data: Data): { data: Data } => ({
  data: Object.fromEntries(Object.entries(data).map(([name, text]) => [name, Buffer.from(text).toString('base64')])),
});
function made(name: string, days = 30): void {
  execFileSync(
    'openssl',
    [
      ...[
        'req',
        '-x509',
        '-newkey',
        'ec',
        '-pkeyopt',
        'ec_paramgen_curve:prime256v1',
        '-nodes',
        '-subj',
        `/CN=${name}`,
      ],
      ...['-addext', 'subjectAltName=IP:127.0.0.1', '-days', String(days)],
      ...['-keyout', join(dir, `${name}.key`), '-out', join(dir, `${name}.crt`)],
    ],
    { stdio: 'ignore' },
  );
}

beforeAll(async () => {
  for (const name of ['ca', 'kafka', 'postgres', 'renewed']) made(name);
  made('lasting', 60);
  writeFileSync(join(dir, 'token'), 'the-token\n');
  server = createServer({ key: readFileSync(join(dir, 'ca.key')), cert: pem('ca') }, (request, response) => {
    const path = request.url ?? '';
    let text = '';
    request.on('data', (piece: Buffer) => (text += piece.toString()));
    request.on('end', () => {
      if (request.headers.authorization !== 'Bearer the-token') return response.writeHead(401).end('{}');
      if (request.method === 'GET') {
        const found = objects.get(path);
        return response.writeHead(found ? 200 : 404).end(JSON.stringify(found ?? {}));
      }
      const { data } = JSON.parse(text) as { data: Data };
      writes.push(`${request.method ?? ''} ${path} ${Object.keys(data).join()}`);
      objects.set(`${MAPS}/bourse-ca`, { data: { ...objects.get(`${MAPS}/bourse-ca`)?.data, ...data } });
      return response.writeHead(request.method === 'POST' ? 201 : 200).end('{}');
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterAll(() => {
  server.close();
  rmSync(dir, { recursive: true, force: true });
});
beforeEach(() => {
  writes.length = 0;
  objects.clear();
  objects.set(`${SECRETS}/bourse-cluster-ca-cert`, secret({ 'ca.crt': pem('kafka'), 'ca.password': 'x' }));
  objects.set(`${SECRETS}/bourse-ca`, secret({ 'ca.crt': pem('postgres'), 'ca.key': 'the key of the authority' }));
});

/** The job, with the arguments of its manifest. */
async function copy(): Promise<{ code: number | null; said: string }> {
  const manifest = readFileSync(join(root, 'k8s/components/authorities/copy.yaml'), 'utf8');
  const args = [...manifest.matchAll(/^ +- (--\S+|tools\/\S+)$/gm)].map(([, one = '']) => one);
  expect(args).toHaveLength(4);
  const child = spawn(process.execPath, [...args, '--account', dir], {
    cwd: root,
    env: {
      PATH: process.env['PATH'],
      KUBERNETES_SERVICE_HOST: '127.0.0.1',
      KUBERNETES_SERVICE_PORT: String((server.address() as AddressInfo).port),
    },
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (piece: Buffer) => (said += piece.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, said };
}
const copied = (): Data | undefined => objects.get(`${MAPS}/bourse-ca`)?.data;

describe('the authorities of the servers of data are copied [K8S-024]', () => {
  test('at first all of them, then only renewed ones; never a key', async () => {
    expect(await copy()).toEqual({ code: 0, said: 'Written to bourse/bourse-ca: kafka.crt, postgres.crt.\n' });
    expect(copied()).toEqual({ 'kafka.crt': `${pem('kafka')}\n`, 'postgres.crt': `${pem('postgres')}\n` });
    expect(await copy()).toEqual({ code: 0, said: 'Nothing has changed.\n' });
    // An operator that replaces a key keeps the previous authority beside the new one.
    const both = { 'ca.crt': pem('renewed'), 'ca-2026-11-27T00-00-00Z.crt': pem('kafka') };
    objects.set(`${SECRETS}/bourse-cluster-ca-cert`, secret(both));
    expect(await copy()).toMatchObject({ code: 0, said: 'Written to bourse/bourse-ca: kafka.crt.\n' });
    expect(copied()?.['kafka.crt']).toBe(`${pem('renewed')}\n${pem('kafka')}\n`);
    expect(writes).toEqual([`POST ${MAPS} kafka.crt,postgres.crt`, `PATCH ${MAPS}/bourse-ca kafka.crt,postgres.crt`]);
  });

  test.each([
    ['a secret that is not there', 'There is no secret bourse-ca in bourse-data', undefined],
    ['a secret without a certificate', 'no certificate that is valid now', {}],
    ['a secret whose text is no certificate', 'bourse-ca in bourse-data is not copied', { 'ca.crt': 'nothing' }],
  ])('%s changes nothing and fails the job', async (_what, reason, data) => {
    objects.delete(`${SECRETS}/bourse-ca`);
    if (data) objects.set(`${SECRETS}/bourse-ca`, secret(data as Data));
    expect(await copy()).toEqual({ code: 1, said: expect.stringContaining(reason) });
    expect(writes).toEqual([]);
  });

  test('expired certificates are omitted', async () => {
    const { bundleOf } = (await import(new URL('./lib/authorities.mjs', import.meta.url).href)) as {
      bundleOf(data: Data, now?: number): string;
    };
    const { data } = secret({ 'ca.crt': pem('kafka') });
    const later = Date.now() + 31 * 86_400_000;
    expect(bundleOf(data)).toBe(`${pem('kafka')}\n`);
    expect(() => bundleOf(data, later)).toThrow('no certificate that is valid now');
    // The renewed certificate in the same file stays.
    const both = secret({ 'ca.crt': `${pem('kafka')}\n${pem('lasting')}` }).data;
    expect(bundleOf(both, later)).toBe(`${pem('lasting')}\n`);
  });
});
