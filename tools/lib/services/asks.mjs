// The table of asks in docs/interfaces.md, from their declarations in libs/messaging/src/asks/declared.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const FOLDER = fileURLToPath(new URL('../../../libs/messaging/src/asks/declared/', import.meta.url));

/** Rows of all asks: name, question and answer, the services that ask it, meaning. */
export function askTable(services) {
  const files = readdirSync(FOLDER).filter((file) => file.endsWith('.ts'));
  const order = [...services.map(({ name }) => `${name}.ts`), 'service.ts'];
  files.sort((one, other) => order.indexOf(one) - order.indexOf(other));
  return [
    '| ask | question → answer | asked by | meaning |',
    '|---|---|---|---|',
    ...files.flatMap((file) => asksOf(join(FOLDER, file), listsOf(services)).map(row)),
  ].join('\n');
}

const row = ({ name, question, answer, askedBy, meaning }) =>
  `| \`${name}\` | \`${cell(question)}\` → \`${cell(answer)}\` | ${askedBy.join(', ')} | ${meaning} |`;
const cell = (type) => type.replaceAll('|', '\\|');

/** Lists that declarations name, as libs/platform and libs/events derive them from the manifests. */
function listsOf(services) {
  const names = (which) => services.filter(which).map(({ name }) => name);
  return new Map([
    ['PICTURE_READERS', names(({ needs }) => needs.includes('pictures'))],
    ['EDGE_SERVICE', names(({ edge }) => edge)],
    ['SETTING_OWNERS', names(({ name, writes }) => name !== 'auth' && writes.includes('operator.actions'))],
    [
      'COMMAND_SENDERS',
      names(({ name, ledger }) => name !== 'wallet-ledger' && ledger.issuers.some((issuer) => issuer !== 'seed')),
    ],
  ]);
}

/** The asks that a file declares. */
function asksOf(file, lists) {
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true);
  const constants = new Map(lists);
  const asks = [];
  const visit = (node) => {
    if (ts.isVariableDeclaration(node) && node.initializer && ts.isStringLiteral(node.initializer))
      constants.set(node.name.text, [node.initializer.text]);
    if (ts.isPropertyAssignment(node) && ts.isCallExpression(node.initializer)) {
      const maker = node.initializer.expression.getText();
      if (maker === 'defineAsk' || maker === 'defineServiceAsk') asks.push(askOf(node, maker, constants));
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return asks;
}

function askOf(node, maker, constants) {
  const [name, spec] = node.initializer.arguments;
  const field = (key) => spec.properties.find((one) => one.name.getText() === key).initializer;
  return {
    name: maker === 'defineAsk' ? name.text : `<service>.${name.text}`,
    question: typeOf(field('question')),
    answer: typeOf(field('answer')),
    askedBy: namesOf(field('askedBy'), constants),
    meaning: ts
      .getJSDocCommentsAndTags(node)
      .map(({ comment }) => ts.getTextOfJSDocComment(comment).replaceAll(/\s+/g, ' '))
      .join(' '),
  };
}

/** The type that a `shape<T>()` is of, on one line. */
const typeOf = (shape) =>
  shape.typeArguments[0]
    .getText()
    .replaceAll('readonly ', '')
    .replaceAll(' | undefined', '')
    .replaceAll('NoQuestion', '{}')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/; \}/g, ' }');

/** @throws Error for a list that this file does not know */
function namesOf(node, constants) {
  if (ts.isStringLiteral(node)) return [node.text];
  if (ts.isArrayLiteralExpression(node)) return node.elements.flatMap((one) => namesOf(one, constants));
  if (ts.isSpreadElement(node)) return namesOf(node.expression, constants);
  const found = constants.get(node.getText());
  if (!found) throw new Error(`askedBy names ${node.getText()}, which tools/lib/services/asks.mjs does not know`);
  return found;
}
