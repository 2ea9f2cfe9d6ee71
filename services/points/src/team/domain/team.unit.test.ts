import { expect, test } from '@jest/globals';
import { TeamLines, type TeamMember } from './team.js';
import { rankOf, USD_SCALE, type TeamFigures } from './team-rank.js';

const usd = (whole: number): bigint => BigInt(whole) * 10n ** BigInt(USD_SCALE);
const figures = (lines: TeamLines): Record<number, unknown> =>
  Object.fromEntries(
    lines
      .changed()
      .map(({ id, invited, direct, team, topUp, ownTopUp }: TeamMember) => [
        id,
        [invited, direct, team, topUp, ownTopUp],
      ]),
  );

test('certificates and deposits count for everybody above, direct members for the inviter [TEAM-010]', () => {
  const lines = new TeamLines([]);
  lines.register(1, null, 1);
  lines.register(2, 1, 2);
  lines.register(3, 2, 3);
  lines.certify(3);
  lines.deposit(3, 50n);
  lines.deposit(2, 7n);
  lines.certify(1);
  expect(figures(lines)).toEqual({
    1: [1, 0, 1, 57n, 0n],
    2: [1, 1, 1, 50n, 7n],
    3: [0, 0, 0, 0n, 50n],
  });
});

test('facts before a registration go up the line with it, and nothing counts twice [TEAM-011]', () => {
  const lines = new TeamLines([]);
  lines.deposit(3, 50n);
  lines.certify(3);
  lines.certify(3);
  lines.register(4, 3, 9);
  lines.certify(4);
  lines.register(3, 2, 3);
  lines.register(3, 1, 4);
  lines.register(2, 1, 2);
  lines.register(1, null, 1);
  expect(figures(lines)).toEqual({
    1: [1, 0, 2, 50n, 0n],
    2: [1, 1, 2, 50n, 0n],
    3: [1, 1, 1, 0n, 50n],
    4: [0, 0, 0, 0n, 0n],
  });
});

test('no member gets above themselves [TEAM-011]', () => {
  const lines = new TeamLines([]);
  lines.register(2, 1, 1);
  lines.register(1, 2, 2);
  lines.register(5, 5, 3);
  lines.certify(2);
  expect(lines.changed().map(({ id, inviterId }) => [id, inviterId])).toEqual([
    [2, 1],
    [1, null],
    [5, null],
  ]);
});

test('each rank is reached at its figures, and not one below [TEAM-012]', () => {
  const at = (direct: number, team: number, topUp: bigint): TeamFigures => ({ direct, team, topUp });
  for (const [rank, direct, team, whole] of [
    [1, 3, 3, 0],
    [2, 5, 20, 10_000],
    [3, 10, 100, 100_000],
    [4, 20, 500, 1_000_000],
  ] as const) {
    expect(rankOf(at(direct, team, usd(whole)))).toBe(rank);
    expect(rankOf(at(direct - 1, team, usd(whole)))).toBeLessThan(rank);
    if (rank > 1) expect(rankOf(at(direct, team - 1, usd(whole)))).toBeLessThan(rank);
    if (rank > 1) expect(rankOf(at(direct, team, usd(whole) - 1n))).toBeLessThan(rank);
  }
  expect(rankOf(at(2, 1_000, usd(9_000_000)))).toBe(0);
});

test('a rise is reported once, by the highest rank [TEAM-012]', () => {
  const lines = new TeamLines([]);
  for (let id = 2; id <= 6; id++) lines.register(id, 1, id);
  for (let id = 7; id <= 21; id++) lines.register(id, 2, id);
  lines.deposit(21, usd(10_000));
  for (let id = 2; id <= 21; id++) lines.certify(id);
  // Member 2 has fifteen direct members, which are not twenty in all.
  expect(lines.rises()).toEqual([
    { userId: 1, rank: 2 },
    { userId: 2, rank: 1 },
  ]);
});
