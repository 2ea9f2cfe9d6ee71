// The interface that was last released: the documents in docs/api/released/, and their version.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { breakingAsyncApi, breakingOpenApi } from './breaking.mjs';

export const DOCUMENTS = ['openapi.json', 'asyncapi.json', 'operators.json'];
const FOLDER = 'docs/api';
/** `{ version, released, sha256 }`: `released` is the day of the release, null before the first one. */
export const BASELINE = `${FOLDER}/released/release.json`;

const text = (root, file) => readFileSync(join(root, FOLDER, file), 'utf8');
const json = (root, file) => JSON.parse(text(root, file));
export const baselineOf = (root) => json(root, 'released/release.json');
export const digestsOf = (root) =>
  Object.fromEntries(
    DOCUMENTS.map((name) => [
      name,
      createHash('sha256')
        .update(text(root, `released/${name}`))
        .digest('hex'),
    ]),
  );

/** Returns the breaking changes since the baseline, a sentence each. */
export function breakingSince(root) {
  const both = (name) => [json(root, `released/${name}`), json(root, name)];
  return [
    ...breakingOpenApi(...both('openapi.json')),
    ...breakingOpenApi(...both('operators.json')),
    ...breakingAsyncApi(...both('asyncapi.json')),
  ];
}

/** The line of docs/api/breaking.md that says since when. */
export const sinceLine = ({ version, released }) =>
  released
    ? `Compared with ${version}, released on ${released}.`
    : `Compared with the documents that ${version} began with. No version is released yet.`;

/** Day of a version as the changelog's heading has it; undefined: it is not released. */
export const dayOf = (changelog, version) =>
  new RegExp(`^## ${version.replaceAll('.', '\\.')} \\((\\d{4}-\\d{2}-\\d{2})\\)$`, 'm').exec(changelog)?.[1];

/** Whether a version comes after another. */
export function isLater(version, than) {
  const [a, b] = [version, than].map((one) => one.split('.').map(Number));
  const at = a.findIndex((part, place) => part !== b[place]);
  return at >= 0 && a[at] > b[at];
}

/**
 * Returns the reasons why the documents may not become the baseline of a version now; [] if they may. It moves with a
 * release only.
 */
export function moveProblems(baseline, version, changelog) {
  const problems = [];
  if (dayOf(changelog, version) === undefined)
    problems.push(`CHANGELOG.md has no "## ${version} (YYYY-MM-DD)": a baseline moves with a release only`);
  if (baseline.released && !isLater(version, baseline.version))
    problems.push(
      `the baseline is ${baseline.version}, released on ${baseline.released}: ${version} does not come after`,
    );
  return problems;
}

/**
 * Returns what is wrong with a baseline, in sentences: documents that differ from those it was made of, a release that
 * is not in the changelog.
 */
export function baselineProblems(baseline, digests, changelog) {
  const problems = DOCUMENTS.filter((name) => baseline.sha256[name] !== digests[name]).map(
    (name) => `docs/api/released/${name} is not the one of ${baseline.version}: only a release writes it`,
  );
  const day = dayOf(changelog, baseline.version) ?? null;
  if (baseline.released !== null && baseline.released !== day)
    problems.push(
      `${BASELINE} says that ${baseline.version} was released on ${baseline.released}, CHANGELOG.md ${day}`,
    );
  return problems;
}
