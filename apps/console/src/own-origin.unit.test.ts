import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from '@jest/globals';

const HERE = fileURLToPath(new URL('..', import.meta.url));
/** Reads the configuration as `vite build` and `vite dev` do, and says what an origin of its own depends on. */
const READS = `
  import { resolveConfig } from 'vite';
  const { base, define, server } = await resolveConfig({}, 'build');
  console.log(JSON.stringify({ base, exchange: define.__EXCHANGE__, target: server.proxy['/api'].target }));
`;
interface Seen {
  readonly base: string;
  readonly exchange: string;
  readonly target: string;
}
function configWith(settings: Readonly<Record<string, string>>): Seen {
  const { PATH = '', HOME = '' } = process.env;
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', READS], {
    cwd: HERE,
    encoding: 'utf8',
    timeout: 90_000,
    env: { PATH, HOME, ...settings },
  });
  if (status !== 0) throw new Error(stderr);
  return JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as Seen;
}

describe('the address of the console [CONSOLE-325]', () => {
  test('under /admin of the exchange it calls its own origin; `vite dev` asks the exchange of npm start', () => {
    expect(configWith({})).toEqual({ base: '/admin/', exchange: '""', target: 'http://127.0.0.1:8080' });
  }, 120_000);

  test('on an origin of its own it is served at / and calls the configured exchange', () => {
    const told = { CONSOLE_BASE: '/', CONSOLE_EXCHANGE: 'https://exchange.example', BOURSE_URL: 'http://127.0.0.1:9' };
    expect(configWith(told)).toEqual({
      base: '/',
      exchange: '"https://exchange.example"',
      target: 'http://127.0.0.1:9',
    });
  }, 120_000);
});
