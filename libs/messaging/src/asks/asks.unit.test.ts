import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { EXAMPLE_SCHEMAS, SERVICE_NAMES, type ServiceName } from '@bourse/platform';
import { expect, test } from '@jest/globals';
import ts from 'typescript';
import { authAsks } from './declared/auth.js';
import { gatewayAsks } from './declared/gateway.js';
import { leverRiskAsks } from './declared/lever-risk.js';
import { marketDataAsks } from './declared/market-data.js';
import { serviceAsks } from './declared/service.js';
import { spotMatchingAsks } from './declared/spot-matching.js';
import { walletLedgerAsks } from './declared/wallet-ledger.js';
import type { Ask } from './define.js';

const root = fileURLToPath(new URL('../../../../', import.meta.url));
const LISTS: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  authAsks,
  gatewayAsks,
  leverRiskAsks,
  marketDataAsks,
  serviceAsks,
  spotMatchingAsks,
  walletLedgerAsks,
};
/** Every declared ask under its expression in the code, such as `authAsks.fund`. */
const declared = new Map(
  Object.entries(LISTS).flatMap(([list, asks]) =>
    Object.entries(asks).map(([key, ask]) => [
      `${list}.${key}`,
      (typeof ask === 'function' ? ask('*') : ask) as Ask<unknown, unknown>,
    ]),
  ),
);

/** What a top-level statement, or a whole file, does with asks. */
interface Uses {
  readonly asked: ReadonlySet<string>;
  /** Asks whose one service is named in the code: `<service>.<expression>`. */
  readonly askedOf: ReadonlySet<string>;
  readonly answered: ReadonlySet<string>;
  readonly identifiers: ReadonlySet<string>;
}

const isCallOf = (node: ts.Node | undefined, name: string): node is ts.CallExpression =>
  node !== undefined && ts.isCallExpression(node) && node.expression.getText().split('.').at(-1) === name;

/** The call that an expression is an argument of. */
function callAround(node: ts.Node): ts.Node | undefined {
  const { parent } = node;
  // `serviceAsks.audit(service)`: the call that takes its result.
  if (ts.isCallExpression(parent) && parent.expression === node) return callAround(parent);
  return parent;
}

function usesOf(node: ts.Node): Uses {
  const uses = {
    asked: new Set<string>(),
    askedOf: new Set<string>(),
    answered: new Set<string>(),
    identifiers: new Set<string>(),
  };
  const visit = (one: ts.Node): void => {
    if (ts.isIdentifier(one)) uses.identifiers.add(one.text);
    if (ts.isPropertyAccessExpression(one) && declared.has(one.getText())) {
      const around = callAround(one);
      const isAnswer = isCallOf(around, 'Answers') || isCallOf(around, 'handle');
      uses[isAnswer ? 'answered' : 'asked'].add(one.getText());
      const [service] = ts.isCallExpression(one.parent) ? one.parent.arguments : [];
      if (!isAnswer && service && ts.isStringLiteral(service)) uses.askedOf.add(service.text);
    }
    one.forEachChild(visit);
  };
  visit(node);
  return uses;
}

interface File {
  readonly path: string;
  readonly text: string;
  readonly statements: readonly { readonly name: string | undefined; readonly uses: Uses }[];
}

function read(path: string): File {
  const text = readFileSync(`${root}/${path}`, 'utf8');
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const statements = source.statements
    .filter((one) => !(ts.isImportDeclaration(one) && one.importClause?.phaseModifier === ts.SyntaxKind.TypeKeyword))
    .map((one) => ({ name: nameOf(one), uses: usesOf(one) }));
  return { path, text, statements };
}

function nameOf(one: ts.Statement): string | undefined {
  if (ts.isClassDeclaration(one) || ts.isFunctionDeclaration(one)) return one.name?.text;
  return ts.isVariableStatement(one) ? one.declarationList.declarations[0]?.name.getText() : undefined;
}

const filesOf = (folder: string): readonly File[] =>
  globSync(`${folder}/src/**/*.ts`, { cwd: root })
    .filter((file) => !file.includes('.test.') && !file.includes('/simulation'))
    .map(read);

const libs = globSync('libs/{messaging,settings,ledger-client}', { cwd: root }).flatMap(filesOf);
/** What the code of the libraries asks and answers for a service that uses it, by name of the class or function. */
const ofLibraries = new Map<string, { readonly asked: Set<string>; readonly answered: Set<string> }>();
const library = libs.flatMap(({ statements }) => statements).filter(({ name }) => name !== undefined);
for (const { name, uses } of library)
  ofLibraries.set(name!, { asked: new Set(uses.asked), answered: new Set(uses.answered) });
