// Comments and pages cite the law of the project: `api §2.12`, `rules §8.6`, `invariants §2.3`, `architecture §4`, an
// invariant `I7`, a proof `[LEDGER-003]`. A citation that leads nowhere is worse than none, so each must resolve to a
// heading of docs/contract or docs/design, or to a line of docs/proofs.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Documents by the word that cites them. */
const DOCUMENTS = {
  api: 'contract/api.md',
  rules: 'contract/rules.md',
  invariants: 'design/invariants.md',
  architecture: 'design/architecture.md',
};

/** Numbers of the headings of a document, such as `2.12`. */
function headingsOf(text) {
  return new Set([...text.matchAll(/^#{2,4} (\d+(?:\.\d+)*)\.? /gm)].map(([, number]) => number));
}

/** Codes that the pages of a folder list. A line may say `UI-001 … 006` or `UI-010, 011`. */
function codesOf(folder) {
  const listed = new Set();
  for (const page of readdirSync(folder)) {
    const text = readFileSync(join(folder, page), 'utf8');
    for (const [, area, numbers] of text.matchAll(/\b([A-Z][A-Z0-9]*)-(\d{3}(?:(?:, | … )\d{3})*)/g)) {
      for (const [, from, to] of numbers.matchAll(/(\d{3})(?: … (\d{3}))?/g)) {
        for (let number = Number(from); number <= Number(to ?? from); number += 1)
          listed.add(`${area}-${String(number).padStart(3, '0')}`);
      }
    }
  }
  return listed;
}

/** Reads everything that can be cited. */
export function readLaw(docs) {
  const texts = Object.fromEntries(
    Object.entries(DOCUMENTS).map(([name, file]) => [name, readFileSync(join(docs, file), 'utf8')]),
  );
  return {
    headings: Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, headingsOf(text)])),
    invariants: new Set([...texts.invariants.matchAll(/^- \*\*(I\d+) /gm)].map(([, name]) => name)),
    codes: codesOf(join(docs, 'proofs')),
  };
}

/** The document that this file is, if it is one: it may cite itself without its name. */
export function documentOf(file) {
  return Object.keys(DOCUMENTS).find((name) => file === `docs/${DOCUMENTS[name]}`);
}

/**
 * Citations of a text that lead nowhere, each with its line. `law` is the result of `readLaw`, `itself` the document
 * that the text is.
 */
export function brokenCitations(text, law, itself) {
  const broken = [];
  const lineOf = (index) => text.slice(0, index).split('\n').length;
  const add = (index, what) => broken.push(`${lineOf(index)}: ${what}`);
  const cited = new Set();
  // One word may cite several places: `rules §12.1, §12.3`.
  for (const match of text.matchAll(
    /\b(api|rules|invariants|architecture) ((?:§\d+(?:\.\d+)*(?:, | and | to )?)+)/gi,
  )) {
    const [, name, places] = match;
    for (const place of places.matchAll(/§(\d+(?:\.\d+)*)/g)) {
      const index = match.index + match[0].indexOf(places) + place.index;
      cited.add(index);
      if (!law.headings[name.toLowerCase()].has(place[1])) add(index, `${name} §${place[1]} is no heading`);
    }
  }
  for (const { 1: number, index } of text.matchAll(/§(\d+(?:\.\d+)*)/g)) {
    if (cited.has(index)) continue;
    if (itself === undefined) add(index, '§ without the name of its document');
    else if (!law.headings[itself].has(number)) add(index, `${itself} §${number} is no heading`);
  }
  for (const { 0: name, index } of text.matchAll(/\bI[1-9]\d?\b/g))
    if (!law.invariants.has(name)) add(index, `${name} is no invariant`);
  for (const { 1: codes, index } of text.matchAll(/\[([A-Z][A-Z0-9]*-\d{3}(?:, ?(?:[A-Z][A-Z0-9]*-)?\d{3})*)\]/g)) {
    let area = '';
    for (const code of codes.split(/, ?/)) {
      const [, named, number] = /^(?:([A-Z][A-Z0-9]*)-)?(\d{3})$/.exec(code) ?? [];
      area = named ?? area;
      if (number && !law.codes.has(`${area}-${number}`)) add(index, `${area}-${number} is in no page of docs/proofs`);
    }
  }
  return broken;
}

/** Top folders of the repository: a text in backticks that begins with one of them is a path. */
const TOP = /^(?:\.github|apps|deploy|docs|examples|k8s|libs|loadtest|services|tools)\//;
const PATH = /^(?!\.\/)[\w.@{},*-]+(?:\/[\w.@{},*-]+)*\/?$/;
/** Builds and caches are not tracked. */
const UNTRACKED = /(?:^|\/)(?:dist|node_modules|\.cache)(?:\/|$)/;

/** Tells paths of sources from calls (`coin/list`), media types, packages and files of a user. */
function isPath(text) {
  if (!PATH.test(text) || UNTRACKED.test(text)) return false;
  if (/\.(?:ts|tsx|mjs)$/.test(text)) return true;
  if (!/\w\//.test(text)) return false;
  return TOP.test(text) || text.includes('/src/') || /\/.*\/$|\/.*\.(?:md|json|ya?ml|css|sh|html)$/.test(text);
}

/** The paths that `docs/{a,b}.md` stands for. */
function alternativesOf(path) {
  const [, before, inside, after] = /^(.*?)\{([^{}]*)\}(.*)$/.exec(path) ?? [];
  if (inside === undefined) return [path];
  return inside.split(',').flatMap((one) => alternativesOf(`${before}${one}${after}`));
}

/**
 * Every path by which a page may cite one of these files or its folders: from the root of the repository or from any
 * folder below it, as in `auth/src/main.ts`.
 */
export function readPaths(files) {
  const paths = new Set();
  for (const file of files) {
    const parts = file.split('/');
    for (let from = 0; from < parts.length; from += 1)
      for (let to = from + 1; to <= parts.length; to += 1) paths.add(parts.slice(from, to).join('/'));
  }
  return paths;
}

/** Whether one of `paths` matches a pattern in which `*` stands for a part of a name. */
function matchesOne(pattern, paths) {
  const parts = pattern.split('*').map((part) => part.replace(/[.]/g, '\\.'));
  const whole = new RegExp(`^${parts.join('[^/]*')}$`);
  return [...paths].some((path) => whole.test(path));
}

/** Paths in backticks that are in no result of `readPaths`, each with its line. */
export function brokenPaths(text, paths) {
  return text.split('\n').flatMap((line, index) =>
    [...line.matchAll(/`([^`]+)`/g)]
      .filter(([, cited]) => isPath(cited))
      .flatMap(([, cited]) => alternativesOf(cited))
      .filter((path) => {
        const plain = path.replace(/\/$/, '');
        return plain.includes('*') ? !matchesOne(plain, paths) : !paths.has(plain);
      })
      .map((path) => `${index + 1}: ${path} is no tracked path`),
  );
}
