import { describe, expect, test } from '@jest/globals';
import { replaceBetween, reportOf, shortOf } from './lib/report.mjs';

const found = {
  book: {
    at: '2026-01-02T03:04:05Z',
    node: 'v24',
    commands: 1_000_000,
    rounds: 3,
    machine: '2 × CPU',
    bourse: {
      median: 16e6,
      minimum: 13e6,
      latencyNs: { p50: 70, p99: 400 },
      latencyGoalNs: 1000,
      totalsEqual: true,
      heapBytesPerCommand: 0,
      heapKeptBytes: 5000,
    },
    peers: [
      {
        name: 'fast',
        version: '1',
        language: 'Java',
        goal: 2.5,
        median: 9e6,
        minimum: 6e6,
        ratio: 1.75,
        latencyNs: { p50: 90, p99: 900 },
        totals: { equal: ['trades'], differ: [{ name: 'rejects', expected: 1, got: 2 }], untold: ['resting'] },
      },
      { name: 'gone', version: '2', language: 'Go', goal: 4, missing: 'no go on this machine' },
    ],
  },
  ledger: {
    rows: [
      {
        name: 'journals',
        unit: '/s',
        value: 26_000,
        goal: 25_000,
        nodeMicroseconds: 30.123,
        postgresMicroseconds: 12.3,
        p50: 1.234,
        p99: 9.87,
        reconciled: true,
      },
    ],
  },
  pipeline: undefined,
  scenarios: [
    {
      scenario: 'sockets',
      mode: 'embedded',
      what: 'sockets',
      at: '2026-01-02',
      users: 1,
      machine: '2 × CPU',
      node: 'v24',
      reconciled: true,
      problems: [],
      refusals: {},
      rows: [{ name: 'p99', unit: 'ms', value: 120, goal: '≤ 100', met: false }],
    },
    {
      scenario: 'orders',
      mode: 'embedded',
      what: 'order flow',
      at: '2026-01-02',
      users: 1,
      machine: '2 × CPU',
      node: 'v24',
      reconciled: false,
      problems: ['a is lost'],
      refusals: { x: 2 },
      rows: [],
    },
  ],
};

describe('the report', () => {
  const page = reportOf(found);

  test('hides no shortfall: a missed goal, a missing peer, unequal totals, no reconciliation, no figure', () => {
    expect(page).toContain('| fast 1 (Java) | 9.0 | 6.0 | 1.75 × | ≥ 2.5 × ✗ |');
    expect(page).toContain('Against fast the goal is missed: 1.75 × instead of 2.5 ×.');
    expect(page).toContain('fast ends with rejects 2 where the reference has 1.');
    expect(page).toContain('| gone 2 (Go) | **not measured** |');
    expect(page).toContain('| p99 | 120 ms | ≤ 100 ✗ |');
    expect(page).toContain('**Not reconciled:** a is lost Refusals: x 2.');
    expect(page).toContain('Not measured on this tree: `npm run bench:pipeline`.');
  });

  test('keeps its order, whatever the order of the files', () => {
    expect(page.indexOf('Order flow on one hot market')).toBeLessThan(page.indexOf('## Sockets'));
  });

  test('checks a goal that is a number as one to be reached', () => {
    expect(page).toContain(
      '| journals | 26000 /s | ≥ 25000 ✓ | CPU of one: 30.1 µs Node, 12.3 µs ' +
        'PostgreSQL; p50 1.23 ms, p99 9.87 ms; reconciled |',
    );
    expect(shortOf(found)).toContain('| ledger: journals | 26000 /s | ≥ 25000 ✓ |');
  });

  test('fills the place that a page has for it, and complains about a page without one', () => {
    expect(replaceBetween('a\n<!-- t -->\nold\n<!-- /t -->\nb', 't', 'new')).toBe('a\n<!-- t -->\nnew\n<!-- /t -->\nb');
    expect(() => replaceBetween('a', 't', 'new')).toThrow('no place for t');
  });
});
