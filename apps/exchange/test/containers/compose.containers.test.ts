import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { eventually, testTimeoutMs } from '@bourse/testing/eventually';
import { ComposeRun, docker, freePorts, runProgram } from './engine.js';

/*
 * docker-compose.yml as it is, with the image of this commit. `npm test -- containers` has brought and built the images
 * and names them here. The tests are steps of one run.
 */

jest.setTimeout(testTimeoutMs(240_000));

const images = JSON.parse(process.env['CONTAINERS_IMAGES'] ?? 'null') as {
  readonly current: string;
  readonly previous: string;
  readonly base: string;
};
const missing = JSON.parse(process.env['CONTAINERS_MISSING'] ?? '[]') as readonly string[];
/** The name that docker-compose.yml gives the image. */
const IN_COMPOSE = 'bourse:latest';
/** Highest size that the image adds to its base. */
const ADDED_BYTES_MAX = 250e6;
const MIB = 1024 ** 2;
/** A flow that a busy machine keeps up with: the scripts are tried here, not the speed. */
const GENTLE = {
  RATE: '5',
  VUS: '5',
  PEOPLE: '4',
  SECONDS: '5',
  SOCKETS: '2',
  P99: '60000',
  DROPPED: '1',
  GRACE: '60',
};

interface ComposeFile {
  readonly services: Readonly<
    Record<
      string,
      {
        readonly image: string;
        readonly user?: string;
        readonly read_only?: boolean;
        readonly deploy: {
          readonly resources: { readonly limits: { readonly cpus: number; readonly memory: string } };
        };
      }
    >
  >;
}

let run: ComposeRun;
let file: ComposeFile;
let base: string;
let ports: Readonly<Record<string, string>>;
const say = (text: string): void => void process.stdout.write(`${text}\n`);
const getJson = async <T>(port: string | undefined, path: string): Promise<T> => {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, { signal: AbortSignal.timeout(30_000) });
  if (!response.ok) throw new Error(`${path} answered ${response.status}`);
  return (await response.json()) as T;
};

/** Runs a script of k6 by the address alone, and gives its words. @throws Error with them when it does not pass. */
async function k6(script: string): Promise<string> {
  const settings = Object.entries({ ...GENTLE, BASE_URL: base }).flatMap(([name, value]) => ['-e', `${name}=${value}`]);
  const k6 = process.env['K6'] ?? 'k6';
  const args = ['run', '--quiet', '--no-color', '--address', '', ...settings, `loadtest/k6/${script}.js`];
  const { code, out, err } = await runProgram(k6, args);
  if (code !== 0) throw new Error(`k6 run ${script}.js ended with ${code}:\n${`${out}${err}`.slice(-4_000)}`);
  return out + err;
}

/** The audit of the running exchange, by the tool in its image. */
async function audit(): Promise<{ readonly ok: number; readonly breakers: readonly { readonly mode: string }[] }> {
  const { code, out, err } = await run.inside('gateway', 'bourse', 'audit', '--json');
  if (code !== 0) throw new Error(`bourse audit ended with ${code}:\n${(out + err).slice(-3_000)}`);
  return JSON.parse(out) as Awaited<ReturnType<typeof audit>>;
}

beforeAll(async () => {
  if (images === null) throw new Error('The images are brought by `npm test -- containers`: run these tests by it.');
  const names = ['PORT', 'MAIL_PORT', 'PROMETHEUS_PORT', 'ALERTMANAGER_PORT', 'GRAFANA_PORT'];
  const free = await freePorts(names.length);
  ports = Object.fromEntries(names.map((name, at) => [name, String(free[at])]));
  base = `http://127.0.0.1:${ports['PORT']}`;
  file = JSON.parse(await docker('compose', 'config', '--format', 'json')) as ComposeFile;
  const services = Object.entries(file.services).filter(([, { image }]) => !missing.includes(image));
  run = new ComposeRun(
    `bourse-test-${process.pid}`,
    { ...ports, DEMO_PACE: 'calm' },
    services.map(([name]) => name),
  );
});
afterAll(async () => {
  if (images !== null) await run.down();
});

test('the image runs as user 1000, has its labels, and adds at most 250 MB to its base [CONTAINER-001]', async () => {
  const inspect = async (name: string): Promise<{ Size: number; Config: Record<string, unknown> }> =>
    (
      JSON.parse(await docker('image', 'inspect', name)) as readonly { Size: number; Config: Record<string, unknown> }[]
    )[0] ?? { Size: 0, Config: {} };
  const [built, from] = [await inspect(images.current), await inspect(images.base)];
  expect(built.Config).toMatchObject({
    User: '1000:1000',
    Entrypoint: ['node', '--import', '/app/tools/lib/preload.mjs'],
    Labels: {
      'org.opencontainers.image.title': 'bourse',
      'org.opencontainers.image.licenses': 'MIT',
      'org.opencontainers.image.version': expect.any(String),
      'org.opencontainers.image.revision': expect.any(String),
    },
  });
  say(
    `The image has ${(built.Size / 1e6).toFixed(0)} MB, ${((built.Size - from.Size) / 1e6).toFixed(0)} above its base.`,
  );
  expect(built.Size - from.Size).toBeLessThanOrEqual(ADDED_BYTES_MAX);
});

