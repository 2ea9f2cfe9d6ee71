// Finds what each test reaches: the texts in its body and, through the names that it uses, in the helpers of its file
// and of the files beside it that it imports. So the test of a call is found by the call, not by its name.
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import ts from 'typescript';
import { root } from '../clone.mjs';

const isText = (node) => ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node);
const METHODS = { get: 'GET', post: 'POST', put: 'PUT', del: 'DELETE' };
const DEEPEST = 5;

/** All tests of these files. What a test reaches is computed on first use. */
export function readTests(files) {
  const modules = new Map();
  return files.flatMap((file) => testsOf(moduleOf(file, modules), modules));
}

function moduleOf(file, modules) {
  const known = modules.get(file);
  if (known) return known;
  const text = readFileSync(join(root, file), 'utf8');
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, false);
  const imports = source.statements
    .filter(ts.isImportDeclaration)
    .map(({ moduleSpecifier }) => moduleSpecifier.text)
    .filter((name) => name.startsWith('.'))
    .map((name) => posix.join(dirname(file), name).replace(/\.js$/, '.ts'))
    .filter((name) => /(?:^|\/)tests?\//.test(name) && existsSync(join(root, name)));
  const module = { file, source, text, imports, declarations: declarationsOf(source), reached: new Map() };
  modules.set(file, module);
  return module;
}

