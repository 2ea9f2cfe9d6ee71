import { describe, expect, test } from '@jest/globals';
import type { TeamNode } from '@bourse/contract';
import { nextRank } from './rank.js';
import { hasBelow, merged, nextPart, rowsOf, treeOf, windowOf, type TreeRow } from './tree.js';

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

  test('a large team is read whole in few parts, each as the call answers it [TERM-TEAM-006]', () => {
    let id = 0;
    const member = (children: TeamNode[]): TeamNode => node((id += 1), `m${id}`, children);
    const some = (count: number, make: () => TeamNode): TeamNode[] => Array.from({ length: count }, make);
    const chain = Array.from({ length: 200 }).reduce<TeamNode>((below) => member([below]), member([]));
    const all = [...some(10, () => member(some(10, () => member(some(70, () => member([])))))), chain];
    const byId = new Map<number, TeamNode>();
    for (const left = [...all]; left.length > 0;) {
      const one = left.pop()!;
      byId.set(one.id, one);
      left.push(...one.children);
    }
    /** At most 1,000 members of 50 levels, level by level. */
    const answer = (of: number | undefined, after: number | undefined): TeamNode[] => {
      const own = of === undefined ? all : (byId.get(of)?.children ?? []);
      const top = own.slice(own.findIndex((one) => one.id === after) + 1);
      let level = top.map((one) => ({ ...one, children: [] as TeamNode[] }));
      const results = level;
      for (let [room, depth] = [1_000 - level.length, 1]; depth < 50 && level.length > 0; depth += 1) {
        level = level.flatMap((above) => {
          const taken = (byId.get(above.id)?.children ?? []).slice(0, Math.max(0, room));
          room -= taken.length;
          above.children = taken.map((one) => ({ ...one, children: [] }));
          return above.children as typeof level;
        });
      }
      return results;
    };
    let team = treeOf(answer(undefined, undefined));
    expect(team.members.size).toBeLessThan(1_001);
    const asked = new Set<number>();
    let parts = 0;
    for (let part = nextPart(team, asked); part; part = nextPart(team, asked)) {
      if (part.of !== undefined) asked.add(part.of);
      team = merged(team, part.of, answer(part.of, part.after));
      parts += 1;
      expect(parts).toBeLessThan(60);
    }
    expect(new Set(team.members.keys())).toEqual(new Set(byId.keys()));
    const wrong = [...byId].filter(
      ([one, { children }]) => String(team.members.get(one)?.children) !== String(children.map((child) => child.id)),
    );
    expect(wrong).toEqual([]);
    // Counted wrongly, or gone since: an answer without anybody new ends the asking.
    const stale = treeOf([node(1, 'amy', [node(2, 'bea', [], 3)])]);
    const first = nextPart(stale, new Set())!;
    expect(first).toEqual({ of: 1, after: undefined });
    const second = nextPart(merged(stale, 1, [node(2, 'bea', [], 3)]), new Set([1]))!;
    expect(second).toEqual({ of: 2, after: undefined });
    expect(nextPart(merged(stale, 2, []), new Set([1, 2]))).toBeUndefined();
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

test('the next rank shows its requirements and the progress [TERM-TEAM-005]', () => {
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
