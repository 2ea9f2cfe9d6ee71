import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { LEDGER_SENDERS } from '@bourse/events';
import { EDGE_SERVICE, PICTURE_READERS, SERVICE_NAMES } from '@bourse/platform';
import { expect, test } from '@jest/globals';
import ts from 'typescript';

const root = fileURLToPath(new URL('../../../../', import.meta.url));
const QUESTION = new RegExp(String.raw`^(${SERVICE_NAMES.join('|')})\.[\w.]+$`);
/** Lists that stand in `askedBy` by name. */
const LISTS: Readonly<Record<string, readonly string[]>> = {
  EDGE_SERVICE: [EDGE_SERVICE],
  PICTURE_READERS,
  SERVICE_NAMES,
  LEDGER_SENDERS: Object.keys(LEDGER_SENDERS),
};

interface Handler {
  readonly name: string;
  /** Undefined: it has no list. */
  readonly askedBy: readonly string[] | undefined;
}
interface Read {
  readonly handlers: readonly Handler[];
  /** Names of questions that are asked here. */
  readonly asked: readonly string[];
  readonly imports: readonly string[];
  readonly classes: readonly string[];
}

/** The words of an argument: its texts, constants of the same file, and the lists by their names. */
function wordsOf(node: ts.Node, constants: ReadonlyMap<string, string>): string[] {
  if (ts.isStringLiteralLike(node)) return [node.text];
  if (ts.isIdentifier(node)) return [...(LISTS[node.text] ?? []), ...[constants.get(node.text) ?? []].flat()];
  const found: string[] = [];
  node.forEachChild((child) => void found.push(...wordsOf(child, constants)));
  return found;
}

/** The text of a name: `'auth.fund'` or `${SERVICE}.describe`. */
function nameOf(node: ts.Node | undefined, constants: ReadonlyMap<string, string>): string {
  if (!node) return '';
  if (ts.isStringLiteralLike(node)) return node.text;
  if (!ts.isTemplateExpression(node)) return '';
  return node.templateSpans.reduce(
    (text, { expression, literal }) => text + (constants.get(expression.getText()) ?? '?') + literal.text,
    node.head.text,
  );
}

function read(file: string): Read {
  const source = ts.createSourceFile(file, readFileSync(`${root}/${file}`, 'utf8'), ts.ScriptTarget.Latest, true);
  const constants = new Map<string, string>();
  const handlers: Handler[] = [];
  const asked: string[] = [];
  const imports: string[] = [];
  const classes: string[] = [];
  const look = (node: ts.Node): void => {
    if (ts.isVariableDeclaration(node) && node.initializer && ts.isStringLiteralLike(node.initializer))
      constants.set(node.name.getText(), node.initializer.text);
    if (ts.isImportSpecifier(node)) imports.push((node.propertyName ?? node.name).text);
    if (ts.isClassDeclaration(node) && node.name) classes.push(node.name.text);
    if (ts.isDecorator(node) && ts.isCallExpression(node.expression)) {
      const [name, allowed] = node.expression.arguments;
      if (node.expression.expression.getText() === 'MessagePattern' && QUESTION.test(nameOf(name, constants)))
        handlers.push({
          name: nameOf(name, constants),
          askedBy: allowed?.getText().startsWith('askedBy(') ? wordsOf(allowed, constants) : undefined,
        });
    } else if (ts.isCallExpression(node) && /(^|\.)ask$/.test(node.expression.getText())) {
      const name = nameOf(node.arguments[0], constants);
      if (QUESTION.test(name)) asked.push(name);
    }
    ts.forEachChild(node, look);
  };
  look(source);
  return { handlers, asked, imports, classes };
}

const filesOf = (folder: string): readonly Read[] =>
  globSync(`${folder}/src/**/*.ts`, { cwd: root })
    .filter((file) => !file.includes('.test.'))
    .map(read);

const services = SERVICE_NAMES.map((name) => ({ name, files: filesOf(`services/${name}`) }));
const handlers = services.flatMap(({ files }) => files.flatMap((file) => file.handlers));
/** The questions that the classes of the libraries ask on behalf of the services that use them. */
const asking = globSync('libs/*', { cwd: root }).flatMap((lib) => filesOf(lib).filter(({ asked }) => asked.length > 0));
const questions = services.map(({ name, files }) => {
  const imports = new Set(files.flatMap((file) => file.imports));
  const ofLibraries = asking.filter(({ classes }) => classes.some((one) => imports.has(one)));
  return { name, asked: new Set([...files, ...ofLibraries].flatMap(({ asked }) => asked)) };
});

test('every question of a service lists its askers: without a list no other process could ask [HARD-209]', () => {
  expect(handlers.length).toBeGreaterThan(25);
  expect(handlers.filter(({ askedBy }) => askedBy === undefined)).toEqual([]);
});

test('every service that asks a question may ask it, and declares it in its manifest [HARD-209]', () => {
  const problems: string[] = [];
  for (const { name, asked } of questions) {
    const manifest = JSON.parse(readFileSync(`${root}/services/${name}/service.json`, 'utf8')) as { asks: string[] };
    for (const question of asked) {
      const owner = question.slice(0, question.indexOf('.'));
      if (owner === name) continue;
      const handler = handlers.find((one) => one.name === question);
      if (!handler) problems.push(`${name} asks ${question}, which nobody answers`);
      else if (!handler.askedBy?.includes(name)) problems.push(`${name} asks ${question} and may not`);
      if (!manifest.asks.includes(owner)) problems.push(`${name} asks ${owner}; its manifest does not say so`);
    }
  }
  expect(problems).toEqual([]);
  expect(questions.reduce((sum, { asked }) => sum + asked.size, 0)).toBeGreaterThan(30);
});
