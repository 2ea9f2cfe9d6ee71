import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';
import { brokenCitations, brokenPaths, readLaw, readPaths } from './citations.mjs';

const law = readLaw(fileURLToPath(new URL('../../docs', import.meta.url)));
// Put together here, so that this file cites nothing by itself.
const cite = (name: string, ...places: string[]): string =>
  `${name} ${places.map((place) => `\u00a7${place}`).join(', ')}`;

test('citations that lead to a heading, an invariant or a proof pass [START-020]', () => {
  const text = ['api', 'rules', 'invariants', 'architecture'].map((name) => cite(name, '1')).join('; ');
  expect(brokenCitations(`// ${text}\n// ${cite('api', '6.16', '2.12')} and I7 [${'LEDGER'}-003]`, law)).toEqual([]);
});

test('a citation that leads nowhere is named with its line [START-020]', () => {
  const text = `one\n// ${cite('api', '2.1', '9.9')}\n// ${cite('', '3')}\n// ${'I'}99 [${'NONE'}-999]`;
  expect(brokenCitations(text, law)).toEqual([
    '2: api \u00a79.9 is no heading',
    '3: \u00a7 without the name of its document',
    `4: ${'I'}99 is no invariant`,
    '4: NONE-999 is in no page of docs/proofs',
  ]);
});

test('a document cites itself without its name, where the section is [START-020]', () => {
  const text = '\u00a72.1 and \u00a79.9';
  expect(brokenCitations(text, law, 'invariants')).toEqual(['1: invariants \u00a79.9 is no heading']);
});

const FILES = ['README.md', 'services/auth/src/sign-in/application/sessions.ts', 'docs/glossary.md'];

test('a cited path that is a tracked file, a folder or the end of one passes [START-027]', () => {
  const text = [
    '`services/auth/src/sign-in/application/sessions.ts`, `auth/src/sign-in/`, `sign-in/application/sessions.ts`,',
    '`sessions.ts`, `services/*/src/sign-in`, `docs/{glossary,glossary}.md`, `sign-in/application/{sessions}.ts`,',
    '`services/auth/dist/main.js`, `.cache/logs/k6.log`, `BTC/USDT`, `market/trades`, `./own.mjs`, `text/html`',
  ].join('\n');
  expect(brokenPaths(text, readPaths(FILES))).toEqual([]);
});

test('a cited path that is no tracked file or folder is named with its line [START-027]', () => {
  const text = [
    '`auth/src/application/sessions.ts` and `services/auth/src/adapters`',
    '`docs/{glossary,missing}.md`, `session.ts`, `services/*/lib/*.ts`, `sign-in/http/`',
  ].join('\n');
  expect(brokenPaths(text, readPaths(FILES))).toEqual([
    '1: auth/src/application/sessions.ts is no tracked path',
    '1: services/auth/src/adapters is no tracked path',
    '2: docs/missing.md is no tracked path',
    '2: session.ts is no tracked path',
    '2: services/*/lib/*.ts is no tracked path',
    '2: sign-in/http/ is no tracked path',
  ]);
});
