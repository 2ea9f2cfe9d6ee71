#!/usr/bin/env node
/*
 * `npm run schemathesis`: sends what openapi.json admits, and what it does not, to every call of a fresh exchange of
 * this clone, as a guest and as a user, and fails if an answer is a server error or is not in the document. Bounded: a
 * number of tries a call and a time in all. It runs each night.
 *   --url <address>     take an exchange that runs
 *   --tries <number>    of each call; 10 without it
 *   --seconds <number>  for each of the two callers; 600 without it
 *   --seed <number>     of what is sent; the day without it
 */
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { cacheDir, fail } from './lib/clone.mjs';
import { onEmbedded } from './lib/suites/stands.mjs';

const VERSION = '4.32.5';
const { values } = parseArgs({
  options: {
    url: { type: 'string' },
    tries: { type: 'string', default: '10' },
    seconds: { type: 'string', default: '600' },
    seed: { type: 'string', default: String(Math.floor(Date.now() / 86_400_000)) },
  },
});

/** Calls that end the session of the caller, or change the exchange for everybody. */
const LEFT_OUT = '/logout$|session_revoke|/freeze$|^/dev/|/upload$';

const run = (args, env = {}) =>
  new Promise((resolve, reject) => {
    // It writes its cache into the working directory.
    const child = spawn('python3', args, { stdio: 'inherit', cwd: cacheDir, env: { ...process.env, ...env } });
    child.once('error', reject);
    child.once('exit', (code) => resolve(code ?? 1));
  });

/** The folder of Python packages that holds schemathesis, fetched once. */
async function packages() {
  const folder = join(cacheDir, 'tools', `schemathesis-${VERSION}`);
  if (existsSync(folder)) return folder;
  const building = `${folder}.new-${process.pid}`;
  rmSync(building, { recursive: true, force: true });
  mkdirSync(join(cacheDir, 'tools'), { recursive: true });
  if ((await run(['-m', 'pip', 'install', '-q', '--target', building, `schemathesis==${VERSION}`])) !== 0)
    fail('schemathesis could not be fetched');
  renameSync(building, folder);
  return folder;
}

async function tokenAt(url) {
  const response = await fetch(`${url}/api/user/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ user_string: 'trader1@demo.bourse', password: 'Harbor-2468' }),
  });
  const { type, message } = await response.json();
  if (type !== 'ok') fail(`the person of the run cannot sign in: ${message}`);
  return message;
}

async function tryAll(url) {
  const folder = await packages();
  const limits = ['--max-examples', values.tries, '--max-time', values.seconds, '--seed', values.seed];
  let failed = 0;
  for (const token of [null, await tokenAt(url)]) {
    const code = await run(
      [
        ...['-m', 'schemathesis.cli', 'run', `${url}/api/openapi.json`, '--no-color', '--warnings', 'off'],
        ...['--phases', 'examples,coverage,fuzzing', '--workers', '2', '--generation-database', 'none', ...limits],
        ...['--checks', 'not_a_server_error,content_type_conformance,response_schema_conformance'],
        ...['--exclude-path-regex', LEFT_OUT],
        ...(token === null ? [] : ['--header', `Authorization: ${token}`]),
      ],
      { PYTHONPATH: folder },
    );
    if (code !== 0) failed += 1;
  }
  return { failed, notes: [] };
}

if (values.url) process.exitCode = (await tryAll(values.url)).failed;
else {
  const { failed } = await onEmbedded('schemathesis', ({ BOURSE_URL }) => tryAll(BOURSE_URL));
  process.exitCode = failed;
}
