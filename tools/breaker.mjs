// `bourse breaker [scope] [mode] [--reason text]`: the breakers of a running exchange, by its operators' calls.
import { parseArgs } from 'node:util';
import { exchangeAt } from './lib/operator-calls.mjs';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { url: { type: 'string' }, reason: { type: 'string' }, json: { type: 'boolean', default: false } },
});
const [scope, mode] = positionals;
const exchange = exchangeAt(values.url);
try {
  if (scope !== undefined && mode === undefined) throw new Error('Say the mode: normal, cancel_only or halted.');
  if (mode !== undefined && !values.reason?.trim())
    throw new Error("Say why, for the audit trail: --reason 'the feed of BTC is wrong'.");
  const breakers = await exchange.asOperator(async (call) => {
    if (scope !== undefined) await call('POST', '/api/admin/breaker', { scope, mode, reason: values.reason });
    return (await call('GET', '/api/admin/reconciliation')).breakers;
  });
  if (values.json) console.log(JSON.stringify(breakers));
  else for (const one of breakers) console.log(`  ${one.scope.padEnd(14)} ${one.mode}`);
} catch (error) {
  console.error(`${exchange.base}: ${error.cause?.message ?? error.message}`);
  process.exitCode = error.cause === undefined ? 1 : 2;
}
