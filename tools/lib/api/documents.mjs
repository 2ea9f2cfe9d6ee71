// The interface documents as they are committed under docs/api/: what every installation serves, in one order.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const PATH = /path: '([^']+)'/g;
const METHODS = ['get', 'post', 'put', 'delete', 'patch'];

/** Paths that the services of `examples/` declare: served where an example runs, and no part of the API. */
export function pathsOfExamples(root) {
  const found = new Set();
  const visit = (dir) => {
    for (const entry of readdirSync(dir, { withFileTypes: true }))
      if (entry.isDirectory()) {
        if (!['node_modules', 'dist'].includes(entry.name)) visit(join(dir, entry.name));
      } else if (entry.name.endsWith('.controller.ts'))
        for (const [, path] of readFileSync(join(dir, entry.name), 'utf8').matchAll(PATH)) found.add(path);
  };
  visit(join(root, 'examples'));
  return found;
}

/** `[method, path, operation]` of every call of a document. */
export const operationsOf = ({ paths }) =>
  Object.entries(paths).flatMap(([path, methods]) =>
    METHODS.filter((method) => methods[method]).map((method) => [method, path, methods[method]]),
  );

const sorted = (table) => Object.fromEntries(Object.entries(table).sort(([a], [b]) => (a < b ? -1 : 1)));

/**
 * The public OpenAPI document without calls of demo installs and of examples, and without schemas that nothing names
 * then; paths and schemas in the order of their names.
 */
export function publicOpenApi(served, examples) {
  const paths = {};
  for (const [method, path, operation] of operationsOf(served))
    if (operation['x-call']?.auth !== 'dev' && !examples.has(path))
      paths[path] = { ...paths[path], [method]: operation };
  return only(served, paths);
}

/** The calls of operators alone, out of the document that is served to operators. */
export function operatorsOpenApi(whole) {
  return only(
    whole,
    Object.fromEntries(Object.entries(whole.paths).filter(([path]) => path.startsWith('/api/admin/'))),
  );
}

/** A document of these paths and of the schemas that they name. */
function only(document, paths) {
  const all = document.components.schemas;
  const kept = {};
  const follow = (value) => {
    for (const [, name] of JSON.stringify(value).matchAll(/"#\/components\/schemas\/([^"]+)"/g))
      if (!kept[name] && all[name]) {
        kept[name] = all[name];
        follow(all[name]);
      }
  };
  follow(paths);
  return { ...document, paths: sorted(paths), components: { ...document.components, schemas: sorted(kept) } };
}

/** The AsyncAPI document without the messages of examples. */
export function publicAsyncApi(served, ofExamples) {
  const without = (table) => Object.fromEntries(Object.entries(table).filter(([name]) => !ofExamples.includes(name)));
  const { socket } = served.channels;
  return {
    ...served,
    channels: { socket: { ...socket, messages: without(socket.messages) } },
    operations: without(served.operations),
  };
}

/** Keys that any call may answer, as the schema of a refusal lists them. */
export function commonKeys({ components }) {
  const { description = '' } = components?.schemas?.Refusal?.properties?.key ?? {};
  return description.split('Any call: ')[1]?.split(', ') ?? [];
}

/** Keys of refusals that calls of a document name beyond those of any call, with the calls. */
function keysOf(openApi) {
  const common = commonKeys(openApi);
  const byKey = new Map();
  for (const [method, path, operation] of operationsOf(openApi))
    for (const key of operation['x-refusals'] ?? [])
      if (!common.includes(key)) byKey.set(key, [...(byKey.get(key) ?? []), `\`${method.toUpperCase()} ${path}\``]);
  return byKey;
}

/**
 * The page of all error keys: key, English text, the calls that name it; those of the operators' calls by themselves.
 * `texts` are the server's in English.
 */
export function errorsPage(openApi, operators, texts) {
  const textOf = (key) => texts[key] ?? texts[`${key}_other`] ?? '';
  const cell = (text) => text.replaceAll('|', '\\|').replaceAll('\n', ' ');
  const table = (byKey) => [
    '| key | English text | calls |',
    '|---|---|---|',
    ...[...byKey]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, calls]) => `| \`${key}\` | ${cell(textOf(key))} | ${calls.join(', ')} |`),
  ];
  const everywhere = commonKeys(openApi).map((key) => [key, ['any call']]);
  return [
    '# Error keys',
    '',
    'Made from the code by `npm run api`: not edited by hand. A refusal has no effect. Programs test its `key`; its',
    '`message` is the text below in the language of the caller, with `params` in the places of the braces.',
    'Statuses and types: [contract/api.md](../contract/api.md), 1.4.',
    '',
    ...table([...everywhere, ...keysOf(openApi)]),
    '',
    '## Calls of operators',
    '',
    'Beside the keys of any call. The calls stand in [operators.json](operators.json).',
    '',
    ...table(keysOf(operators)),
    '',
  ].join('\n');
}

/** Keys that a page of error keys lists. */
export const keysOfPage = (page) => new Set([...page.matchAll(/^\| `([^`]+)`/gm)].map(([, key]) => key));
