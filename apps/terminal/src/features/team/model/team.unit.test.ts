import { describe, expect, test } from '@jest/globals';
import type { TeamNode } from '@bourse/contract';
import { nextRank } from './rank.js';
import { hasBelow, merged, rowsOf, treeOf, windowOf, type TreeRow } from './tree.js';

const node = (id: number, name: string, children: TeamNode[] = [], direct = children.length): TeamNode => ({
  id,
  name,
  direct,
  children,
});
const shown = (rows: readonly TreeRow[]): string[] =>
  rows.map((row) => `${'.'.repeat(row.level)}${row.kind === 'member' ? row.member.name : 'more'}`);
const TEAM = treeOf([node(2, 'bea', [node(3, 'cid', [node(4, 'dan')]), node(5, 'eve')]), node(6, 'fay')]);

describe('the tree', () => {
  test('shows those below open members only, each with its place among its own [TERM-TEAM-001]', () => {
    expect(shown(rowsOf(TEAM, new Set(), ''))).toEqual(['.bea', '.fay']);
    const rows = rowsOf(TEAM, new Set([2, 3]), '');
    expect(shown(rows)).toEqual(['.bea', '..cid', '...dan', '..eve', '.fay']);
    expect(rows.map(({ position, size }) => [position, size])).toEqual([
      [1, 2],
      [1, 2],
      [1, 1],
      [2, 2],
      [2, 2],
    ]);
    expect(shown(rowsOf(TEAM, new Set([3]), ''))).toEqual(['.bea', '.fay']);
  });

  test('a search finds names and ids, with everybody above them [TERM-TEAM-002]', () => {
    expect(shown(rowsOf(TEAM, new Set(), 'DAN'))).toEqual(['.bea', '..cid', '...dan']);
    expect(shown(rowsOf(TEAM, new Set(), '6'))).toEqual(['.fay']);
    expect(rowsOf(TEAM, new Set([2]), 'zoe')).toEqual([]);
  });

  test('a part that comes later takes its place, and an empty one ends the asking [TERM-TEAM-003]', () => {
    const team = treeOf([node(2, 'bea', [node(3, 'cid')], 3)]);
    const open = new Set([2]);
    const more = rowsOf(team, open, '').at(-1);
    expect(more).toMatchObject({ kind: 'more', of: 2, after: 3, level: 2 });
    const fuller = merged(team, 2, [node(5, 'eve'), node(3, 'cid')]);
    expect(shown(rowsOf(fuller, open, ''))).toEqual(['.bea', '..cid', '..eve', '..more']);
    expect(shown(rowsOf(merged(fuller, 2, []), open, ''))).toEqual(['.bea', '..cid', '..eve']);
    const closed = treeOf([node(7, 'gus', [], 2)]);
    expect(hasBelow(closed.members.get(7)!)).toBe(true);
    expect(shown(rowsOf(merged(closed, 7, [node(8, 'hal'), node(9, 'ida')]), new Set([7]), ''))).toEqual([
      '.gus',
      '..hal',
      '..ida',
    ]);
  });

  test('of 10,000 members only those in sight are drawn, and no chain is too deep [TERM-TEAM-004]', () => {
    let chain = node(10_000, 'last');
    for (let id = 9_999; id > 0; id -= 1) chain = node(id, `member ${id}`, [chain]);
    const team = treeOf([chain]);
    const rows = rowsOf(team, new Set(team.members.keys()), '');
    expect(rows).toHaveLength(10_000);
    expect(rows.at(-1)).toMatchObject({ level: 10_000 });
    expect(rowsOf(team, new Set(), 'last')).toHaveLength(10_000);
    const sight = { height: 360, rowHeight: 36 };
    expect(windowOf(10_000, { ...sight, scrolled: 0 })).toEqual({ from: 0, to: 18 });
    expect(windowOf(10_000, { ...sight, scrolled: 36_000 })).toEqual({ from: 992, to: 1_018 });
    expect(windowOf(10_000, { ...sight, scrolled: 360_000 })).toEqual({ from: 9_992, to: 10_000 });
  });
});

test('the next rank says what it asks for and what is there of it [TERM-TEAM-005]', () => {
  expect(nextRank({ rank: 0, direct: 1, real_teamnumber: 2, top_upnumber: '0' })).toEqual({
    rank: 1,
    needs: [{ what: 'direct', have: '1', needed: '3', met: false }],
  });
  expect(nextRank({ rank: 1, direct: 5, real_teamnumber: 19, top_upnumber: '10000.00000000' })).toEqual({
    rank: 2,
    needs: [
      { what: 'direct', have: '5', needed: '5', met: true },
      { what: 'team', have: '19', needed: '20', met: false },
      { what: 'topUp', have: '10000.00000000', needed: '10000', met: true },
    ],
  });
  expect(nextRank({ rank: 4, direct: 20, real_teamnumber: 500, top_upnumber: '1000000' })).toBeUndefined();
});
