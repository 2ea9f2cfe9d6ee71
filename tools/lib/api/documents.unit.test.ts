import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';
import ts from 'typescript';
import { commonKeys, errorsPage, keysOfPage, operationsOf } from './documents.mjs';
import { formatText } from '../format.mjs';
import { operatorCallTypes, publicCallTypes, sdkTypes } from './types.mjs';

/* What the committed documents tell of the exchange. */

const root = fileURLToPath(new URL('../../../', import.meta.url));
const read = (file: string): string => readFileSync(join(root, file), 'utf8');
interface Operation {
  readonly 'x-call'?: { readonly auth: string; readonly api_key: string; readonly money: boolean };
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly schema: object }[];
  readonly security?: readonly object[];
  readonly responses: Readonly<Record<string, { readonly headers?: object }>>;
}
interface Document {
  readonly paths: object;
  readonly info: { readonly version: string };
  readonly servers: readonly { readonly url: string }[];
  readonly components: { readonly securitySchemes: Readonly<Record<string, { in: string; name: string }>> };
}
const committed = (name: string): Document => JSON.parse(read(`docs/api/${name}`)) as Document;
const calls = (document: Document): [string, string, Operation][] =>
  operationsOf(document) as [string, string, Operation][];
const openApi = committed('openapi.json');
const operators = committed('operators.json');
const texts = JSON.parse(read('libs/i18n/src/bundles/en/server.json')) as Record<string, string>;
const page = read('docs/api/errors.md');

