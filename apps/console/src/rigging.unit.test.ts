import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { expect, test } from '@jest/globals';

/*
 * Nobody can rig by the console: no form has a field for a price, a candle, a result, a balance or a code, and no call
 * goes to one (api §2.12). Read from the sources: what stands there is what an operator can send.
 */
const src = fileURLToPath(new URL('.', import.meta.url));
const sources = (readdirSync(src, { recursive: true }) as string[])
  .filter((file) => /\.tsx?$/.test(file) && !file.includes('.test.'))
  .map((file) => ts.createSourceFile(file, readFileSync(join(src, file), 'utf8'), ts.ScriptTarget.Latest, true));

/** Words of what nobody may set. The code of a cause and the digits of one's own authenticator are none of them. */
const RIGGED =
  /(^|_)(price|prices|candle|kline|open|high|low|close|result|outcome|win|wins|winner|profit|balance|balances|code|odds|luck|forced?|tick|quote)(_|$)/;
const ALLOWED = new Set([
  'reason_code',
  'totp_code',
  // The pairs that are open to trade, and the share that a seconds contract or an insurance pays by its terms.
  ...['open_spot', 'open_lever', 'open_micro', 'open_deposit', 'open_withdraw', 'is_open', 'max_open'],
  ...['profit_ratio', 'end_profit_rate', 'area_code'],
  // Which side of a dispute is right, by its evidence, and what became of a deal with an acceptor.
  'outcome',
]);

function visit(node: ts.Node, see: (node: ts.Node) => void): void {
  see(node);
  node.forEachChild((child) => visit(child, see));
}
const nameOf = (property: ts.ObjectLiteralElementLike): string | undefined =>
  property.name && (ts.isIdentifier(property.name) || ts.isStringLiteral(property.name))
    ? property.name.text
    : undefined;
const stringOf = (object: ts.ObjectLiteralExpression, name: string): string | undefined => {
  const found = object.properties.find((property) => nameOf(property) === name);
  return found && ts.isPropertyAssignment(found) && ts.isStringLiteralLike(found.initializer)
    ? found.initializer.text
    : undefined;
};

/** Names of the fields of forms, and of what else goes out with them. */
function sent(): Set<string> {
  const names = new Set<string>();
  for (const source of sources)
    visit(source, (node) => {
      if (ts.isObjectLiteralExpression(node)) {
        const name = stringOf(node, 'name');
        // Filters of lists are `id` and `date` too; they ask and change nothing.
        if (name !== undefined && node.properties.some((one) => nameOf(one) === 'kind')) names.add(name);
      }
      const isBody =
        ts.isJsxAttribute(node) &&
        node.name.getText() === 'body' &&
        node.initializer &&
        ts.isJsxExpression(node.initializer);
      if (isBody && node.initializer.expression)
        visit(node.initializer.expression, (inner) => {
          if (ts.isObjectLiteralExpression(inner))
            for (const property of inner.properties) {
              const name = nameOf(property);
              if (name !== undefined) names.add(name);
            }
        });
      // The tables of the catalog name the fields that may be changed.
      if (ts.isVariableDeclaration(node) && node.name.getText() === 'TABLES')
        visit(node, (inner) => {
          if (ts.isPropertyAssignment(inner) && ts.isStringLiteral(inner.initializer)) {
            const name = nameOf(inner);
            if (name !== undefined) names.add(name);
          }
        });
    });
  return names;
}

test('no form of the console has a field for a price, a result, a balance or a code [CONSOLE-306]', () => {
  const names = [...sent()];
  // Those that are known to stand there: without them nothing was read.
  expect(names).toEqual(
    expect.arrayContaining(['scope', 'mode', 'value', 'amount', 'deposit_id', 'maker_fee', 'profit_ratio', 'note']),
  );
  expect(names.length).toBeGreaterThan(50);
  expect(names.filter((name) => RIGGED.test(name) && !ALLOWED.has(name))).toEqual([]);
});

test('no call of the console changes a price, a result or a balance [CONSOLE-306]', () => {
  const paths = new Set<string>();
  for (const source of sources)
    visit(source, (node) => {
      if (ts.isStringLiteralLike(node) && /^\/(api|dev)\//.test(node.text)) paths.add(node.text);
    });
  expect(paths.size).toBeGreaterThan(30);
  expect([...paths].filter((path) => /^\/dev\/|price|candle|kline|result|balance|\/code/.test(path))).toEqual([]);
});
