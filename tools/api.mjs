#!/usr/bin/env node
/*
 * `npm run api`: writes docs/api/openapi.json, asyncapi.json, operators.json and errors.md, the types of all calls of
 * @bourse/contract, and those of @bourse/sdk, from what a fresh exchange of this clone serves; names what breaks since
 * the release in docs/api/released/. Refuses a build that is older than the sources.
 *   --url <address>   take the documents of an exchange that runs
 *   --release         make the served documents the release that later ones are compared with; docs/releasing.md
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { PRIVATE_EVENTS } from '../libs/contract/dist/index.js';
import {
  BASELINE,
  baselineOf,
  breakingSince,
  dayOf,
  digestsOf,
  DOCUMENTS,
  moveProblems,
  sinceLine,
} from './lib/api/baseline.mjs';
import { errorsPage, operatorsOpenApi, pathsOfExamples, publicAsyncApi, publicOpenApi } from './lib/api/documents.mjs';
import { operatorCallTypes, publicCallTypes, sdkTypes } from './lib/api/types.mjs';
import { fail, isBuildCurrent, root } from './lib/clone.mjs';
import { formatText } from './lib/format.mjs';
import { exchangeAt } from './lib/operator-calls.mjs';
import { onEmbedded } from './lib/suites/stands.mjs';

const { values } = parseArgs({ options: { url: { type: 'string' }, release: { type: 'boolean', default: false } } });

async function write(file, text) {
  const path = join(root, file);
  writeFileSync(path, await formatText(path, text));
}

async function writeAll(url) {
  const read = async (path, headers = {}) => (await fetch(`${url}${path}`, { headers })).json();
  const ofExamples = Object.keys(PRIVATE_EVENTS).filter((name) => PRIVATE_EVENTS[name].example);
  const openApi = publicOpenApi(await read('/api/openapi.json'), pathsOfExamples(root));
  const asyncApi = publicAsyncApi(await read('/api/asyncapi.json'), ofExamples);
  const operators = operatorsOpenApi(
    await exchangeAt(url).asOperator((_call, token) => read('/api/admin/openapi.json', { authorization: token })),
  );
  const texts = JSON.parse(readFileSync(join(root, 'libs/i18n/src/bundles/en/server.json'), 'utf8'));
  const documents = { 'openapi.json': openApi, 'asyncapi.json': asyncApi, 'operators.json': operators };
  for (const name of DOCUMENTS) await write(`docs/api/${name}`, JSON.stringify(documents[name]));
  await write('docs/api/errors.md', errorsPage(openApi, operators, texts));
  await write('libs/contract/src/calls.generated.ts', publicCallTypes(openApi));
  await write('libs/contract/src/operator-calls.generated.ts', operatorCallTypes(operators, openApi));
  await write('libs/sdk/src/types.generated.ts', sdkTypes(openApi, asyncApi));
  if (values.release) await release();
  const breaking = breakingSince(root);
  const calls = Object.keys(openApi.paths).length + Object.keys(operators.paths).length;
  console.log(`${calls} paths. ${sinceLine(baselineOf(root))} ${breaking.length} changes break programs.`);
  for (const change of breaking) console.log(`  ${change}`);
  return { failed: 0, notes: [] };
}

/** Makes the written documents the baseline of this tree's version and empties the list of breaking changes. */
async function release() {
  for (const name of DOCUMENTS)
    writeFileSync(join(root, 'docs/api/released', name), readFileSync(join(root, 'docs/api', name)));
  const baseline = { version, released: dayOf(changelog, version), sha256: digestsOf(root) };
  await write(BASELINE, JSON.stringify(baseline));
  const page = readFileSync(join(root, 'docs/api/breaking.md'), 'utf8');
  const head = page.slice(0, page.search(/^Compared with /m));
  await write('docs/api/breaking.md', `${head}${sinceLine(baseline)}\n\nNothing breaks.\n`);
}

const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const changelog = readFileSync(join(root, 'CHANGELOG.md'), 'utf8');
const problems = values.release ? moveProblems(baselineOf(root), version, changelog) : [];
if (problems.length > 0) fail(problems.join('\n'));
if (!values.url && !isBuildCurrent()) fail('The build is older than the sources: run `npm run build` first.');
if (values.url) await writeAll(values.url);
else await onEmbedded('api', ({ BOURSE_URL }) => writeAll(BOURSE_URL), undefined, { MAKER: 'off' });
