import type { Tx } from '@bourse/persistence';
import type { TeamMember } from '../domain/team.js';

/** A credited deposit. */
export interface TeamDeposit {
  readonly id: string;
  readonly userId: number;
  /** At USD_SCALE. */
  readonly value: bigint;
  /** Unix ms. */
  readonly at: number;
}
/** One member below a root, as a tree is drawn. */
export interface TreeRow {
  readonly id: number;
  readonly inviterId: number;
  readonly invited: number;
}
/** How much of a tree is read. */
export interface TreeBounds {
  readonly nodes: number;
  /** Levels below the root. */
  readonly depth: number;
  /** Of those that the root has invited, those after this one. */
  readonly after?: number | undefined;
}

/** The copy of the invitations, with its sums. */
export abstract class TeamStore {
  /** Until the end of the transaction no other one changes the team: facts come by several streams. */
  abstract alone(tx: Tx): Promise<void>;
  /** The known ones of these people, and everybody above them. */
  abstract lines(tx: Tx, ids: readonly number[]): Promise<readonly TeamMember[]>;
  abstract save(tx: Tx, members: readonly TeamMember[]): Promise<void>;
  /** Stores deposits; returns the ids of the new ones. */
  abstract addDeposits(tx: Tx, deposits: readonly TeamDeposit[]): Promise<ReadonlySet<string>>;

  /** Null: no member has this id. */
  abstract member(id: number): Promise<TeamMember | null>;
  /** Whether a member is in the team of another. */
  abstract isBelow(id: number, ancestor: number): Promise<boolean>;
  /** Members below a root, level by level, in the order of their registration. */
  abstract tree(root: number, bounds: TreeBounds): Promise<readonly TreeRow[]>;
}

/** How members are called. */
export abstract class MemberNames {
  /** Masked names of these people; unknown ones are left out. */
  abstract of(ids: readonly number[]): Promise<ReadonlyMap<number, string>>;
}
