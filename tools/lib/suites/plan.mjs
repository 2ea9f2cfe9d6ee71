// Which test files of a suite run, and why the others do not.

/** A file with this mark in its name runs in `npm run test:full`, and in `npm test` when it was itself changed. */
const FULL_ONLY = /\.full\./;

/**
 * Returns the files of a suite that run, and a sentence for each group that does not.
 *
 * @param {object} suite `files` and `not` say which test files belong to it; `core` which of them every run has (all
 *   that are not marked `.full.` where it is absent); `reasonToRunAll(changes)` gives the reason why a change needs the
 *   others too; one that `isOnRequest` runs where it or one of its files is named, which `isNamed` says
 * @param {readonly string[]} all paths of all test files
 * @param {{ full: boolean, affected: boolean, parts: readonly string[], isNamed?: boolean }} options
 * @param {{ files: Set<string>, projects: Set<string> } | undefined} changes
 * @returns {{ files: string[], left: string[] }}
 */
export function planFiles(suite, all, options, changes) {
  const belonging = all.filter((file) => suite.files.test(file) && !suite.not?.test(file));
  if (suite.isOnRequest && !options.isNamed && options.parts.length === 0)
    return { files: [], left: [`The suite ${suite.name} runs on request: npm test -- ${suite.name}`] };
  if (options.parts.length > 0)
    return { files: belonging.filter((file) => options.parts.some((part) => file.includes(part))), left: [] };
  if (options.full) return { files: belonging, left: [] };
  const isCore = (file) => !FULL_ONLY.test(file) && (suite.core?.test(file) ?? true);
  const reason = changes && suite.reasonToRunAll?.(changes);
  const isDue = (file) => reason !== undefined || isCore(file) || changes?.files.has(file) === true;
  const due = belonging.filter(isDue);
  const isAffected = (file) => changes === undefined || isTouched(file, changes);
  const files = options.affected ? due.filter(isAffected) : due;
  const left = [];
  if (due.length < belonging.length)
    left.push(`${count(belonging.length - due.length)} of ${suite.name} run in npm run test:full alone`);
  if (files.length < due.length)
    left.push(`${count(due.length - files.length)} of ${suite.name} test projects that the change does not affect`);
  return { files, left };
}

const count = (number) => (number === 1 ? '1 file' : `${number} files`);

/** Whether a changed file or an affected project has this test file. */
function isTouched(file, { files, projects }) {
  return files.has(file) || projects.has(file.split('/').slice(0, 2).join('/')) || file.startsWith('tools/');
}

/** The paths that decide how services reach each other, in words for the summary. */
const TRANSPORT = [
  [/^libs\/(messaging|persistence|events)\/src\//, 'messaging, persistence or events changed'],
  [/^services\/[^/]+\/service\.json$/, 'a manifest changed'],
  [/^services\/[^/]+\/src\/(.*\/)?(adapters|crypto|delivery|http|images|keys)\//, 'an adapter of a service changed'],
  [
    /^services\/[^/]+\/src\/(.*\/)?(messaging|metrics|networks|persistence|program|socket)\//,
    'an adapter of a service changed',
  ],
  [/^tools\/lib\/(distributed|kafka|redis|services)\.mjs$/, 'the start of the distributed run changed'],
  [/^apps\/exchange\/test\/(faults|integration)\//, 'the tests of the distributed run or of the faults changed'],
];
/** Why a change needs every test of the distributed run and of the faults, or undefined. */
export const reasonForTransport = ({ files }) => firstReason(TRANSPORT, files);

const OPERATIONS = [
  [/^(k8s|deploy)\/|^docker-compose\.yml$|^\.dockerignore$/, 'files of the deployment changed'],
  [/^tools\/(kubernetes|image)\/|^tools\/lib\/(services\/|kubernetes|prometheus|yaml-tools)/, 'their tools changed'],
  [/^services\/[^/]+\/service\.json$/, 'a manifest changed'],
  [/^docs\/runbooks\/|^\.github\/|^\.gitlab-ci\.yml$/, 'runbooks or pipelines changed'],
  [/^services\/wallet-ledger\/src\/(export\.ts|ledger\/application\/accounting\/)/, 'the books of the ledger changed'],
  [/^apps\/fix\/src\/|^tools\/parts\/quickfix\.txt$/, 'the FIX gateway changed'],
  [/^examples\/python\/ccxt\/|^tools\/parts\/ccxt\.txt$/, 'the class of ccxt for Python changed'],
  [/\.ops\.test\.ts$/, 'a test of operations changed'],
];
/** Why a change needs the suite of operations, or undefined. */
export const reasonForOperations = ({ files }) => firstReason(OPERATIONS, files);

function firstReason(rules, files) {
  const changed = [...files];
  return rules.find(([pattern]) => changed.some((file) => pattern.test(file)))?.[1];
}
