import { rankOf, type Rank, type TeamFigures } from './team-rank.js';

/**
 * A person with the figures of their team. Sums are kept: `team` and `topUp` count all members below, `direct` of those
 * invited by this person, and none of them counts the person.
 */
export interface TeamMember extends TeamFigures {
  readonly id: number;
  /** Fixed at registration; null: no inviter, or not registered yet as far as is known. */
  readonly inviterId: number | null;
  /** False: known only from the facts of others, which name this person. */
  readonly registered: boolean;
  readonly certified: boolean;
  /** Unix ms. */
  readonly joinedAt: number;
  /** How many they have invited, certified or not. */
  readonly invited: number;
  /** Their own deposits, at USD_SCALE. */
  readonly ownTopUp: bigint;
  /** Never falls. */
  readonly rank: Rank;
}
type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** A member of whom only the id is known. */
export const stranger = (id: number): TeamMember => ({
  ...{ id, inviterId: null, registered: false, certified: false, joinedAt: 0 },
  ...{ invited: 0, direct: 0, team: 0, ownTopUp: 0n, topUp: 0n, rank: 0 },
});

/** A rank that a member has reached. */
export interface Rise {
  readonly userId: number;
  readonly rank: Rank;
}

/**
 * Some people with all people above them, to whom facts are applied: each costs as much as its line is long. Facts come
 * in any order, since they come by several streams: a fact that arrives before the person's registration is stored with
 * the person, and goes up their line when that is known [TEAM-011].
 */
export class TeamLines {
  private readonly members = new Map<number, Mutable<TeamMember>>();
  private readonly touched = new Set<number>();
  private readonly risen = new Map<number, Rank>();

  /** `members`: all that the facts name, as far as they are known, and all above them. */
  constructor(members: readonly TeamMember[]) {
    for (const member of members) this.members.set(member.id, { ...member });
  }

  /** A second registration of one person changes nothing. */
  register(userId: number, inviterId: number | null, at: number): void {
    const member = this.change(userId);
    if (member.registered) return;
    member.registered = true;
    member.joinedAt = at;
    // A line without cycles, whatever the facts say.
    if (inviterId === null || inviterId === userId || this.above(inviterId).some(({ id }) => id === userId)) return;
    member.inviterId = inviterId;
    const inviter = this.change(inviterId);
    inviter.invited += 1;
    const own = member.certified ? 1 : 0;
    inviter.direct += own;
    this.raise(userId, { team: member.team + own, topUp: member.topUp + member.ownTopUp });
  }

  /** A second certificate of one person changes nothing. */
  certify(userId: number): void {
    const member = this.change(userId);
    if (member.certified) return;
    member.certified = true;
    if (member.inviterId === null) return;
    this.change(member.inviterId).direct += 1;
    this.raise(userId, { team: 1, topUp: 0n });
  }

  /** `value` at USD_SCALE. The caller has checked that the deposit is a new one. */
  deposit(userId: number, value: bigint): void {
    this.change(userId).ownTopUp += value;
    this.raise(userId, { team: 0, topUp: value });
  }

  /** All members that have changed. */
  changed(): readonly TeamMember[] {
    return [...this.touched].map((id) => this.members.get(id) as TeamMember);
  }

  /** The highest rank that each risen member has reached. */
  rises(): readonly Rise[] {
    return [...this.risen].map(([userId, rank]) => ({ userId, rank }));
  }

  /** Adds to all members above, from the inviter up. */
  private raise(userId: number, { team, topUp }: Pick<TeamFigures, 'team' | 'topUp'>): void {
    for (const { id } of this.above(userId).slice(1)) {
      const member = this.change(id);
      member.team += team;
      member.topUp += topUp;
      const rank = rankOf(member);
      if (rank <= member.rank) continue;
      member.rank = rank;
      this.risen.set(id, rank);
    }
  }

  /** A person and their line, up to the member without an inviter. */
  private above(userId: number): readonly TeamMember[] {
    const line: TeamMember[] = [];
    for (let id: number | null = userId; id !== null;) {
      const member: TeamMember | undefined = this.members.get(id);
      if (!member) break;
      line.push(member);
      id = member.inviterId;
    }
    return line;
  }

  private change(id: number): Mutable<TeamMember> {
    let member = this.members.get(id);
    if (!member) this.members.set(id, (member = { ...stranger(id) }));
    this.touched.add(id);
    return member;
  }
}
