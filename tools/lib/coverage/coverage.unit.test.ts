import { describe, expect, test } from '@jest/globals';
import { bestTests, indexTests } from './choose.mjs';
import { callsOf, contractCalls, contractShapes, sentencesOf, sourceCalls } from './documents.mjs';
import { readHand, resolveRow } from './hand.mjs';
import { renderPage } from './page.mjs';
import { codesOf } from './tests.mjs';

describe('names in the documents', () => {
  test.each([
    ['GET, POST /api/a/b', ['GET /api/a/b', 'POST /api/a/b']],
    ['POST /api/a/b, c, d', ['POST /api/a/b', 'POST /api/a/c', 'POST /api/a/d']],
    ['GET /api/a, POST /api/b', ['GET /api/a', 'POST /api/b']],
    ['GET /api/a, GET and POST /api/b', ['GET /api/a', 'GET /api/b', 'POST /api/b']],
    ['GET, POST, DELETE /api/a; POST /api/b', ['GET /api/a', 'POST /api/a', 'DELETE /api/a', 'POST /api/b']],
    ['no call at all', []],
  ])('%s [COVER-006]', (cell, names) => {
    expect(callsOf(cell).map(({ method, path }: { method: string; path: string }) => `${method} ${path}`)).toEqual(
      names,
    );
  });

  test('calls of tables and of sentences, each once, with their section [COVER-006]', () => {
    const text =
      '## 2. Calls\n### 2.1 a\n| Call | x |\n|---|---|\n| GET /api/a | y |\n| GET /api/a | z |\n' +
      'See `POST /api/b` (id*).';
    expect(contractCalls(text)).toMatchObject([
      { name: 'GET /api/a', section: '2.1' },
      { name: 'POST /api/b', section: '2.1' },
    ]);
  });

  test('calls of a source document in its own words [COVER-006]', () => {
    const text =
      '## 7. The calls\n- POST /api/sms_send or /api/sms_mail: user_string.\n' +
      '- GET and POST /api/jc/bind\n## 8. x\nGET /api/no';
    expect(sourceCalls(text).map(({ name }: { name: string }) => name)).toEqual([
      'POST /api/sms_send',
      'POST /api/sms_mail',
      'GET /api/jc/bind',
      'POST /api/jc/bind',
    ]);
  });

  test('shapes with their fields, sentences without heads of tables [COVER-006]', () => {
    const text =
      '## 1. A\n```ts\ntype One = { a: N, b?: S }      type Two = One & { c: D }\n```\n' +
      'First. Second one.\n| h | i |\n|---|---|\n| 1 | 2 |\n';
    expect(contractShapes(text)).toEqual([
      { name: 'One', section: '1', fields: ['a', 'b'] },
      { name: 'Two', section: '1', fields: ['c'] },
    ]);
    expect(sentencesOf(text).map((one: { text: string }) => one.text)).toEqual(['First.', 'Second one.', '1 | 2']);
  });
});

describe('exceptions from a sentence', () => {
  test('are last in their row, are no proof, and are shown on the page [COVER-007]', () => {
    const row = readHand('rules').find(({ begins }: { begins: string }) => begins === 'closed_type 1 user,')!;
    expect(row.proofs.map(({ name }: { name: string }) => name)).toEqual(['LEVER-046', 'LEVER-001']);
    expect(row.but).toMatch(/^nothing makes a 5: /);
    const written = { item: 'One, two.', source: '3', carriers: [], proved: [] };
    const page = renderPage({
      groups: [{ title: 'Rules', about: '', rows: [{ ...written, but: 'not two' }, written] }],
      notYet: [],
    });
    expect(page).toContain('| One, two. **But** not two. | 3 |');
    expect(page).toContain('| One, two. | 3 |');
  });
});

describe('which test proves an item', () => {
  const testOf = (file: string, title: string, reached: object[]) => ({ file, title, codes: codesOf(title), reached });
  const direct = testOf('a.contract.test.ts', 'takes [COVER-006]', [{ text: '/api/x', far: 0, method: 'POST' }]);
  const onTheWay = testOf('b.contract.test.ts', 'another', [{ text: '/api/x', far: 2, method: 'POST' }]);
  const wrongMethod = testOf('c.contract.test.ts', 'reads', [{ text: '/api/x', far: 0, method: 'GET' }]);
  const byTemplate = testOf('d.contract.test.ts', 'steps', [
    { text: '/api/y/', far: 1, isOpen: true, tail: '' },
    { text: 'user_pay', far: 0 },
  ]);

  test('the one that calls it itself, by its method, under whatever helper [COVER-006]', () => {
    const { byPath } = indexTests([onTheWay, wrongMethod, direct, byTemplate], new Set(['/api/x', '/api/y/user_pay']));
    expect(bestTests(byPath.get('/api/x'), { method: 'POST', words: [] })).toEqual([direct]);
    expect(bestTests(byPath.get('/api/y/user_pay'), { method: 'POST', words: [] })).toEqual([byTemplate]);
    expect(bestTests(byPath.get('/api/z'), { method: 'POST', words: [] })).toEqual([]);
  });

  test('no attack, walk, stub or view of the console proves a call [COVER-006]', () => {
    const reached = [{ text: '/api/x', far: 0, method: 'POST' }];
    const besides = [
      'apps/exchange/test/contract/attack.people.contract.test.ts',
      'apps/exchange/test/contract/fairness.contract.test.ts',
      'apps/exchange/test/tools/no-rigging.unit.test.ts',
      'apps/console/test/desk.full.browser.test.ts',
      'libs/api-client/src/client.unit.test.ts',
    ].map((file) => testOf(file, 'comes by [COVER-006]', reached));
    const { byPath } = indexTests([...besides, onTheWay], new Set(['/api/x']));
    expect(bestTests(byPath.get('/api/x'), { method: 'POST', isServed: true, words: [] })).toEqual([onTheWay]);
  });

  test('codes of a title [COVER-006]', () => {
    expect(codesOf(`a title [${'SPOT'}-001, 002] and [${'LEVER'}-010]`)).toEqual(['SPOT-001', 'SPOT-002', 'LEVER-010']);
  });

  test('a line that names a missing item is reported [COVER-006]', () => {
    const line = {
      page: 'docs/coverage/x.md',
      begins: 'A sentence',
      carriers: [{ name: 'package.json', text: 'no such text' }, { name: 'no/such/file.ts' }],
      proofs: [{ name: 'NONE-999' }],
    };
    expect(resolveRow(line, new Map(), []).problems).toHaveLength(3);
    expect(resolveRow({ ...line, carriers: [], proofs: [] }, new Map(), []).problems).toHaveLength(2);
    expect(resolveRow({ ...line, begins: 'A sentence +' }, new Map(), []).problems).toHaveLength(4);
  });

  test('a code with a text of the title chooses among its tests [COVER-006]', () => {
    const line = {
      page: 'docs/coverage/x.md',
      begins: 'A sentence',
      carriers: [{ name: 'package.json' }],
      proofs: [{ name: 'COVER-006', text: 'another' }],
    };
    const known = new Map([['COVER-006', [direct, { ...onTheWay, title: 'another one' }]]]);
    expect(resolveRow(line, known, []).proved).toMatchObject([{ file: 'b.contract.test.ts' }]);
    const unknown = { ...line, proofs: [{ name: 'COVER-006', text: 'no such' }] };
    expect(resolveRow(unknown, known, []).problems).toHaveLength(1);
  });
});
