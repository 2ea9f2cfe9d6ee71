import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from '@jest/globals';
import { BREAKER_SCOPES } from '@bourse/contract';

const root = fileURLToPath(new URL('../../', import.meta.url));
interface Ended {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}
const run = (...args: readonly string[]): Promise<Ended> =>
  new Promise((resolve) => {
    execFile(process.execPath, args, { cwd: root }, (error, out, err) =>
      resolve({ code: error ? Number(error.code) : 0, out, err }),
    );
  });

describe.each([
  ['faults', 'tools/faults.mjs', ['--mode', '--only', '--part', '--seed', '--short']],
  ['planted', 'tools/planted.mjs', ['--only', '--fast', '--list', '--json']],
  ['simulate', 'tools/simulate.mjs', ['--seeds', '--seed', '--trace', '--hours', '--crowd', '--keep-going', '--json']],
  ['start:distributed', 'tools/start-distributed.mjs', ['--copies']],
  ['bench:compare', 'loadtest/compare.mjs', ['--scenario', '--rounds', '--duration', '--distributed', '--limit']],
  ['loadtest', 'loadtest/run.mjs', ['--embedded', '--distributed', '--url', '--data-dir', '--users', '--duration']],
])('npm run %s', (name, file, options) => {
  test('describes itself and each of its options by --help [PROJECT-014]', async () => {
    const { code, out, err } = await run(file, '--help');
    expect([code, err]).toEqual([0, '']);
    expect(out).toContain(`Usage: npm run ${name} -- `);
    for (const option of options) expect(out).toContain(option);
  });

  test('refuses unknown arguments in a sentence, with its usage [PROJECT-014]', async () => {
    const { code, err } = await run(file, '--nonsense');
    expect(code).toBe(1);
    expect(err).toContain("Unknown option '--nonsense'.");
    expect(err).toContain(`Usage: npm run ${name} -- `);
    expect(err).not.toMatch(/^\s+at /m);
  });
});

test('bourse breaker --help names every scope [DEPLOY-069]', async () => {
  const { out } = await run('tools/bourse.mjs', 'breaker', '--help');
  const scopes = /Scopes: (.*), or a pair/.exec(out)?.[1]?.split(', ');
  expect(scopes).toEqual(['all', ...BREAKER_SCOPES]);
});

test.each([
  ['--seeds', '5..1'],
  ['--seeds', 'a..b'],
  ['--seeds', ''],
  ['--hours', 'long'],
  ['--hours', '0'],
])('a simulation of no seed, %s %j, is refused and is no success [PROJECT-017]', async (...args) => {
  const { code, err } = await run('tools/simulate.mjs', ...args);
  expect([code, err]).toEqual([1, expect.stringContaining(`${args[0]} is a`)]);
});

test('planted mistakes are not caught if none is called so [PROJECT-017]', async () => {
  const { code, err } = await run('tools/planted.mjs', '--only', 'nosuch', '--fast');
  expect([code, err]).toEqual([1, expect.stringContaining('No mistake is called nosuch')]);
});

test('npm start describes itself by --help, installs nothing, and refuses other options [PROJECT-014]', async () => {
  const { code, out, err } = await run('tools/start.mjs', '--help');
  expect([code, err]).toEqual([0, '']);
  expect(out).toContain('Usage: npm start');
  expect(out).not.toContain('Installing');
  expect(await run('tools/start.mjs', '--nonsense')).toMatchObject({
    code: 1,
    err: expect.stringContaining('--nonsense'),
  });
});