test('the list of error keys and the types of calls are made of the committed documents [API-004]', async () => {
  expect(errorsPage(openApi, operators, texts)).toBe(page);
  expect(page).not.toMatch(/^\| `[^`]+` \| {2}\|/m);
  expect(calls(openApi).length).toBeGreaterThan(150);
  const types = {
    'libs/contract/src/calls.generated.ts': publicCallTypes(openApi),
    'libs/contract/src/operator-calls.generated.ts': operatorCallTypes(operators, openApi),
    'libs/sdk/src/types.generated.ts': sdkTypes(openApi, committed('asyncapi.json')),
  };
  for (const [file, text] of Object.entries(types)) {
    expect(existsSync(join(root, file))).toBe(true);
    expect(read(file)).toBe(await formatText(join(root, file), text));
  }
});

/** Sources of what answers calls. */
function sources(folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return ['node_modules', 'dist', 'test'].includes(entry.name) ? [] : sources(path);
    return /(?<!\.test)\.ts$/.test(entry.name) && path.includes('/src/') ? [path] : [];
  });
}
/** Keys that a source refuses with, as literals: `new Refused('k')`, also out of `a ? 'k' : 'l'`. */
function refusedIn(text: string): string[] {
  if (!/\b(Refused|refuse|invalid)\(/.test(text)) return [];
  const found: string[] = [];
  const literals = (node: ts.Node): void => {
    if (ts.isStringLiteral(node)) found.push(node.text);
    else if (ts.isConditionalExpression(node)) [node.whenTrue, node.whenFalse].forEach(literals);
    else if (ts.isParenthesizedExpression(node)) literals(node.expression);
    else if (ts.isBinaryExpression(node)) [node.left, node.right].forEach(literals);
  };
  const visit = (node: ts.Node): void => {
    const makes = ts.isNewExpression(node) || ts.isCallExpression(node);
    if (makes && ts.isIdentifier(node.expression) && /^(Refused|refuse|invalid)$/.test(node.expression.text)) {
      const [key] = node.arguments ?? [];
      if (key) literals(key);
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile('one.ts', text, ts.ScriptTarget.ES2022, true));
  return found.filter((key) => Object.hasOwn(texts, key));
}

test('every key that the sources refuse with is listed [API-005]', () => {
  const listed = keysOfPage(page) as Set<string>;
  const refused = ['services', 'libs']
    .flatMap(sources)
    .flatMap((file) => refusedIn(read(file)).map((key) => [key, file]));
  expect(new Set(refused.map(([key]) => key)).size).toBeGreaterThan(100);
  expect(refused.filter(([key]) => !listed.has(key!))).toEqual([]);
  expect(refusedIn("throw new Refused(a ? 'common.noRoute' : b ?? 'auth.wrong', {}); refuse('kyc.state');")).toEqual([
    ...['common.noRoute', 'auth.wrong', 'kyc.state'],
  ]);
  for (const key of ['apikey.signature', 'common.noRoute', 'common.noMethod', 'common.mediaType'])
    expect(commonKeys(openApi)).toContain(key);
});

/** Texts within answers, mails and pushes: no program gets their keys. */
const WITHIN =
  /^(mail|sms|log|notice|coinAbout|c2c\.(line|next|transcript|way))\.|^(acceptor\.(silent|cannotAnswer)|c2c\.appealSilence|login\.success|market\.ok|middleware\.(signature|timestamp)|push\.priceReached\.(title|content)|profit\.rebate|register\.terms|wallet\.(held|note)\w+)$/;

test('every server text is a listed refusal, a notice of a call, or part of an answer [API-005]', () => {
  const listed = keysOfPage(page) as Set<string>;
  const notices = new Set(
    [openApi, operators].flatMap((document) =>
      [...JSON.stringify(document.paths).matchAll(/"key":\{"type":"string","enum":\[([^\]]+)\]/g)].flatMap(([, list]) =>
        list!.split(',').map((key) => key.slice(1, -1)),
      ),
    ),
  );
  expect(notices.size).toBeGreaterThan(50);
  const untold = Object.keys(texts)
    .map((key) => key.replace(/_(zero|one|two|few|many|other)$/, ''))
    .filter((key) => !listed.has(key) && !notices.has(key) && !WITHIN.test(key));
  expect(untold).toEqual([]);
});

test('signing is described for calls of a key, and nowhere else [API-007]', () => {
  const { apiKey, apiTimestamp, apiSignature, token } = openApi.components.securitySchemes;
  expect([token, apiKey, apiTimestamp, apiSignature].map((scheme) => scheme?.name)).toEqual([
    ...['Authorization', 'X-Api-Key', 'X-Api-Timestamp', 'X-Api-Signature'],
  ]);
  const signed = { apiKey: [], apiTimestamp: [], apiSignature: [] };
  const wrong = [openApi, operators].flatMap(calls).filter(([, , operation]) => {
    const { auth, api_key: key } = operation['x-call'] ?? { auth: 'public', api_key: 'none' };
    const wanted =
      auth === 'public' || auth === 'dev' ? undefined : [{ token: [] }, ...(key === 'none' ? [] : [signed])];
    return JSON.stringify(operation.security) !== JSON.stringify(wanted);
  });
  expect(wrong.map(([method, path]) => `${method} ${path}`)).toEqual([]);
  expect(calls(openApi).filter(([, , operation]) => operation.security?.length === 2).length).toBeGreaterThan(30);
});

test('the documents have version, server, languages, and the retry time [API-007]', () => {
  const { version } = JSON.parse(read('package.json')) as { version: string };
  for (const document of [openApi, operators, committed('asyncapi.json')]) expect(document.info.version).toBe(version);
  expect(openApi.servers.map(({ url }) => url)).toEqual(['/']);
  const LOOKS = /^\/(healthz|readyz|metrics)$/;
  const silent = calls(openApi).filter(
    ([, path, { responses, parameters = [] }]) =>
      !LOOKS.test(path) &&
      !(
        ['429', '503'].every((status) => Object.hasOwn(responses[status]?.headers ?? {}, 'Retry-After')) &&
        parameters.some((one) => one.name === 'lang' && one.in === 'header')
      ),
  );
  expect(silent.map(([method, path]) => `${method} ${path}`)).toEqual([]);
});
