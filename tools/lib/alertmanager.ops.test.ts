import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, jest, test } from '@jest/globals';
import { parse } from 'yaml';
import { testTimeoutMs } from '@bourse/testing/eventually';
import { receiversOf, routingProblems } from './prometheus.mjs';

// The first run fetches amtool.
jest.setTimeout(testTimeoutMs(120_000));

interface Inhibition {
  readonly source_matchers: readonly string[];
  readonly target_matchers: readonly string[];
  readonly equal?: readonly string[];
}
const deploy = fileURLToPath(new URL('../../deploy/', import.meta.url));
const file = join(deploy, 'alertmanager/alertmanager.yml');
const text = readFileSync(file, 'utf8');
const { inhibit_rules: inhibitions } = parse(text) as { readonly inhibit_rules: readonly Inhibition[] };
const alerts = ['alerts.yml', 'data-alerts.yml'].flatMap((rules) =>
  (
    parse(readFileSync(join(deploy, 'prometheus', rules), 'utf8')) as {
      readonly groups: readonly { readonly rules: readonly { alert: string; labels: Record<string, string> }[] }[];
    }
  ).groups.flatMap((group) => group.rules),
);
const severityOf = new Map(alerts.map(({ alert, labels }) => [alert, labels['severity']]));
const folder = mkdtempSync(join(tmpdir(), 'bourse-alertmanager-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The alerts that matchers name. */
const namedIn = (matchers: readonly string[]): string[] =>
  matchers.flatMap((matcher) => (/^alertname=~?"(.+)"$/.exec(matcher)?.[1] ?? `? ${matcher}`).split('|'));

describe('receivers of an alert [OBSERVE-028]', () => {
  test('Alertmanager reads its file, and a slip in it is found', () => {
    expect(routingProblems(file)).toBe('');
    const slip = join(folder, 'slip.yml');
    writeFileSync(slip, text.replace('receiver: page', 'receiver: nobody'));
    expect(routingProblems(slip)).toContain('nobody');
  });

  test('pages reach the pager, all other alerts the tickets', () => {
    for (const severity of ['page', 'ticket'])
      expect([severity, receiversOf(file, { alertname: 'BourseAny', severity })]).toEqual([severity, [severity]]);
    expect(receiversOf(file, { alertname: 'OfSomebodyElse' })).toEqual(['ticket']);
  });

  test('every inhibited alert exists, and is never a page', () => {
    expect(inhibitions.length).toBeGreaterThan(3);
    for (const { source_matchers: source, target_matchers: target } of inhibitions) {
      for (const name of [...namedIn(source), ...namedIn(target)]) expect([...severityOf.keys()]).toContain(name);
      // Somebody is woken by the one that speaks: nothing falls silent.
      for (const name of namedIn(source)) expect([name, severityOf.get(name)]).toEqual([name, 'page']);
    }
  });

  test('Prometheus of docker-compose.yml has the address of Alertmanager', () => {
    const { alerting } = parse(readFileSync(join(deploy, 'prometheus/prometheus.yml'), 'utf8')) as {
      readonly alerting: {
        readonly alertmanagers: readonly { readonly static_configs: readonly { targets: string[] }[] }[];
      };
    };
    const { services } = parse(readFileSync(join(deploy, '../docker-compose.yml'), 'utf8')) as {
      readonly services: Readonly<Record<string, { readonly ports?: readonly string[] }>>;
    };
    const [target = ''] = alerting.alertmanagers.flatMap(({ static_configs: all }) =>
      all.flatMap(({ targets }) => targets),
    );
    const [host = '', port = ''] = target.split(':');
    expect(services[host]?.ports?.join()).toMatch(new RegExp(`:${port}$`));
  });
});
