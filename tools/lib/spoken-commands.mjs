// The commands that pages of the repository name: each is one that there is, with the options it is given.
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { SCENARIOS } from '../../loadtest/scenarios.mjs';
import { commands } from './commands.mjs';

/** Lines of blocks of code, and texts in backticks. */
function spoken(text) {
  const blocks = [...text.matchAll(/^```[^\n]*\n([\s\S]*?)^```/gm)].flatMap(([, block]) => block.split('\n'));
  const indented = text.split('\n').filter((line) => /^ {4}\S/.test(line));
  const inLine = [...text.replace(/^```[\s\S]*?^```/gm, '').matchAll(/`([^`\n]+)`/g)].map(([, code]) => code);
  return [...blocks, ...indented, ...inLine];
}

const WORDS = String.raw`((?: +(?!#)[^\s|;&)>]+)*)`;
const KINDS = [
  ['bourse', new RegExp(String.raw`(?:^|npx |-- |… )bourse(?= )${WORDS}`, 'g')],
  ['bin', new RegExp(String.raw`npx (bourse-[\w-]+)${WORDS}`, 'g')],
  ['script', new RegExp(String.raw`\bnpm (?:run (?:-s |--silent )?([\w:-]+)|(test|start)\b)${WORDS}`, 'g')],
  [
    'file',
    new RegExp(
      String.raw`(?:^|[\s;])(?:node|python3|k6 run) ((?:-e \S+ |--[\w-]+ )*)(\S+\.(?:mjs|js|py))${WORDS}`,
      'g',
    ),
  ],
  ['folder', /\bkubectl apply((?: -[kf] [\w./-]+)+)/g],
];

/** Every command that a text names, as `{ kind, said, name, words }`. */
export function commandsIn(text) {
  return spoken(text).flatMap((line) =>
    KINDS.flatMap(([kind, pattern]) =>
      [...line.matchAll(pattern)].map((match) => {
        const parts = match.slice(1).map((part) => part ?? '');
        const words = (parts.at(-1) ?? '').trim().split(/\s+/).filter(Boolean);
        return {
          kind,
          said: match[0].trim(),
          name: parts.find((part, i) => part !== '' && (kind !== 'file' || i === 1)),
          words,
        };
      }),
    ),
  );
}

const optionsOf = (words) => words.map((word) => /^\[?(--[a-z][\w-]*)/.exec(word)?.[1]).filter(Boolean);
const bourse = commands();
/** The command of `bourse` that these words name, and what of them is left. */
function named(words) {
  let [command, rest] = [bourse, words];
  for (;;) {
    const next = command.commands.find((one) => one.name() === rest[0]);
    if (!next) return { command, rest };
    [command, rest] = [next, rest.slice(1)];
  }
}

/**
 * Returns why a command of a page would fail as written; null if it would work. `scripts` are those of the root,
 * `parts` those of each package by name and folder, `bins` the programs of packages by name, `suites` those of `npm
 * test`. Options of `bourse` are checked by commander, those of a program by a search in its text.
 */
export function commandProblem(root, page, { kind, name, words }, { scripts, parts, bins, suites }) {
  const file = (path) => [join(root, path), join(root, dirname(page), path)].find(existsSync);
  const lacks = (path, given) => {
    const text = readFileSync(path, 'utf8');
    const unknown = optionsOf(given).find(
      (one) => !text.includes(`'${one.slice(2)}'`) && !text.includes(`${one.slice(2)}:`) && !text.includes(`'${one}'`),
    );
    return unknown === undefined ? null : `knows no ${unknown}`;
  };
  if (kind === 'bourse') {
    const { command, rest } = named(words);
    if (command === bourse && rest[0] !== '--help' && !/^<|^…/.test(rest[0] ?? '')) return `bourse has no ${rest[0]}`;
    if (command.commands.length > 0 && command !== bourse) return `bourse ${command.name()} has no ${rest[0]}`;
    const known = new Set(['--help', ...command.options.map(({ long }) => long)]);
    const unknown = optionsOf(rest).find((one) => !known.has(one));
    return unknown === undefined || command._allowUnknownOption ? null : `bourse ${command.name()} knows no ${unknown}`;
  }
  if (kind === 'bin') return bins[name] === undefined ? `there is no ${name}` : lacks(join(root, bins[name]), words);
  if (kind === 'file') {
    // `<scenario>.js` means any file of a folder.
    const path = file(name.replace(/<.*$/, ''));
    return path === undefined ? `there is no ${name}` : name.includes('<') ? null : lacks(path, words);
  }
  if (kind === 'folder') {
    const gone = name
      .trim()
      .split(/\s+/)
      .find((word) => word.startsWith('k8s/') && !file(word));
    return gone === undefined ? null : `there is no ${gone}`;
  }
  const part = /-w (\S+)/.exec(words.join(' '))?.[1];
  const script = (part === undefined ? scripts : (parts[part] ?? {}))[name];
  if (script === undefined) return `there is no script ${name}${part === undefined ? '' : ` of ${part}`}`;
  const given = words.filter((word) => word !== '--' && word !== '[--');
  if (name === 'test') {
    const unknown = given.find((word) => /^[a-z]+$/.test(word) && !suites.includes(word));
    return unknown === undefined ? null : `there is no suite ${unknown}`;
  }
  if (name === 'loadtest' && /^[a-z]+$/.test(given[0] ?? '') && !SCENARIOS[given[0]])
    return `there is no scenario ${given[0]}`;
  const program = /^node (?:--[\w-]+ )*(\S+\.mjs)$/.exec(script)?.[1];
  return program === undefined ? null : lacks(join(root, program), given);
}
