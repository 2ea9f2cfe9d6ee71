import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';
import ts from 'typescript';

const root = fileURLToPath(new URL('../../../../', import.meta.url));
const ASK = /^(?:gateway|auth|wallet-ledger|spot-matching|market-data|notices)\.[\w.]+$/;

test('every question of a service says who may ask it: without a list no other process could [HARD-209]', () => {
  const files = globSync('services/*/src/**/*.ts', { cwd: root }).filter((file) => !file.includes('.test.'));
  const asks = files.flatMap((file) => {
    const source = ts.createSourceFile(file, readFileSync(`${root}/${file}`, 'utf8'), ts.ScriptTarget.Latest, true);
    const found: { name: string; listed: boolean }[] = [];
    const look = (node: ts.Node): void => {
      if (ts.isDecorator(node) && ts.isCallExpression(node.expression)) {
        const { expression, arguments: given } = node.expression;
        const [name, allowed] = given;
        if (expression.getText(source) === 'MessagePattern' && name && ts.isStringLiteral(name) && ASK.test(name.text))
          found.push({ name: name.text, listed: allowed?.getText(source).startsWith('askedBy(') ?? false });
      }
      ts.forEachChild(node, look);
    };
    look(source);
    return found;
  });
  expect(asks.length).toBeGreaterThan(25);
  expect(asks.filter(({ listed }) => !listed)).toEqual([]);
});
