import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from '@jest/globals';
import { parser } from '@prometheus-io/lezer-promql';
import { parse } from 'yaml';

const root = fileURLToPath(new URL('../../../../', import.meta.url));
const textOf = (path: string): string => readFileSync(join(root, path), 'utf8');

/** Metrics of docs/metrics.md with matching names, with their labels. */
const listedAs = (names: string): ReadonlyMap<string, readonly string[]> =>
  new Map(
    [...textOf('docs/metrics.md').matchAll(new RegExp(`^\\| \`(${names})\` \\| ([\\w, ]*)\\|`, 'gm'))].map(
      ([, name, labels]) => [
        name as string,
        (labels as string)
          .split(',')
          .map((label) => label.trim())
          .filter((label) => label !== ''),
      ],
    ),
  );
/** Our own. */
const listed = listedAs('bourse_\\w+');
/** Those of others that alerts of a cluster ask for. */
const others = listedAs('(?!bourse_)\\w+');
/** Metrics of Node's client, of the scrape and of k6 itself that the documents may name. */
const FOREIGN = /^(up|process_\w+|nodejs_\w+|k6_(vus(_max)?|dropped_iterations_total))$/;
/** How k6 writes the metrics that a script makes, by their kinds. */
const K6_ENDS: Readonly<Record<string, string>> = { Trend: '_p99', Counter: '_total', Rate: '_rate', Gauge: '' };
const ofScripts: ReadonlySet<string> = new Set(
  readdirSync(join(root, 'loadtest/k6'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.js'))
    .flatMap((file) => [...textOf(join('loadtest/k6', file)).matchAll(/new (Trend|Counter|Rate|Gauge)\('(\w+)'/g)])
    .map(([, kind = '', name]) => `k6_${name}${K6_ENDS[kind]}`),
);
/** Labels that Prometheus or the client adds. */
const ADDED = new Set(['job', 'instance', 'service', 'le', 'quantile']);

function sources(folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return ['node_modules', 'dist', 'test'].includes(entry.name) ? [] : sources(path);
    return /\.ts$/.test(entry.name) && !/\.test\.ts$/.test(entry.name) ? [path] : [];
  });
}

/** Each call that makes a metric: its name and the labels it is made with. */
const made = new Map<string, readonly string[]>();
for (const file of ['libs', 'services'].flatMap(sources)) {
  const calls = /\.(?:counter|gauge|histogram|queried)\(\s*'(\w+)',\s*(?:'[^']*'|`[^`]*`)\s*(?:,\s*\[([^\]]*)\])?/g;
  for (const [, name, labels = ''] of textOf(file).matchAll(calls))
    made.set(
      name as string,
      [...labels.matchAll(/'(\w+)'/g)].map(([, label]) => label as string),
    );
}

/** Names and labels of a query; throws if it does not parse. Grafana's own variables are durations. */
function readQuery(query: string): { names: string[]; labels: string[] } {
  const text = query.replaceAll('$__rate_interval', '5m').replaceAll('$__range', '1h');
  const names: string[] = [];
  const labels: string[] = [];
  parser.parse(text).iterate({
    enter: ({ type, from, to }) => {
      if (type.isError) throw new Error(`does not parse at ${from}: ${text}`);
      const word = text.slice(from, to);
      if (type.name === 'Identifier') names.push(word);
      else if (type.name === 'LabelName') labels.push(word);
    },
  });
  return { names, labels };
}
const baseOf = (name: string): string => (listed.has(name) ? name : name.replace(/_(bucket|sum|count)$/, ''));

/** Returns the faults of a query that names metrics that are not exported. */
function faultsOf(query: string): string[] {
  const { names, labels } = readQuery(query);
  const own = names.filter((name) => !FOREIGN.test(name) && !others.has(name) && !ofScripts.has(name));
  const labelled = [
    ...own.flatMap((name) => listed.get(baseOf(name)) ?? []),
    ...names.flatMap((name) => others.get(name) ?? []),
  ];
  const known = new Set([...labelled, ...ADDED, ...nodeLabels(names)]);
  return [
    ...(names.length === 0 ? ['names no metric'] : []),
    ...own.filter((name) => !listed.has(baseOf(name))),
    ...labels.filter((label) => !known.has(label)).map((label) => `label ${label}`),
  ];
}
const nodeLabels = (names: readonly string[]): string[] =>
  names.some((name) => name.startsWith('nodejs_')) ? ['kind', 'space', 'type', 'version'] : [];

interface Alert {
  readonly alert: string;
  readonly expr: string;
  readonly for?: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
}
const alertsOf = (file: string): readonly Alert[] =>
  (
    parse(textOf(`deploy/prometheus/${file}`)) as { groups: readonly { name: string; rules: readonly Alert[] }[] }
  ).groups.flatMap(({ rules }) => rules);
const alerts = [...alertsOf('alerts.yml'), ...alertsOf('data-alerts.yml')];

describe('metrics [OBSERVE-010]', () => {
  test('the list names every metric that the code makes, with its labels, and no other', () => {
    expect(made.size).toBeGreaterThan(25);
    expect([...listed.keys()].sort()).toEqual([...made.keys()].sort());
    for (const [name, labels] of made) expect([name, listed.get(name)]).toEqual([name, labels]);
  });

  test('names are bourse_, with their unit: seconds, units, total for counters', () => {
    for (const file of ['libs', 'services'].flatMap(sources))
      for (const [, kind, name] of textOf(file).matchAll(/\.(counter|histogram|gauge)\(\s*'(\w+)'/g)) {
        expect(name).toMatch(/^bourse_[a-z_]+$/);
        expect([name, (name as string).endsWith('_total')]).toEqual([name, kind === 'counter']);
        if (kind === 'histogram') expect(name).toMatch(/_(seconds|commands)$/);
        expect(name).not.toMatch(/_(ms|millis|milliseconds|minutes|kb|mb)(_|$)/);
      }
  });
});

describe('alerts [OBSERVE-011]', () => {
  test.each(alerts.map((alert) => [alert.alert, alert] as const))('%s', (name, { expr, labels, annotations }) => {
    expect(name).toMatch(/^Bourse[A-Z]\w+$/);
    expect(faultsOf(expr)).toEqual([]);
    expect(['page', 'ticket']).toContain(labels['severity']);
    expect(annotations['summary']).toMatch(/\.$/);
    const [, page = ''] = /^\{\{ \$externalLabels\.runbooks \}\}\/(docs\/runbooks\/[a-z-]+\.md)$/.exec(
      annotations['runbook_url'] ?? '',
    ) ?? ['', ''];
    expect(page !== '' && existsSync(join(root, page))).toBe(true);
    // The page names its alert.
    expect(textOf(page)).toContain(`\`${name}\``);
  });

  test('finds a rule that names a missing metric or does not parse', () => {
    expect(faultsOf('sum(bourse_nothing)')).toEqual(['bourse_nothing']);
    expect(faultsOf('bourse_audit_ok{colour="red"} == 0')).toEqual(['label colour']);
    expect(faultsOf('vector(1)')).toEqual(['names no metric']);
    expect(() => faultsOf('sum(bourse_ready')).toThrow('does not parse');
  });

  test('calls that people feel are judged at the edge alone, where each is counted once [OBSERVE-023]', () => {
    for (const name of ['BourseServerErrors', 'BourseCallsSlow']) {
      const { expr = '' } = alerts.find(({ alert }) => alert === name) ?? {};
      expect(new Set(readQuery(expr).names.map(baseOf))).toEqual(new Set(['bourse_http_request_seconds']));
    }
  });

  test('every source of alerts has an alert for its absence [OBSERVE-027]', () => {
    const data = alertsOf('data-alerts.yml');
    const missed = data
      .filter(({ alert }) => ['BourseDataUnwatched', 'BourseBackupOld'].includes(alert))
      .flatMap(({ expr }) => readQuery(expr).names);
    // Of one source, which shows all of its metrics or none, one is enough.
    const sourceOf = (name: string): string => /^[a-z]+/.exec(name)?.[0] ?? '';
    for (const { expr } of data)
      for (const name of readQuery(expr).names) expect(missed.map(sourceOf)).toContain(sourceOf(name));
    expect([...others.keys()].sort()).toEqual([...new Set(data.flatMap(({ expr }) => readQuery(expr).names))].sort());
  });

  test('each has a name of its own, and a duration where it has one', () => {
    expect(new Set(alerts.map(({ alert }) => alert)).size).toBe(alerts.length);
    expect(alerts.length).toBeGreaterThan(15);
    for (const { for: span } of alerts) expect(span ?? '0s').toMatch(/^\d+[smh]$/);
  });

  test('every service of the manifests has an alert if it is not scraped [OBSERVE-024]', () => {
    const { expr = '' } = alerts.find(({ alert }) => alert === 'BourseUnwatched') ?? {};
    const told = [...expr.matchAll(/absent\(up\{job="bourse",service="([a-z0-9-]+)"\}\)/g)].map(([, name]) => name);
    const services = readdirSync(join(root, 'services')).filter((name) =>
      existsSync(join(root, 'services', name, 'service.json')),
    );
    expect(told).toEqual(services.sort());
  });

  test('Prometheus reads the rules and scrapes every service', () => {
    const { rule_files: files, scrape_configs: jobs } = parse(textOf('deploy/prometheus/prometheus.yml')) as {
      rule_files: string[];
      scrape_configs: { job_name: string; static_configs: { labels: { service: string } }[] }[];
    };
    for (const file of files) expect(existsSync(join(root, 'deploy/prometheus', file))).toBe(true);
    const scraped = jobs.flatMap((job) => job.static_configs.map(({ labels }) => labels.service));
    expect(jobs.map(({ job_name }) => job_name)).toEqual(['bourse']);
    expect(scraped.sort()).toEqual(
      readdirSync(join(root, 'services'))
        .filter((name) => existsSync(join(root, 'services', name, 'service.json')))
        .sort(),
    );
  });
});

interface Panel {
  readonly id: number;
  readonly title: string;
  readonly datasource: { readonly uid: string };
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number };
  readonly fieldConfig: { readonly defaults: { readonly unit: string } };
  readonly targets: readonly { readonly refId: string; readonly expr: string; readonly datasource: { uid: string } }[];
}
interface Dashboard {
  readonly uid: string;
  readonly title: string;
  readonly panels: readonly Panel[];
  readonly templating: { readonly list: readonly { readonly name: string; readonly type: string }[] };
}
const DASHBOARDS = 'deploy/grafana/dashboards';

describe('dashboards [OBSERVE-012]', () => {
  const files = readdirSync(join(root, DASHBOARDS)).filter((file) => file.endsWith('.json'));
  const read = (file: string): Dashboard => JSON.parse(textOf(join(DASHBOARDS, file))) as Dashboard;

  test.each(files)('%s', (file) => {
    const { panels, templating } = read(file);
    expect(templating.list).toEqual([expect.objectContaining({ name: 'datasource', type: 'datasource' })]);
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
    for (const { title, datasource, targets, gridPos, fieldConfig } of panels) {
      expect(datasource.uid).toBe('${datasource}');
      expect(gridPos.x + gridPos.w).toBeLessThanOrEqual(24);
      expect(fieldConfig.defaults.unit).not.toBe('');
      expect(targets.length).toBeGreaterThan(0);
      for (const target of targets) {
        expect(target.datasource.uid).toBe('${datasource}');
        expect([title, faultsOf(target.expr)]).toEqual([title, []]);
      }
    }
  });

  test('all five are there, each under an address of its own, and every metric of ours is drawn or alarmed on', () => {
    const boards = files.map(read);
    expect(boards.map(({ title }) => title).sort()).toEqual([
      'Exchange overview',
      'Infrastructure',
      'Load by k6',
      'Money and audit',
      'Trading pipeline',
    ]);
    expect(new Set(boards.map(({ uid }) => uid)).size).toBe(boards.length);
    const drawn = new Set(
      [...boards.flatMap(({ panels }) => panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)))]
        .concat(alerts.map(({ expr }) => expr))
        .flatMap((query) => readQuery(query).names.map(baseOf)),
    );
    expect([...listed.keys()].filter((name) => !drawn.has(name))).toEqual([]);
  });
});

