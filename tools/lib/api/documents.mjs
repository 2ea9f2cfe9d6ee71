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
  const all = served.components.schemas;
  const kept = {};
  const follow = (value) => {
    for (const [, name] of JSON.stringify(value).matchAll(/"#\/components\/schemas\/([^"]+)"/g))
      if (!kept[name] && all[name]) {
        kept[name] = all[name];
        follow(all[name]);
      }
  };
  follow(paths);
  return { ...served, paths: sorted(paths), components: { ...served.components, schemas: sorted(kept) } };
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
  const { description = '' } = components.schemas.Refusal.properties.key;
  return description.split('Any call: ')[1]?.split(', ') ?? [];
}

/** The page of all error keys: key, English text, the calls that name it. `texts` are the server's in English. */
export function errorsPage(openApi, texts) {
  const byKey = new Map(commonKeys(openApi).map((key) => [key, ['any call']]));
  for (const [method, path, operation] of operationsOf(openApi))
    for (const key of operation['x-refusals'] ?? []) {
      const calls = byKey.get(key) ?? [];
      if (calls[0] !== 'any call') byKey.set(key, [...calls, `${method.toUpperCase()} ${path}`]);
    }
  const textOf = (key) => texts[key] ?? texts[`${key}_other`] ?? '';
  const cell = (text) => text.replaceAll('|', '\\|').replaceAll('\n', ' ');
  const rows = [...byKey]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, calls]) => `| \`${key}\` | ${cell(textOf(key))} | ${calls.map((call) => `\`${call}\``).join(', ')} |`);
  return [
    '# Error keys',
    '',
    'Made from the code by `npm run api`: not edited by hand. A refusal has no effect. Programs test its `key`; its',
    '`message` is the text below in the language of the caller, with `params` in the places of the braces.',
    'Statuses and types: [contract/api.md](../contract/api.md), 1.4.',
    '',
    '| key | English text | calls |',
    '|---|---|---|',
    ...rows,
    '',
  ].join('\n');
}
