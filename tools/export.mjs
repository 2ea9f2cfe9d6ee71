// `npx bourse export`: the whole ledger of an install as a book of plain-text accounting, one transaction for each
// journal, with the stored balances as assertions at its end (docs/accounting.md). The exchange may run meanwhile.
//   --format beancount|hledger
//   --out FILE                   standard output without it
//   --data-dir DIR               the install's folder; DATABASE_URL is that of the exchange
// Exit code 0: written; 1: refused or failed, and FILE is not there.
import { createWriteStream, renameSync, rmSync } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { readArguments } from './lib/arguments.mjs';
import { fail } from './lib/clone.mjs';
import { defaultDataDir, withClient, withDatabase } from './lib/install-database.mjs';

const USAGE = `Usage: bourse export --format beancount|hledger [--out FILE] [--data-dir DIR]`;
const { values } = readArguments(USAGE, {
  options: { format: { type: 'string' }, out: { type: 'string' }, 'data-dir': { type: 'string' } },
});
const { BOOK_FORMATS, exportLedger } = await import('@bourse/wallet-ledger/export');
if (!BOOK_FORMATS.includes(values.format)) fail(`--format is one of ${BOOK_FORMATS.join(', ')}.\n\n${USAGE}`);

try {
  await withDatabase(values['data-dir'] ?? defaultDataDir(), [], (config, url) => withClient(url, 'export', write));
} catch (error) {
  fail(process.env.DEBUG ? error.stack : error.message);
}

async function write(client) {
  // A file that is there is whole.
  const building = values.out === undefined ? undefined : `${values.out}.new-${process.pid}`;
  try {
    await client.query('begin isolation level repeatable read read only');
    const reader = { query: async (sql, params) => (await client.query(sql, params)).rows };
    const target = building === undefined ? process.stdout : createWriteStream(building, { mode: 0o600 });
    await pipeline(Readable.from(exportLedger(reader, values.format)), target, { end: building !== undefined });
    if (building !== undefined) renameSync(building, values.out);
  } finally {
    if (building !== undefined) rmSync(building, { force: true });
  }
}
