#!/usr/bin/env node
/*
 * `npm run api`: writes docs/api/openapi.json, asyncapi.json and errors.md, and the types of @bourse/sdk, from what a
 * fresh exchange of this clone serves; names what breaks since the release in docs/api/released/.
 *   --url <address>   take the documents of an exchange that runs
 *   --release         what is served now becomes the release that later ones are compared with
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import * as prettier from 'prettier';
import { PRIVATE_EVENTS } from '../libs/contract/dist/index.js';
import { breakingAsyncApi, breakingOpenApi } from './lib/api/breaking.mjs';
import { errorsPage, pathsOfExamples, publicAsyncApi, publicOpenApi } from './lib/api/documents.mjs';
import { sdkTypes } from './lib/api/types.mjs';
import { root } from './lib/clone.mjs';
import { onEmbedded } from './lib/suites/stands.mjs';

const { values } = parseArgs({ options: { url: { type: 'string' }, release: { type: 'boolean', default: false } } });

async function write(file, text) {
  const path = join(root, file);
  writeFileSync(
    path,
    file.endsWith('.md')
      ? text
      : await prettier.format(text, { ...(await prettier.resolveConfig(path)), filepath: path }),
  );
}

async function writeAll(url) {
  const read = async (path) => (await fetch(`${url}${path}`)).json();
  const ofExamples = Object.keys(PRIVATE_EVENTS).filter((name) => PRIVATE_EVENTS[name].example);
  const openApi = publicOpenApi(await read('/api/openapi.json'), pathsOfExamples(root));
  const asyncApi = publicAsyncApi(await read('/api/asyncapi.json'), ofExamples);
  const texts = JSON.parse(readFileSync(join(root, 'libs/i18n/src/bundles/en/server.json'), 'utf8'));
  await write('docs/api/openapi.json', JSON.stringify(openApi));
  await write('docs/api/asyncapi.json', JSON.stringify(asyncApi));
  await write('docs/api/errors.md', errorsPage(openApi, texts));
  await write('libs/sdk/src/types.generated.ts', sdkTypes(openApi, asyncApi));
  if (values.release) {
    await write('docs/api/released/openapi.json', JSON.stringify(openApi));
    await write('docs/api/released/asyncapi.json', JSON.stringify(asyncApi));
  }
  const released = (name) => JSON.parse(readFileSync(join(root, 'docs/api/released', name), 'utf8'));
  const breaking = [
    ...breakingOpenApi(released('openapi.json'), openApi),
    ...breakingAsyncApi(released('asyncapi.json'), asyncApi),
  ];
  console.log(
    `${Object.keys(openApi.paths).length} paths; since the release ${breaking.length} changes break programs.`,
  );
  for (const change of breaking) console.log(`  ${change}`);
  return { failed: 0, notes: [] };
}

if (values.url) await writeAll(values.url);
else await onEmbedded('api', ({ BOURSE_URL }) => writeAll(BOURSE_URL), undefined, { MAKER: 'off' });
