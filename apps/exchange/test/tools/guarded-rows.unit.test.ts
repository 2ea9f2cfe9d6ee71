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

type Module = Readonly<Record<string, unknown>>;
async function loaded(): Promise<Module[]> {
  const modules: Module[] = [shared];
  for (const file of files) modules.push((await import(pathToFileURL(`${root}/${file}`).href)) as Module);
  return modules;
}

async function declared(): Promise<Row[]> {
  const rows = new Map<string, Row>();
  const add = (name: string, guarded: boolean, type: ValueType<unknown>): void =>
    void rows.set(name, [name, guarded ? 'yes' : 'no', boundsOf(type)]);
  for (const exported of await loaded())
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

/** Numbers of settings that count things of their own name, and need no unit. */
const COUNTS = [
  'acceptor_open_deposits',
  'acceptor_strikes',
  'c2c.max_ads',
  'c2c_cancels_a_day',
  'c2c_open_deals',
  'complaints.messages',
  'complaints.open',
  'jc_bind_max',
  'lever.max_positions',
  'lever.share_max',
  'lever.share_min',
  'lever.share_presets',
  'micro_market_cap',
  'micro_max_open',
  'notice.max',
];

test('each number of a setting has its unit on the console, or is a count [CONSOLE-333]', async () => {
  const { unitOf } = (await import(
    pathToFileURL(`${root}/apps/console/src/features/settings/setting-units.ts`).href
  )) as { unitOf(key: string): object | undefined };
  const numbers = (await loaded())
    .flatMap((exported) => Object.values(exported).flatMap(settingsIn))
    .filter(({ type }) => ['integer', 'decimal', 'list'].includes((type as ValueType<unknown>).name))
    .map(({ key }) => key);
  expect(numbers.length).toBeGreaterThan(50);
  expect([...new Set(numbers)].filter((key) => unitOf(key) === undefined).sort()).toEqual(COUNTS);
});