test('docker-compose.yml as it is comes up, and each container is healthy [CONTAINER-002]', async () => {
  await docker('tag', images.current, IN_COMPOSE);
  say(`docker compose up: healthy after ${(await run.up()).toFixed(0)} s.`);
  for (const service of run.services) {
    const { State: state } = await run.container(service);
    expect([service, state.Status, state.Health?.Status]).toEqual(
      service === 'migrate' ? [service, 'exited', undefined] : [service, 'running', 'healthy'],
    );
  }
  expect((await fetch(`${base}/readyz`)).status).toBe(200);
  for (const path of ['/', '/admin/'])
    expect((await fetch(`${base}${path}`)).headers.get('content-type')).toContain('text/html');
});

describe('restrictions of the running containers', () => {
  test('the engine enforces the settings of the file for each container [CONTAINER-003]', async () => {
    for (const service of run.services) {
      const wanted = file.services[service];
      const { Config: config, HostConfig: host } = await run.container(service);
      const { cpus, memory } = wanted?.deploy.resources.limits ?? { cpus: 0, memory: '0' };
      expect([service, host]).toEqual([
        service,
        expect.objectContaining({
          ReadonlyRootfs: wanted?.read_only === true,
          CapDrop: ['ALL'],
          SecurityOpt: ['no-new-privileges:true'],
          Privileged: false,
          Memory: Number(memory),
          NanoCpus: Number(cpus) * 1e9,
        }),
      ]);
      expect(host.CapAdd ?? []).toEqual([]);
      if (wanted?.user !== undefined) expect(config.User).toBe(wanted.user);
    }
  });

  test('a process of the exchange has no root, no capability and a read-only root [CONTAINER-003]', async () => {
    const limit = Number(file.services['gateway']?.deploy.resources.limits.memory);
    const look = [
      'id -u',
      "grep -E '^(CapEff|NoNewPrivs):' /proc/1/status | tr -d '\\t '",
      'cat /sys/fs/cgroup/memory.max /sys/fs/cgroup/memory/memory.limit_in_bytes 2>/dev/null',
      'touch /data/tried /tmp/tried && echo written',
      'touch /app/tried 2>&1; touch /etc/tried 2>&1',
    ].join('; ');
    const lines = (await run.inside('gateway', 'sh', '-c', look)).out.trim().split('\n');
    expect(lines.slice(0, 5)).toEqual(['1000', 'CapEff:0000000000000000', 'NoNewPrivs:1', String(limit), 'written']);
    expect(lines.slice(5)).toEqual([expect.stringMatching(/Read-only/), expect.stringMatching(/Read-only/)]);
    expect(limit).toBe(768 * MIB);
    const servers = { postgres: 'postgres', redis: 'redis', kafka: 'appuser' };
    for (const [service, user] of Object.entries(servers))
      expect([service, (await run.inside(service, 'id', '-un')).out.trim()]).toEqual([service, user]);
  });
});

test('k6 run read.js and orders.js pass by the address alone [CONTAINER-004]', async () => {
  expect(await k6('read')).toMatch(/reads_ok +100 %/);
  expect(await k6('orders')).toMatch(/unreconciled +0 /);
});

test('Prometheus reads every process, and Alertmanager and the mail catcher answer [CONTAINER-005]', async () => {
  const processes = await eventually(async () => {
    const { data } = await getJson<{
      data: { activeTargets: readonly { labels: Readonly<Record<string, string>>; health: string }[] };
    }>(ports['PROMETHEUS_PORT'], '/api/v1/targets');
    return data.activeTargets.every(({ health }) => health === 'up') ? data.activeTargets : undefined;
  }, 30_000);
  expect(processes).toHaveLength(11);
  const { data: rules } = await getJson<{
    data: { groups: readonly { rules: readonly { name: string; health: string; lastError?: string }[] }[] };
  }>(ports['PROMETHEUS_PORT'], '/api/v1/rules');
  const judged = rules.groups.flatMap((group) => group.rules);
  expect(judged.length).toBeGreaterThan(20);
  expect(judged.filter(({ health }) => health === 'err')).toEqual([]);
  const { data: known } = await getJson<{ data: { activeAlertmanagers: readonly unknown[] } }>(
    ports['PROMETHEUS_PORT'],
    '/api/v1/alertmanagers',
  );
  expect(known.activeAlertmanagers).toHaveLength(1);
  expect(await getJson(ports['ALERTMANAGER_PORT'], '/api/v2/status')).toMatchObject({
    config: { original: expect.stringContaining('on-call@exchange.example') },
  });
  // The people of k6 have registered by codes.
  const mail = await getJson<{ total: number }>(ports['MAIL_PORT'], '/api/v1/messages?limit=1');
  expect(mail.total).toBeGreaterThan(0);
});

