import type { IncomingMessage } from 'node:http';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { Metrics, type Config } from '@bourse/platform';
import { ForwardedWatch } from './forwarded-watch.js';

/** The pods of a cluster, of which the ingress controller is one. */
const CONTROLLER = '10.4.0.9';
const request = (peer: string, from?: string): IncomingMessage =>
  ({
    socket: { remoteAddress: peer },
    headers: from === undefined ? {} : { 'x-forwarded-for': from },
  }) as unknown as IncomingMessage;

describe('requests passed on by proxies [HARD-208]', () => {
  let metrics: Metrics;
  let watch: ForwardedWatch;
  beforeEach(() => {
    metrics = new Metrics();
    watch = new ForwardedWatch({ trustedProxies: ['10.0.0.0/8'] } as unknown as Config, metrics);
  });
  const counted = async (name: string, client?: string): Promise<number> => {
    const { values } = (await metrics.registry.getSingleMetric(name)?.get()) ?? { values: [] };
    return values.find(({ labels }) => labels['client'] === client)?.value ?? 0;
  };

  test.each([
    ['the address of a person', '8.8.8.8', 'public'],
    ['a person behind a proxy of their own', '192.168.1.7, 8.8.8.8', 'public'],
    ['a person with IPv6', '2001:4860:4860::8888', 'public'],
    ['a node of the cluster', '10.1.0.4', 'private'],
    ['a node in a network that nobody named', '172.16.3.2', 'private'],
    ['a node behind the address translation of a carrier', '100.64.0.8', 'private'],
    ['a node with IPv6', 'fd00::8', 'private'],
    ['a node, written as IPv6', '::ffff:192.168.0.3', 'private'],
    ['no address at all', 'unknown', 'public'],
  ])('%s is counted by its kind', async (_what, from, kind) => {
    watch.see(request(CONTROLLER, from));
    const kinds = ['public', 'private'];
    expect(await Promise.all(kinds.map((client) => counted('bourse_forwarded_total', client)))).toEqual(
      kinds.map((client) => (client === kind ? 1 : 0)),
    );
    expect(await counted('bourse_forwarded_unnamed_total')).toBe(0);
  });

  test('an unnamed proxy counts as unnamed only, and a direct request does not count', async () => {
    watch.see(request('192.168.7.7', '10.1.0.4'));
    watch.see(request(CONTROLLER));
    expect(await counted('bourse_forwarded_unnamed_total')).toBe(1);
    for (const client of ['public', 'private']) expect(await counted('bourse_forwarded_total', client)).toBe(0);
  });
});
