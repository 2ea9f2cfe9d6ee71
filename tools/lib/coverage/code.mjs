// Reads what the sources serve and define: calls, settings, addresses of the terminal, and the files of a text.
import { existsSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import ts from 'typescript';
import { root } from '../clone.mjs';

export const read = (file) => readFileSync(join(root, file), 'utf8');

/** Calls that controllers declare (`@Call`): `METHOD /path` with the file that has it. */
export function servedCalls(files) {
  const served = new Map();
  const constants = constantsOf(files);
  for (const file of files) {
    const text = read(file);
    if (!text.includes('@Call(')) continue;
    const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, false);
    const helpers = new Map();
    for (const statement of source.statements)
      if (ts.isVariableStatement(statement))
        for (const { name, initializer } of statement.declarationList.declarations)
          if (initializer) helpers.set(name.getText(source), initializer.getText(source));
    const visit = (node) => {
      if (
        ts.isDecorator(node) &&
        ts.isCallExpression(node.expression) &&
        node.expression.expression.getText(source) === 'Call'
      ) {
        const policy = node.expression.arguments[0].getText(source);
        // A policy may be made by a helper of its file: `own('/api/x')`, `{ ...own('/api/x'), role }`.
        const whole = [policy, ...[...policy.matchAll(/\b(\w+)\(/g)].map(([, name]) => helpers.get(name) ?? '')].join(
          ' ',
        );
        const method = /method: '(\w+)'/.exec(whole)?.[1];
        const path = /'(\/[^']*)'/.exec(policy)?.[1] ?? pathOf(policy, new Map([...constants, ...constantsIn(text)]));
        if (method && path) served.set(`${method} ${path}`, file);
      }
      ts.forEachChild(node, visit);
    };
    visit(source);
  }
  return served;
}

/** A path that is a constant, or a template that begins with one. */
function pathOf(policy, constants) {
  const template = /path: `\$\{(\w+)\}([^`]*)`/.exec(policy);
  if (template) return `${constants.get(template[1])}${template[2]}`;
  return constants.get(/path: ([A-Z_]+)/.exec(policy)?.[1]);
}

function constantsOf(files) {
  return new Map(files.flatMap((file) => [...constantsIn(read(file), 'export ')]));
}
const constantsIn = (text, before = '') =>
  [...text.matchAll(new RegExp(`${before}const ([A-Z_]+) = '(/[^']+)'`, 'g'))].map(([, name, value]) => [name, value]);

/** Paths that programs serve without a controller of their own. */
const BESIDE = /'(\/(?:healthz|readyz|metrics|socket\.io|api\/(?:admin\/)?(?:openapi|asyncapi)\.json))'/g;
export function servedBeside(files) {
  const found = new Map();
  for (const file of files)
    for (const [, path] of read(file).matchAll(BESIDE)) if (!found.has(path)) found.set(path, file);
  return found;
}

/** Settings that services define, by key, with the file; a key with a place for a name ends with `*`. */
export function definedSettings(files) {
  const found = new Map();
  for (const file of files) {
    for (const [, key] of read(file).matchAll(/defineSetting(?:<[^>]*>)?\(\s*['`]([^'`]+)['`]/g))
      found.set(key.replace(/\$\{[^}]*\}/g, '*'), file);
  }
  return found;
}

/** Places of the terminal by address, with the file of their screen. */
export function servedAddresses() {
  const paths = read('apps/terminal/src/paths.ts');
  const routes = read('apps/terminal/src/routes.ts');
  const places = /const PLACES = \{([\s\S]*?)\n\} as const/.exec(paths)?.[1] ?? '';
  const found = new Map();
  for (const [, screen, entry] of places.matchAll(/^ {2}(\w+): \{([\s\S]*?)\},?$/gm)) {
    const list = /paths: ([\s\S]*)/.exec(entry)?.[1] ?? '';
    const guard = /guard: '(\w+)'/.exec(entry)?.[1];
    const all = [];
    for (const [, helper, names] of list.matchAll(/\b(account|asset)\(([^)]*)\)/g))
      for (const [, name] of names.matchAll(/'(\w+)'/g))
        all.push(`/${name}`, `/${helper === 'account' ? 'account' : 'new_account'}/${name}`);
    for (const [, path] of list.matchAll(/'(\/[^']*)'/g)) all.push(path);
    const module = new RegExp(`^ {2}${screen}: [\\s\\S]*?import\\('(\\./[^']+)\\.js'\\)`, 'm').exec(routes)?.[1];
    const file = module && ['.tsx', '.ts'].map((end) => posix.join('apps/terminal/src', module + end)).find(exists);
    for (const path of all) found.set(path, { screen, guard, file, isExample: /example:/.test(entry) });
  }
  return found;
}

export const exists = (file) => existsSync(join(root, file));

/** Maps each quoted text to the source files that contain it. */
export function quotedTexts(files) {
  const found = new Map();
  for (const file of files)
    for (const [, text] of read(file).matchAll(/['`]([a-z][A-Za-z0-9]*(?:\.[A-Za-z0-9]+)*)['`]/g)) {
      const at = found.get(text) ?? [];
      if (!at.includes(file)) found.set(text, [...at, file]);
    }
  return found;
}
