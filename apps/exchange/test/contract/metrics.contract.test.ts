import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';

const base = (process.env['BOURSE_URL'] ?? '').replace(/\/$/, '');
const page = readFileSync(fileURLToPath(new URL('../../../../docs/metrics.md', import.meta.url)), 'utf8');
const listed = new Map(
  [...page.matchAll(/^\| `(bourse_\w+)` \| ([\w, ]*)\|/gm)].map(([, name, labels]) => [
    name as string,
    (labels as string).split(',').map((label) => label.trim()),
  ]),
);

/** The text of a process: kind of each metric, and the labels that its lines have. */
async function shown(): Promise<{ kinds: Map<string, string>; labels: Map<string, Set<string>> }> {
  const response = await fetch(`${base}/metrics`, { signal: AbortSignal.timeout(30_000) });
  expect(response.status).toBe(200);
  const kinds = new Map<string, string>();
  const labels = new Map<string, Set<string>>();
  for (const line of (await response.text()).split('\n')) {
    const [, name, kind] = /^# TYPE (\w+) (\w+)$/.exec(line) ?? [];
    if (name !== undefined && kind !== undefined) kinds.set(name, kind);
    const [, sample, given] = /^(bourse_\w+)\{([^}]*)\} /.exec(line) ?? [];
    if (sample === undefined || given === undefined) continue;
    const of = kinds.has(sample) ? sample : sample.replace(/_(bucket|sum|count)$/, '');
    const known = labels.get(of) ?? new Set<string>();
    for (const [, label] of given.matchAll(/(\w+)="/g)) known.add(label as string);
    labels.set(of, known);
  }
  return { kinds, labels };
}

test('a process exports exactly the listed metrics, with labels and units [OBSERVE-013]', async () => {
  const { kinds, labels } = await shown();
  const own = [...kinds.keys()].filter((name) => name.startsWith('bourse_'));
  expect(own.filter((name) => !listed.has(name))).toEqual([]);
  for (const name of own) {
    const known = new Set([...(listed.get(name) ?? []), 'le']);
    expect([name, [...(labels.get(name) ?? [])].filter((label) => !known.has(label))]).toEqual([name, []]);
    expect([name, name.endsWith('_total')]).toEqual([name, kinds.get(name) === 'counter']);
  }
  // The most important metrics exist before the first event.
  for (const name of ['bourse_ready', 'bourse_alarms', 'bourse_http_request_seconds', 'bourse_database_connections'])
    expect(own).toContain(name);
  for (const name of ['nodejs_eventloop_lag_p99_seconds', 'process_resident_memory_bytes'])
    expect([...kinds.keys()]).toContain(name);
});
