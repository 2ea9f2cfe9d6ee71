#!/usr/bin/env node
// `npx bourse <command>`: the tools of this clone under one name. Runs on Node 20 too, then under the Node 24 of the
// clone.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { become, ensureBuilt, ensureInstalled, fail, nodeFlags, root } from './lib/clone.mjs';

const scripts = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).scripts;
const SCRIPTS = {
  start: 'the exchange in one process',
  'start:distributed': 'one process per service',
  audit: 'the auditor, now',
  replay: 'a book rebuilt from its command log',
  simulate: 'the money core on a virtual clock',
  faults: 'the fault suite',
  loadtest: 'a load scenario',
};
/** Programs of their own, without an npm script. */
const OWN = ['seed', 'operator', 'reconcile', 'keys', 'migrate', 'secrets', 'tick-key'];
const [command, ...args] = process.argv.slice(2);

function usage() {
  const known = Object.entries(SCRIPTS).filter(([name]) => scripts[name] !== undefined);
  return [
    'Usage: npx bourse <command>',
    '',
    '  seed --users N [--tokens FILE] [--data-dir DIR]   people for load tests, on a running demo install',
    '  operator add NAME --roles ROLES [--data-dir DIR]  someone who runs the exchange: support, finance, admin',
    '  operator reset NAME                               a new password and authenticator for an operator',
    '  reconcile [--accept] [--data-dir DIR]             after a restore: what is lost, and whether all streams go on',
    '  migrate                                           roles, logins and tables, with the owner of the database',
    '  keys [--json]                                     a key for each service of the distributed run',
    '  secrets [--accept NAME,NAME] [--data-dir DIR]     whether the secrets of this shell are those of the install',
    '  tick-key [--rotate] [--data-dir DIR]              keys of the recorded prices; asks for another one',
    ...known.map(([name, what]) => `  ${name.padEnd(50)}${what}`),
    '',
    'npx bourse <command> --help tells more of one.',
  ].join('\n');
}

/** The program of an npm script that is one Node program; those of this clone are. */
function scriptProgram(name) {
  const [, file, given] =
    /^node (\S+)(.*)$/.exec(scripts[name]) ?? fail(`npm run ${name} is no Node program; run it with npm.`);
  return [join(root, file), ...given.trim().split(/\s+/).filter(Boolean)];
}

/** What a program says of itself at its head. */
function about(file) {
  const lines = readFileSync(file, 'utf8').split('\n');
  const head = lines.slice(
    0,
    lines.findIndex((line) => !line.startsWith('//') && !line.startsWith('#!')),
  );
  return head
    .filter((line) => line.startsWith('//'))
    .map((line) => line.replace(/^\/\/ ?/, ''))
    .join('\n');
}

const ownProgram = (name) => fileURLToPath(new URL(`./${name}.mjs`, import.meta.url));
const asksForHelp = args.includes('--help') || args.includes('-h');

if (asksForHelp && OWN.includes(command)) {
  console.log(about(ownProgram(command)));
} else if (asksForHelp && SCRIPTS[command] !== undefined && scripts[command] !== undefined) {
  console.log(about(scriptProgram(command)[0]));
} else if (OWN.includes(command)) {
  await ensureInstalled();
  await ensureBuilt([]);
  become([...nodeFlags, ownProgram(command), ...args]);
} else if (command !== undefined && SCRIPTS[command] !== undefined && scripts[command] !== undefined) {
  const program = scriptProgram(command);
  if (!existsSync(program[0])) fail(`${program[0]} is missing.`);
  await ensureInstalled();
  become([...program, ...args]);
} else if (command === undefined || command === 'help' || command === '--help' || command === '-h') {
  console.log(usage());
} else {
  fail(`There is no command ${command}.\n${usage()}`);
}
