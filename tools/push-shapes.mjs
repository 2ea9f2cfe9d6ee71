#!/usr/bin/env node
/*
 * Writes libs/realtime/src/push-shapes.ts and private-shapes.ts: what the socket sends, as JSON Schema made from the
 * contract's schemas, so that the page checks each message without a schema library. The private ones are a file of
 * their own: a guest never loads it. `--check` fails when a file is not what the schemas say.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import * as z from 'zod/mini';
import { PRIVATE_EVENTS, PUBLIC_EVENTS } from '../libs/contract/dist/index.js';
import { formatText } from './lib/format.mjs';

const fileOf = (name) => fileURLToPath(new URL(`../libs/realtime/src/${name}`, import.meta.url));

/**
 * Keywords that every schema has: the dialect, whether further fields are admitted, and the bounds of a safe integer.
 */
const SPARED = ['$schema', 'additionalProperties', 'minimum', 'maximum'];

/** The words that `fits` of libs/realtime knows; another one in a schema is an error here, not a hole there. */
function shapeOf(schema) {
  const known = {};
  for (const [word, value] of Object.entries(schema)) {
    if (SPARED.includes(word)) continue;
    if (word === 'type' || word === 'const' || word === 'enum' || word === 'required') known[word] = value;
    else if (word === 'items') known.items = shapeOf(value);
    else if (word === 'anyOf') known.anyOf = value.map(shapeOf);
    else if (word === 'properties')
      known.properties = Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, shapeOf(inner)]));
    else throw new Error(`no check in the page for the JSON Schema word ${word}`);
  }
  return known;
}
const shapes = (events, fields) =>
  Object.fromEntries(
    Object.entries(events).map(([name, event]) => [
      name,
      { ...fields(event), payload: shapeOf(z.toJSONSchema(event.payload)) },
    ]),
  );

const LIVE = Object.keys(PRIVATE_EVENTS).filter((name) => PRIVATE_EVENTS[name].lane !== 'numbered');

const HEAD = "// Made by `node tools/push-shapes.mjs` from the contract's schemas: not edited by hand.";
const FILES = {
  'push-shapes.ts': `${HEAD}
import type { Channel, PrivateEventName, PublicEventName } from '@bourse/contract';
import type { Shape } from './fits.js';

/** Public messages of the socket by name: what one subscribes to, and what fits. */
export const PUBLIC_SHAPES: Readonly<Record<PublicEventName, { readonly channel: Channel; readonly payload: Shape }>> =
${JSON.stringify(shapes(PUBLIC_EVENTS, ({ channel }) => ({ channel })))};

/** Names of the private messages; their shapes are in private-shapes.ts. */
export const PRIVATE_NAMES: readonly PrivateEventName[] = ${JSON.stringify(Object.keys(PRIVATE_EVENTS))};
/** Those of them that are states: they have the number of the last numbered message, and count none. */
export const LIVE_NAMES: readonly PrivateEventName[] = ${JSON.stringify(LIVE)};
`,
  'private-shapes.ts': `${HEAD}
import type { PrivateEventName } from '@bourse/contract';
import type { Shape } from './fits.js';

/** Private messages of the socket by name, and what fits. */
export const PRIVATE_SHAPES: Readonly<Record<PrivateEventName, { readonly payload: Shape }>> = ${JSON.stringify(
    shapes(PRIVATE_EVENTS, () => ({})),
  )};
`,
};
for (const [name, source] of Object.entries(FILES)) {
  const file = fileOf(name);
  const text = await formatText(file, source);
  if (!process.argv.includes('--check')) await writeFile(file, text);
  else if ((await readFile(file, 'utf8')) !== text) {
    console.error(`libs/realtime/src/${name} is not what the contract says: run \`node tools/push-shapes.mjs\`.`);
    process.exitCode = 1;
  }
}
