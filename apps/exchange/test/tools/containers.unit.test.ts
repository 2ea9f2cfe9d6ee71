import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { SERVICE_NAMES, SERVICE_SCHEMAS } from '@bourse/platform';

const root = fileURLToPath(new URL('../../../../', import.meta.url));

interface Container {
  readonly image: string;
  readonly build?: unknown;
  readonly user?: string;
  readonly read_only?: boolean;
  readonly cap_drop?: readonly string[];
  readonly cap_add?: readonly string[];
  readonly security_opt?: readonly string[];
  readonly volumes?: readonly string[];
  readonly ports?: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly healthcheck?: {
    readonly test?: unknown;
    readonly disable?: boolean;
    readonly interval?: string;
  };
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
  readonly deploy?: { readonly resources: { readonly limits: { readonly cpus: string; readonly memory: string } } };
}
const compose = parse(readFileSync(join(root, 'docker-compose.yml'), 'utf8'), { merge: true }) as {
  readonly services: Readonly<Record<string, Container>>;
  readonly volumes: Readonly<Record<string, unknown>>;
};
const containers = Object.entries(compose.services);

/** Exit code of the image's health check with these settings. */
const healthy = async (env: Readonly<Record<string, string>>): Promise<number | null> => {
  const child = spawn('bash', [join(root, 'tools/healthy.sh')], { env: { PATH: process.env['PATH'], ...env } });
  const [code] = (await once(child, 'exit')) as [number | null];
  return code;
};

describe('the health check of the image', () => {
  let server: Server;
  let port: string;
  const asked: (string | undefined)[] = [];
  let status = 200;
  beforeAll(async () => {
    server = createServer((request, response) => {
      asked.push(request.url);
      response.writeHead(status, { 'content-type': 'application/json' }).end('{}');
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    port = String((server.address() as AddressInfo).port);
  });
  afterAll(() => {
    server.close();
  });

  test.each([
    ['the exchange', (at: string) => ({ PORT: at })],
    ['the gateway', (at: string) => ({ BOURSE_SERVICE: 'gateway', PORT: at, BOURSE_SERVICE_PORT: '9' })],
    ['a service', (at: string) => ({ BOURSE_SERVICE: 'auth', PORT: '9', BOURSE_SERVICE_PORT: at })],
  ])('of %s asks whether it is ready, at its port [DEPLOY-039]', async (_, settings) => {
    status = 200;
    expect(await healthy(settings(port))).toBe(0);
    expect(asked.at(-1)).toBe('/readyz');
    status = 503;
    expect(await healthy(settings(port))).toBe(1);
    expect(await healthy(settings('9'))).toBe(1);
  });
});

describe('docker-compose.yml', () => {
  test.each(containers)('%s may nothing it needs not, and has its limits [DEPLOY-002]', (name, one) => {
    expect(one.cap_drop).toEqual(['ALL']);
    expect(one.cap_add).toBeUndefined();
    expect(one.security_opt).toEqual(['no-new-privileges:true']);
    expect(one.deploy?.resources.limits).toEqual({ cpus: expect.any(String), memory: expect.any(String) });
    // The broker writes its settings beside its programs at each start.
    expect([name, one.read_only === true]).toEqual([name, name !== 'kafka']);
    // Containers of our image have the check of the image.
    const { test: check, disable } = one.healthcheck ?? {};
    expect(check !== undefined || disable === true || one.build !== undefined).toBe(true);
    // Of this machine alone: past its firewall otherwise.
    for (const port of one.ports ?? []) expect(port).toMatch(/^127\.0\.0\.1:/);
    // A tag and a place for its digest.
    if (one.build === undefined) expect(one.image).toMatch(/^\$\{[A-Z]+_IMAGE:-[\w./-]+:[\w.-]+\}$/);
    for (const volume of one.volumes ?? [])
      if (!volume.startsWith('.')) expect(Object.keys(compose.volumes)).toContain(volume.split(':')[0]);
  });

  test.each(containers)('the check of %s starts no Node, and does not run every second [DEPLOY-039]', (name, one) => {
    const { test: command, disable, interval } = one.healthcheck ?? {};
    if (disable === true) return;
    expect(Number.parseInt(interval ?? '0', 10)).toBeGreaterThanOrEqual(5);
    expect(command ?? []).not.toContain('node');
    // Where an older image runs, it has a check of its own.
    if ((SERVICE_NAMES as readonly string[]).includes(name)) expect(command).toBeUndefined();
    // Engines before Docker 25, as Debian 12 has one, refuse a container with it.
    expect(one.healthcheck).not.toHaveProperty('start_interval');
  });

  test('each service has data of its own, and starts on a prepared database [DEPLOY-003]', () => {
    const data = SERVICE_NAMES.map((name) => compose.services[name]?.volumes?.find((one) => one.endsWith(':/data')));
    expect(new Set(data).size).toBe(SERVICE_NAMES.length);
    for (const name of SERVICE_NAMES) {
      const one = compose.services[name];
      expect(one?.depends_on?.['migrate']).toEqual({ condition: 'service_completed_successfully' });
      expect(one?.environment['MIGRATE']).toBe('off');
    }
    expect(compose.services['auth']?.environment['SMTP_URL']).toContain('smtp://mail:1025');
  });

  test('each service has a login of its own, which the step before has made [DEPLOY-024]', () => {
    const { DATABASE_LOGINS: logins = '{}', DATABASE_OWNER_URL: owner = '' } =
      compose.services['migrate']?.environment ?? {};
    const passwords = JSON.parse(logins) as Readonly<Record<string, string>>;
    expect(Object.keys(passwords).sort()).toEqual([...SERVICE_NAMES].sort());
    for (const name of SERVICE_NAMES) {
      const url = new URL(compose.services[name]?.environment['DATABASE_URL'] ?? '');
      expect([name, url.username, url.password]).toEqual([name, `bourse_${SERVICE_SCHEMAS[name]}`, passwords[name]]);
      expect(compose.services[name]?.environment).not.toHaveProperty('DATABASE_OWNER_URL');
    }
    expect(new URL(owner).username).toBe('bourse');
    expect(compose.services['postgres']?.user).toBe('postgres');
  });

  test('Prometheus asks every service where it answers [DEPLOY-004]', () => {
    const prometheus = parse(readFileSync(join(root, 'deploy/prometheus/prometheus.yml'), 'utf8')) as {
      readonly scrape_configs: readonly {
        readonly job_name: string;
        readonly static_configs: readonly { readonly targets: readonly string[] }[];
      }[];
    };
    const asked = prometheus.scrape_configs
      .filter(({ job_name: job }) => job === 'bourse')
      .flatMap(({ static_configs: all }) => all.flatMap(({ targets }) => targets));
    const answering = SERVICE_NAMES.map((name) => {
      const { METRICS_PORT: metrics, BOURSE_SERVICE_PORT: own } = compose.services[name]?.environment ?? {};
      return `${name}:${metrics ?? own}`;
    });
    expect([...asked].sort()).toEqual(answering.sort());
  });
});