for (let grew = true; grew;) {
  grew = false;
  for (const { name, uses } of library) {
    const own = ofLibraries.get(name!)!;
    const before = own.asked.size + own.answered.size;
    for (const used of uses.identifiers) {
      for (const ask of ofLibraries.get(used)?.asked ?? []) own.asked.add(ask);
      for (const ask of ofLibraries.get(used)?.answered ?? []) own.answered.add(ask);
    }
    grew ||= own.asked.size + own.answered.size > before;
  }
}

const services = [
  ...SERVICE_NAMES.map((name) => ({ name: name as ServiceName, folder: `services/${name}` })),
  ...Object.keys(EXAMPLE_SCHEMAS).map((name) => ({ name: name as ServiceName, folder: `examples/${name}` })),
].map(({ name, folder }) => {
  const files = filesOf(folder);
  const uses = files.flatMap(({ statements }) => statements.map((one) => one.uses));
  const used = uses.flatMap(({ identifiers }) => [...identifiers].flatMap((one) => ofLibraries.get(one) ?? []));
  return {
    name,
    folder,
    files,
    asked: new Set([...uses, ...used].flatMap(({ asked }) => [...asked])),
    askedOf: new Set(uses.flatMap(({ askedOf }) => [...askedOf])),
    /** Answers of its own code, each as often as it stands there. */
    handlers: uses.flatMap(({ answered }) => [...answered]),
    answered: new Set([...uses, ...used].flatMap(({ answered }) => [...answered])),
  };
});
/** Examples run in one process with all services, where nothing is asked from another process. */
const ofExchange = services.filter(({ folder }) => folder.startsWith('services/'));
const ownerOf = (expression: string): string => declared.get(expression)!.name.split('.')[0]!;

test('each declared ask has one handler, in its owner, and each handler is typed by a declared ask [HARD-209]', () => {
  const problems: string[] = [];
  for (const expression of declared.keys()) {
    const owner = ownerOf(expression);
    const answering = services.filter(({ answered }) => answered.has(expression)).map(({ name }) => name);
    if (owner === '*' ? answering.length === 0 : answering.join() !== owner)
      problems.push(`${expression} is answered by ${answering.join(' and ') || 'no service'}`);
  }
  for (const { name, handlers } of services)
    for (const [at, one] of handlers.entries())
      if (handlers.indexOf(one) !== at) problems.push(`${name} answers ${one} twice`);
  for (const { path, text } of [...libs, ...services.flatMap(({ files }) => files)])
    if (text.includes('@MessagePattern(')) problems.push(`${path} answers an ask that is not declared`);
  expect(problems).toEqual([]);
  expect(services.filter(({ answered }) => !answered.has('serviceAsks.describe'))).toEqual([]);
  expect(declared.size).toBeGreaterThan(45);
});

test('every service tells how far its consumers have read [LOG-074]', () => {
  expect(services.filter(({ answered }) => !answered.has('serviceAsks.audit')).map(({ name }) => name)).toEqual([]);
});

test('askedBy of each ask names the services that ask it, and no other [HARD-209]', () => {
  const differences = [...declared].flatMap(([expression, { askedBy }]) => {
    const askers = ofExchange.filter(({ asked }) => asked.has(expression)).map(({ name }) => name);
    // An owner may ask itself without standing in the list, and may stand in it.
    const [says, does] = [askedBy, askers].map((names) =>
      names
        .filter((name) => name !== ownerOf(expression))
        .sort()
        .join(', '),
    );
    return says === does ? [] : [`${expression}: askedBy says ${says}, and ${does} ask it`];
  });
  expect(differences).toEqual([]);
});

test('a service names in its manifest the services that it asks [HARD-209]', () => {
  const problems = ofExchange.flatMap(({ name, folder, asked, askedOf }) => {
    const manifest = JSON.parse(readFileSync(`${root}/${folder}/service.json`, 'utf8')) as { asks: string[] };
    const owners = new Set([...[...asked].map(ownerOf), ...askedOf]);
    return [...owners]
      .filter((owner) => owner !== '*' && owner !== name && !manifest.asks.includes(owner))
      .map((owner) => `${name} asks ${owner}; its manifest does not say so`);
  });
  expect(problems).toEqual([]);
});