/** Bodies by the name that they are called with: functions, constants, methods, members of objects. */
function declarationsOf(source) {
  const found = new Map();
  const add = (name, body) => {
    if (!name || !body || !ts.isIdentifier(name)) return;
    found.set(name.text, [...(found.get(name.text) ?? []), body]);
  };
  const visit = (node) => {
    if (isTestCall(node)) return;
    if (ts.isFunctionDeclaration(node) || ts.isMethodDeclaration(node)) add(node.name, node.body);
    else if (ts.isVariableDeclaration(node)) add(node.name, node.initializer);
    else if (ts.isPropertyAssignment(node) && ts.isFunctionLike(node.initializer)) add(node.name, node.initializer);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

const isTestCall = (node) =>
  ts.isCallExpression(node) && isNamed(node.expression, 'test') && !isGroup(node) && titleOf(node) !== undefined;
/** Whether a group of tests is begun: by `describe` of Jest, or `test.describe` of Playwright. */
const isGroup = ({ expression }) =>
  isNamed(expression, 'describe') ||
  (ts.isPropertyAccessExpression(expression) && isNamed(expression, 'test') && expression.name.text === 'describe');

/** Whether `test`, `test.each(…)` or `test.each(…)` in any form is what is called. */
function isNamed(expression, name) {
  let callee = expression;
  while (ts.isCallExpression(callee) || ts.isPropertyAccessExpression(callee) || ts.isTaggedTemplateExpression(callee))
    callee = ts.isTaggedTemplateExpression(callee) ? callee.tag : callee.expression;
  return ts.isIdentifier(callee) && callee.text === name;
}

function titleOf(node) {
  const [title] = node.arguments;
  if (!title || node.arguments.length < 2) return undefined;
  if (isText(title)) return title.text;
  if (ts.isTemplateExpression(title) || ts.isBinaryExpression(title)) return templateText(title);
  return undefined;
}

/** Returns the texts of a title made of parts, with `…` for the placeholders. */
function templateText(node) {
  if (isText(node)) return node.text;
  if (ts.isTemplateExpression(node))
    return [node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)].join('…');
  return ts.isBinaryExpression(node) ? `${templateText(node.left)}${templateText(node.right)}` : '…';
}

function testsOf(module, modules) {
  const found = [];
  const visit = (node, outer) => {
    if (isTestCall(node)) {
      const title = titleOf(node);
      found.push({
        file: module.file,
        title,
        codes: codesOf(`${outer} ${title}`),
        get reached() {
          return reachOf(module, node, modules);
        },
      });
      return;
    }
    const group = ts.isCallExpression(node) && isGroup(node) ? titleOf(node) : undefined;
    ts.forEachChild(node, (child) => visit(child, group === undefined ? outer : `${outer} ${group}`));
  };
  visit(module.source, '');
  return found;
}

/** Codes of rules that a title names: `[SPOT-001, 002]`. */
export function codesOf(title) {
  const found = [];
  for (const [, list] of title.matchAll(/\[([A-Z][A-Z0-9-]*-\d{3}(?:, ?(?:[A-Z][A-Z0-9-]*-)?\d{3})*)\]/g)) {
    let area = '';
    for (const code of list.split(/, ?/)) {
      const [, named, number] = /^(?:([A-Z][A-Z0-9-]*)-)?(\d{3})$/.exec(code) ?? [];
      area = named ?? area;
      found.push(`${area}-${number}`);
    }
  }
  return found;
}

/** Texts that a body reaches, each with its distance (0: in the test itself) and the method of its call. */
function reachOf(module, body, modules) {
  const texts = [];
  const seen = new Set();
  let edge = [{ module, body }];
  for (let far = 0; far <= DEEPEST && edge.length > 0; far += 1) {
    const next = [];
    for (const { module: at, body: node } of edge) {
      const { literals, names } = contentsOf(at, node);
      for (const literal of literals) texts.push({ ...literal, far });
      for (const name of names)
        for (const file of [at.file, ...at.imports]) {
          const other = moduleOf(file, modules);
          for (const declared of other.declarations.get(name) ?? []) {
            const key = `${file}:${declared.pos}`;
            if (seen.has(key)) continue;
            seen.add(key);
            next.push({ module: other, body: declared });
          }
        }
    }
    edge = next;
  }
  return texts;
}

function contentsOf(module, body) {
  const known = module.reached.get(body);
  if (known) return known;
  const literals = [];
  const names = new Set();
  const visit = (node, parent) => {
    if (isText(node))
      literals.push({
        text: node.text,
        method: methodAt(node, parent, module.source),
        isSet: isSetAt(node, parent, module.source),
      });
    else if (ts.isTemplateExpression(node))
      literals.push({
        text: node.head.text,
        isOpen: true,
        tail: node.templateSpans.length === 1 ? node.templateSpans[0].literal.text : '',
        method: methodAt(node, parent, module.source),
      });
    else if (ts.isPropertyAssignment(node) && ts.isIdentifier(node.name)) literals.push({ text: node.name.text });
    else if (ts.isIdentifier(node)) names.add(node.text);
    ts.forEachChild(node, (child) => visit(child, node));
  };
  visit(body, undefined);
  const contents = { literals, names };
  module.reached.set(body, contents);
  return contents;
}

/** Whether a text is the key of a setting that is changed: `setting('x', …)`, `{ key: 'x', value }`. */
function isSetAt(node, around, source) {
  if (!around) return false;
  if (ts.isPropertyAssignment(around)) return around.initializer === node && around.name.getText(source) === 'key';
  return (
    ts.isCallExpression(around) &&
    around.arguments.length > 1 &&
    around.arguments[0] === node &&
    /^(?:save|set|(?:save|change|with)?[sS]etting)$/.test(around.expression.getText(source))
  );
}

/** Method of the call that a text is the path of: `post('/api/x')`, `call('PUT', '/api/x')`, `['PUT', '/api/x']`. */
function methodAt(node, around, source) {
  if (!around || !(ts.isArrayLiteralExpression(around) || ts.isCallExpression(around))) return undefined;
  const list = ts.isArrayLiteralExpression(around) ? around.elements : around.arguments;
  const before = list[list.indexOf(node) - 1];
  if (before && isText(before) && /^(GET|POST|PUT|DELETE)$/.test(before.text)) return before.text;
  if (!ts.isCallExpression(around)) return undefined;
  const { expression } = around;
  const name = ts.isPropertyAccessExpression(expression) ? expression.name.text : expression.getText(source);
  if (name !== 'fetch') return METHODS[name];
  const [, init] = around.arguments;
  return /method:\s*'(\w+)'/.exec(init?.getText(source) ?? '')?.[1] ?? 'GET';
}