describe('runbooks [OBSERVE-014]', () => {
  const pages = readdirSync(join(root, 'docs/runbooks')).filter((name) => name !== 'README.md');
  const scripts = Object.keys((JSON.parse(textOf('package.json')) as { scripts: Record<string, string> }).scripts);
  const cli = textOf('tools/lib/commands.mjs');

  test('the list has every page, and no other', () => {
    const told = [...textOf('docs/runbooks/README.md').matchAll(/\]\(([a-z-]+\.md)\)/g)].map(([, name]) => name);
    expect([...new Set(told)].sort()).toEqual([...pages].sort());
  });

  test.each([...pages, 'README.md'])('%s names only what exists', (page) => {
    const text = textOf(join('docs/runbooks', page));
    for (const [, name] of text.matchAll(/`(Bourse[A-Z]\w+)`/g))
      expect(alerts.map(({ alert }) => alert)).toContain(name);
    for (const [name] of text.matchAll(/\bbourse_[a-z]+_[a-z_]*[a-z]\b(?![|(_])/g))
      if (!/^bourse_(ledger|spot|auth|market|gateway|c2c|lever)$/.test(name))
        expect([page, name, listed.has(baseOf(name))]).toEqual([page, name, true]);
    for (const [, command] of text.matchAll(/npx bourse ([a-z][a-z-]*)/g))
      expect([page, command, new RegExp(`['"]?\\b${command}\\b['"]?`).test(cli)]).toEqual([page, command, true]);
    for (const [, script] of text.matchAll(/npm run ([a-z][a-z:-]*)/g)) expect(scripts).toContain(script);
    for (const [, target] of text.matchAll(/\]\((?!https?:|#)([^)#]+)[^)]*\)/g))
      expect([page, target, existsSync(join(root, 'docs/runbooks', target as string))]).toEqual([page, target, true]);
    for (const [, path] of text.matchAll(/(?:\/api|\/dev)(\/[\w/]+)/g))
      expect([page, served(path as string)]).toEqual([page, true]);
  });

  test('each page has the symptoms, the meaning, the steps and the signs of the end', () => {
    for (const page of pages) {
      const heads = [...textOf(join('docs/runbooks', page)).matchAll(/^## (.+)$/gm)].map(([, head]) => head);
      expect([basename(page), heads]).toEqual([basename(page), ['What is seen', 'What to do', 'When it is over']]);
    }
  });
});

/** Whether the contract lists a call with this end of its path. */
const CONTRACT = textOf('docs/contract/api.md');
const served = (path: string): boolean => CONTRACT.includes(path);