// Debian has no package of Grafana: where its image cannot be pulled, the suite prints that this test did not run.
const hasGrafana = !missing.some((name) => name.startsWith('grafana/'));
(hasGrafana ? test : test.skip)('Grafana has the dashboards, and its source answers [CONTAINER-006]', async () => {
  expect(await getJson(ports['GRAFANA_PORT'], '/api/health')).toMatchObject({ database: 'ok' });
  const boards = await getJson<readonly { title: string }[]>(ports['GRAFANA_PORT'], '/api/search?type=dash-db');
  expect(boards.length).toBeGreaterThan(0);
  const found = await getJson<{ data: { result: readonly unknown[] } }>(
    ports['GRAFANA_PORT'],
    '/api/datasources/proxy/uid/prometheus/api/v1/query?query=up',
  );
  expect(found.data.result.length).toBeGreaterThan(0);
});

/** Kills the first process of a container as a crash would: the engine itself would take `docker kill` for a wish. */
async function crash(service: string): Promise<void> {
  const { State: state, RestartCount: before } = await run.container(service);
  const kill = ['run', '--rm', '--pid', 'host', '--user', '0', '--entrypoint', 'sh', images.current];
  await docker(...kill, '-c', `kill -9 ${state.Pid}`);
  await eventually(async () => (await run.container(service)).RestartCount > before, 30_000);
}

test.each(['spot-matching', 'redis', 'kafka', 'postgres'])(
  'after %s was killed it comes back, and all containers are healthy again [CONTAINER-007]',
  async (service) => {
    await crash(service);
    const began = Date.now();
    for (const one of run.services.filter((name) => name !== 'migrate'))
      await eventually(async () => (await run.container(one)).State.Health?.Status === 'healthy', 120_000);
    say(`${service} was killed: healthy after ${((Date.now() - began) / 1000).toFixed(0)} s.`);
  },
);

test('orders placed after the crashes reconcile, and the audit is clean [CONTAINER-007]', async () => {
  expect(await k6('orders')).toMatch(/unreconciled +0 /);
  expect(await eventually(async () => ((await audit()).ok === 1 ? 'clean' : undefined), 60_000)).toBe('clean');
});

test('a backup is restored by the page, and the exchange reopens with a clean audit [CONTAINER-008]', async () => {
  const copy = ['pg_basebackup', '-U', 'bourse', '-D', '-', '-Ft', '-X', 'fetch', '--checkpoint=fast'];
  const backup = await run.run(['exec', '-T', 'postgres', ...copy]);
  expect([backup.code, backup.err]).toEqual([0, expect.any(String)]);
  say(`The base backup has ${(backup.bytes.length / 1e6).toFixed(0)} MB.`);
  // What comes after the backup is lost with the restore.
  await k6('orders');
  const began = Date.now();
  await run.must(['stop']);
  const restore = 'find "$PGDATA" -mindepth 1 -delete && tar -x -C "$PGDATA"';
  await run.must(['run', '--rm', '-T', '--no-deps', '--entrypoint', 'sh', 'postgres', '-c', restore], backup.bytes);
  await run.up(['postgres', 'redis', 'kafka']);
  const reconcile = [
    'run',
    '--rm',
    '-T',
    '--no-deps',
    '-e',
    'DATABASE_URL=postgres://bourse:bourse@postgres:5432/exchange',
  ];
  const compared = await run.run([...reconcile, 'migrate', 'reconcile', '--json']);
  expect([compared.code, compared.err]).toEqual([1, expect.any(String)]);
  const { lost, faults } = JSON.parse(compared.out) as { lost: readonly unknown[]; faults: readonly unknown[] };
  expect([lost.length > 0, faults]).toEqual([true, []]);
  expect((await run.run([...reconcile, 'migrate', 'reconcile', '--accept'])).code).toBe(0);
  await run.up();
  say(`The restore took ${((Date.now() - began) / 1000).toFixed(0)} s, from the stop to the healthy exchange.`);
  await eventually(async () => (await audit()).ok === 1, 60_000);
  expect((await audit()).breakers.some(({ mode }) => mode !== 'normal')).toBe(true);
  const reopen = ['bourse', 'breaker', 'all', 'normal', '--reason', 'compared with the chains'];
  const reopened = await run.inside('gateway', ...reopen);
  expect([reopened.code, reopened.err]).toEqual([0, '']);
  expect(await k6('orders')).toMatch(/unreconciled +0 /);
});

test('an exchange of the commit before, upgraded on its own volumes, keeps its people [CONTAINER-009]', async () => {
  await run.down();
  await docker('tag', images.previous, IN_COMPOSE);
  await run.up();
  await k6('orders');
  await docker('tag', images.current, IN_COMPOSE);
  say(`The upgrade took ${(await run.up()).toFixed(0)} s.`);
  const { Image: upgraded } = await run.container('gateway');
  expect(upgraded).toBe(await docker('image', 'inspect', '--format', '{{.Id}}', images.current));
  // The same people sign in again, with what they have.
  expect(await k6('orders')).toMatch(/unreconciled +0 /);
  expect(await eventually(async () => ((await audit()).ok === 1 ? 'clean' : undefined), 60_000)).toBe('clean');
});
