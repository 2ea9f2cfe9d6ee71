import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { expect, test } from '@jest/globals';
import * as shared from '@bourse/settings';
import { columnsOf, type AnySetting, type ValueType } from '@bourse/settings';

const root = fileURLToPath(new URL('../../../../', import.meta.url));
/** Sources in which services declare settings and columns. */
const files = globSync('services/*/src/**/*.ts', { cwd: root }).filter(
  (file) => !file.endsWith('.test.ts') && /defineSetting\(|@Column\(/.test(readFileSync(`${root}/${file}`, 'utf8')),
);
/** Bodies of the lists, by the name in the address of their calls. */
const LISTS: Readonly<Record<string, string>> = {
  CurrencyBody: 'currencies',
  PairBody: 'pairs',
  ProtocolBody: 'protocols',
  SecondsBody: 'micro_seconds',
  InsuranceTypeBody: 'insurance_types',
  DepositConfigBody: 'deposit_configs',
  CountryBody: 'countries',
};

/** A row of the table: name, guarded, bounds. */
type Row = readonly [name: string, guarded: 'yes' | 'no', bounds: string];

function boundsOf({ name, bounds }: ValueType<unknown>): string {
  const { min, max, of } = bounds as { min?: unknown; max?: unknown; of?: { min: unknown; max: unknown } };
  if (of) return `each ${String(of.min)} to ${String(of.max)}`;
  return name === 'integer' || name === 'decimal' ? `${String(min)} to ${String(max)}` : name;
}
const isSetting = (value: unknown): value is AnySetting =>
  typeof value === 'object' && value !== null && 'key' in value && 'guarded' in value && 'initial' in value;
const settingsIn = (value: unknown): AnySetting[] => {
  if (isSetting(value)) return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(settingsIn);
};

async function declared(): Promise<Row[]> {
  const modules: Readonly<Record<string, unknown>>[] = [shared];
  for (const file of files)
    modules.push((await import(pathToFileURL(`${root}/${file}`).href)) as Readonly<Record<string, unknown>>);
  const rows = new Map<string, Row>();
  const add = (name: string, guarded: boolean, type: ValueType<unknown>): void =>
    void rows.set(name, [name, guarded ? 'yes' : 'no', boundsOf(type)]);
  for (const exported of modules)
    for (const [name, value] of Object.entries(exported)) {
      for (const { key, guarded, type } of settingsIn(value)) add(key, guarded, type as ValueType<unknown>);
      if (typeof value !== 'function' || columnsOf(value as never).size === 0) continue;
      const list = LISTS[name];
      if (list === undefined) throw new Error(`${name} has columns, and is the body of no list that is known here`);
      for (const [column, { guarded, type }] of columnsOf(value as never)) add(`${list}.${column}`, guarded, type);
    }
  return [...rows.values()].sort(([a], [b]) => (a < b ? -1 : 1));
}

/** The rows of the table in docs/security.md, each with its reason. */
function documented(): Row[] {
  const text = readFileSync(`${root}/docs/security.md`, 'utf8');
  const section = text.slice(text.indexOf('\n## Guarded rows'));
  return [...section.matchAll(/^\| `([^`]+)` \| (yes|no) \| ([^|]+?) \| ([^|]{5,}?) \|$/gm)]
    .map(([, name, guarded, bounds]): Row => [name!, guarded as 'yes' | 'no', bounds!])
    .sort(([a], [b]) => (a < b ? -1 : 1));
}

test('the table of guarded rows names each setting and each column with its bounds [HARD-460]', async () => {
  const rows = await declared();
  expect(rows.length).toBeGreaterThan(90);
  expect(documented()).toEqual(rows);
});
