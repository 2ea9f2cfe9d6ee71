import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from '@jest/globals';

/*
 * No one can rig results (rules §14: "a price, a result … nobody"). Reads everything that can be set in the services
 * that sell against the house and in the recorder of their prices: routes, fields, tables, settings. A new service is
 * read too, as soon as it reads or writes recorded prices.
 */
const root = fileURLToPath(new URL('../../../../', import.meta.url));

interface Manifest {
  readonly name: string;
  readonly reads: readonly string[];
  readonly writes: readonly string[];
}
interface Source {
  readonly file: string;
  readonly text: string;
}

const filesUnder = (dir: string): string[] =>
  readdirSync(dir, { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? filesUnder(join(dir, entry.name)) : [join(dir, entry.name)],
  );
const judged = readdirSync(join(root, 'services')).filter((name) => {
  const { reads, writes } = JSON.parse(readFileSync(join(root, 'services', name, 'service.json'), 'utf8')) as Manifest;
  return [...reads, ...writes].includes('market.ticks');
});
const sourcesOf = (service: string): Source[] =>
  filesUnder(join(root, 'services', service, 'src'))
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts') && !/\/simulation(\/|\.ts$)/.test(file))
    .map((file) => ({ file: relative(root, file), text: readFileSync(file, 'utf8') }));

/** Words for values that no one may set. */
const RIGGED =
  /(^|[_./])(win|wins|odds|luck|bias|rig|force|forced|preset|fixed|control|controlled|manual|override|delay|delayed|latency|slippage|chance|probability|result|outcome|verdict|winner|loser)([_./]|$)/;
/** Prices that a user may set for themself, or that are only shown. */
const OWN_PRICES = new Set([
  'price',
  'target_price',
  'stop_price',
  'target_profit_price',
  'stop_loss_price',
  'price_scale',
  // The value of a point, and the surcharge on the coin's price, for all users (rules §10).
  'jc_price',
  'jc_price_difference',
]);
/**
 * Disputes between two people, which finance decides by their evidence (api §2.12): no price has a part in them. The
 * band bounds what people may ask for in their own ads.
 */
const HARMLESS = new Set([
  'services/c2c-escrow/src/deals/application/settings.ts: c2c.price_band',
  'services/c2c-escrow/src/acceptors/http/fields.ts: outcome',
  'services/c2c-escrow/src/appeals/http/fields.ts: outcome',
]);
const snake = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
const isRigged = (name: string): boolean =>
  RIGGED.test(snake(name)) || (/(^|[_./])prices?([_./]|$)/.test(snake(name)) && !OWN_PRICES.has(snake(name)));

/** Routes that change something, with the values that they would let a caller choose. */
function routes({ text }: Source): string[] {
  return [...text.matchAll(/method: '(POST|PUT|DELETE)',\s*path: '([^']+)'/g)].map(([, , path]) => path!);
}
/** Properties that are read from a request. */
function fields({ text }: Source): string[] {
  const declared = text.matchAll(
    /@(?:Integer|RowId|CatalogId|Text|Name|Prose|Code|Id|Flag|Time|Amount|Given|GivenCode|OneOf|Means|Field|Column|Default)\((?:[^()]|\([^()]*\))*\)\s+(\w+)[!?]?:/g,
  );
  const renamed = text.matchAll(/field: '(\w+)'/g);
  return [...[...declared].map(([, name]) => name!), ...[...renamed].map(([, name]) => name!)];
}
/** Keys of settings, and what operators may call by name. */
const settings = ({ text }: Source): string[] =>
  [...text.matchAll(/defineSetting\(\s*[`']([^`']+)[`']/g)].map(([, key]) => key!.replaceAll(/\$\{[^}]*\}/g, 'x'));
/** Tables with their columns. */
function tables({ text }: Source): { table: string; columns: string[] }[] {
  return [...text.matchAll(/create table (?:if not exists )?(\w+) \(([\s\S]*?)\n\s*\)/g)].map(([, table, body]) => ({
    table: table!,
    columns: [
      ...body!.matchAll(/(?:^|,)\s*([a-z_]+) (?:bigint|integer|smallint|numeric|text|boolean|json|jsonb|time)/gm),
    ].map(([, column]) => column!),
  }));
}
/** Columns of outcomes; prices in tables are recorded ones. Their writers are checked below. */
const TOLD = new Set(['result', 'outcome']);
const isRiggedColumn = (column: string): boolean => RIGGED.test(column) && !TOLD.has(column);

describe.each(judged)('%s lets no one choose a price, a result, a chance or a delay', (service) => {
  const sources = sourcesOf(service);

  test('by a route, a field or a setting [FAIR-001]', () => {
    const found = sources.flatMap((source) =>
      [...routes(source), ...fields(source), ...settings(source)]
        .filter(isRigged)
        .map((name) => `${source.file}: ${name}`),
    );
    expect(found.filter((one) => !HARMLESS.has(one))).toEqual([]);
  });

  test('by a column, of all people or of one [FAIR-001]', () => {
    const found = sources.flatMap((source) =>
      tables(source).flatMap(({ table, columns }) =>
        columns.filter(isRiggedColumn).map((column) => `${source.file}: ${table}.${column}`),
      ),
    );
    expect(found).toEqual([]);
  });

  test('recorded prices and results are written in one place and never changed [FAIR-002]', () => {
    const ticks = sources.filter(({ text }) => /insert into (tick|ticks)\b/.test(text));
    expect(ticks.length).toBeLessThanOrEqual(1);
    const changed = sources.filter(({ text }) =>
      /update (tick|ticks|kept_tick)\b|delete from (tick|ticks|kept_tick)\b/.test(text),
    );
    expect(changed.map(({ file }) => file)).toEqual([]);
    const results = sources.filter(({ text }) => /\bresult = /.test(text) && /update contract\b/.test(text));
    expect(results.length).toBeLessThanOrEqual(1);
  });
});

test('the services that use recorded prices are read, and their declarations are found [FAIR-003]', () => {
  expect(judged).toEqual(expect.arrayContaining(['lever-risk', 'market-data', 'micro-settlement']));
  const micro = sourcesOf('micro-settlement');
  expect(micro.flatMap(routes)).toContain('/api/microtrade/submit');
  expect(micro.flatMap(fields)).toEqual(expect.arrayContaining(['number', 'matchId', 'profitRatio', 'amount']));
  expect(micro.flatMap(settings)).toEqual(expect.arrayContaining(['micro_trade_fee', 'micro_min.x']));
  expect(micro.flatMap(tables).find(({ table }) => table === 'contract')?.columns).toEqual(
    expect.arrayContaining(['user_id', 'result', 'ratio']),
  );
});

test('each way to rig is found if it is added [FAIR-003]', () => {
  const planted: Source = {
    file: 'planted.ts',
    text: `
      @Call({ method: 'POST', path: '/api/admin/micro/result' })
      class Body { @Integer({ min: 1 }) userId!: number; @Amount() endPrice!: WrittenAmount;
        @Integer() winRate!: number;
        @Text({ field: 'outcome' }) what!: string; }
      const DELAY = defineSetting('micro.delay_ms', integer({ max: 1 }), 0, 'x');
      create table person_luck (
        user_id bigint not null, win_rate numeric not null, forced text
      );`,
  };
  expect(routes(planted).filter(isRigged)).toEqual(['/api/admin/micro/result']);
  expect(fields(planted).filter(isRigged)).toEqual(['endPrice', 'winRate', 'outcome']);
  expect(settings(planted).filter(isRigged)).toEqual(['micro.delay_ms']);
  expect(tables(planted).flatMap(({ columns }) => columns.filter(isRiggedColumn))).toEqual(['win_rate', 'forced']);
});
