import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { rankOf } from './team-rank.js';
import { TeamLines, type TeamMember } from './team.js';

type Fact =
  | { readonly kind: 'registered'; readonly id: number; readonly inviter: number | null }
  | { readonly kind: 'certified'; readonly id: number }
  | { readonly kind: 'deposit'; readonly id: number; readonly value: bigint };

const PEOPLE_MAX = 24;
/** A forest in which each member was invited by an earlier one, and their later facts, in any order. */
const histories = fc
  .array(
    fc.record({
      by: fc.nat(),
      top: fc.boolean(),
      certified: fc.boolean(),
      deposits: fc.array(fc.bigInt(1n, 10n ** 15n), { maxLength: 3 }),
    }),
    {
      minLength: 1,
      maxLength: PEOPLE_MAX,
    },
  )
  .map((people) =>
    people.flatMap(({ by, top, certified, deposits }, at): Fact[] => [
      { kind: 'registered', id: at + 1, inviter: top || at === 0 ? null : 1 + (by % at) },
      ...(certified ? [{ kind: 'certified', id: at + 1 } as const] : []),
      ...deposits.map((value) => ({ kind: 'deposit', id: at + 1, value }) as const),
    ]),
  )
  .chain((facts) =>
    fc.tuple(
      fc.constant(facts),
      fc.shuffledSubarray(facts, { minLength: facts.length }),
      fc.infiniteStream(fc.nat({ max: 4 })),
    ),
  );

/** As the store returns them: the named members, with all above them. */
function linesOf(known: ReadonlyMap<number, TeamMember>, ids: readonly number[]): TeamMember[] {
  const found = new Map<number, TeamMember>();
  for (const start of ids)
    for (let id: number | null = start; id !== null;) {
      const member: TeamMember | undefined = known.get(id);
      if (!member) break;
      found.set(id, member);
      id = member.inviterId;
    }
  return [...found.values()];
}

test('in any order, in any batches, with facts that come again, the sums are those that are counted [TEAM-011]', () => {
  fc.assert(
    fc.property(histories, ([facts, shuffled, sizes]) => {
      const known = new Map<number, TeamMember>();
      const size = sizes[Symbol.iterator]();
      // Registrations and certificates may come twice; deposits are deduplicated by their ids before they come here.
      const told = [...shuffled, ...shuffled.filter(({ kind }) => kind !== 'deposit')];
      for (let at = 0; at < told.length;) {
        const batch = told.slice(at, (at += 1 + (size.next().value as number)));
        const ids = batch.flatMap((fact) =>
          fact.kind === 'registered' && fact.inviter !== null ? [fact.id, fact.inviter] : [fact.id],
        );
        const lines = new TeamLines(linesOf(known, ids));
        for (const fact of batch)
          if (fact.kind === 'registered') lines.register(fact.id, fact.inviter, fact.id);
          else if (fact.kind === 'certified') lines.certify(fact.id);
          else lines.deposit(fact.id, fact.value);
        for (const member of lines.changed()) {
          expect(member.rank).toBeGreaterThanOrEqual(known.get(member.id)?.rank ?? 0);
          known.set(member.id, { ...member });
        }
      }
      const inviters = new Map(
        facts.flatMap((one) => (one.kind === 'registered' ? [[one.id, one.inviter] as const] : [])),
      );
      const isBelow = (id: number, ancestor: number): boolean => {
        for (let up = inviters.get(id) ?? null; up !== null; up = inviters.get(up) ?? null)
          if (up === ancestor) return true;
        return false;
      };
      for (const [id] of inviters) {
        const certified = facts.filter((one) => one.kind === 'certified');
        const topUp = facts.reduce(
          (sum, one) => (one.kind === 'deposit' && isBelow(one.id, id) ? sum + one.value : sum),
          0n,
        );
        const counted = {
          invited: [...inviters.values()].filter((inviter) => inviter === id).length,
          direct: certified.filter((one) => inviters.get(one.id) === id).length,
          team: certified.filter((one) => isBelow(one.id, id)).length,
          topUp,
        };
        expect(known.get(id)).toMatchObject({ ...counted, inviterId: inviters.get(id) ?? null });
        expect(known.get(id)?.rank).toBe(rankOf(counted));
      }
    }),
    { numRuns: 300 },
  );
});
