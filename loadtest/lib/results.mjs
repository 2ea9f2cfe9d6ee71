// Results as rows { name, unit, value, goal, note }, kept as JSON and shown as a table.
import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { fileURLToPath } from 'node:url';
import { join } from 'node:path';

const folder = fileURLToPath(new URL('../results/', import.meta.url));

/**
 * A figure. `goal`: its limit; `atMost`: the limit is a maximum (else a minimum). Without a goal it is a fact.
 * @param {string} name
 * @param {number} value
 * @param {string} unit
 * @param {{ goal?: number, atMost?: boolean, note?: string }} [bounds]
 */
export function row(name, value, unit, { goal, atMost = false, note } = {}) {
  return {
    name,
    unit,
    value: round(value),
    ...(goal === undefined
      ? {}
      : { goal: `${atMost ? '≤' : '≥'} ${goal}`, met: atMost ? value <= goal : value >= goal }),
    ...(note === undefined ? {} : { note }),
  };
}

/** Three digits that mean something. */
export function round(value) {
  if (typeof value !== 'number' || !Number.isFinite(value) || value === 0) return value;
  const digits = Math.max(0, 2 - Math.floor(Math.log10(Math.abs(value))));
  return Number(value.toFixed(Math.min(digits, 6)));
}

/** A Markdown table of rows. */
export function table(rows) {
  return [
    '| figure | value | goal | note |',
    '|---|---|---|---|',
    ...rows.map(
      ({ name, value, unit, goal, met, note }) =>
        `| ${name} | ${value} ${unit} | ${goal ? `${goal} ${met ? '✓' : '✗'}` : ''} | ${note ?? ''} |`,
    ),
  ].join('\n');
}

/** Runs of one scenario with different requirements are stored separately. */
export function writeResult(name, result) {
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `${name}.json`);
  const machine = `${cpus().length} × ${cpus()[0]?.model.trim()}`;
  const all = { at: new Date().toISOString(), machine, node: process.version, ...result };
  writeFileSync(file, `${JSON.stringify(all, null, 2)}\n`);
  return file;
}

/** Sum of a record's values. */
export const sum = (parts) => Object.values(parts).reduce((total, value) => total + value, 0);
/** Usage between two readings, by part. */
export const difference = (after, before) =>
  Object.fromEntries(Object.entries(after).map(([name, value]) => [name, value - (before[name] ?? 0)]));
