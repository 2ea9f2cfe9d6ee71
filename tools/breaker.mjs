// `bourse breaker [scope] [mode]`: the breakers of a running exchange, by its operators' calls.
import { parseArgs } from 'node:util';
import { exchangeAt } from './lib/operator-calls.mjs';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { url: { type: 'string' }, json: { type: 'boolean', default: false } },
});
const [scope, mode] = positionals;
const exchange = exchangeAt(values.url);
try {
  if (scope !== undefined && mode === undefined) throw new Error('Say the mode: normal, cancel_only or halted.');
  const breakers = await exchange.asOperator(async (call) => {
    if (scope !== undefined) await call('POST', '/api/admin/breaker', { scope, mode });
    return (await call('GET', '/api/admin/reconciliation')).breakers;
  });
  if (values.json) console.log(JSON.stringify(breakers));
  else for (const one of breakers) console.log(`  ${one.scope.padEnd(14)} ${one.mode}`);
} catch (error) {
  console.error(`${exchange.base}: ${error.cause?.message ?? error.message}`);
  process.exitCode = error.cause === undefined ? 1 : 2;
}
