import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';
import { brokenCitations, readLaw } from './citations.mjs';

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
