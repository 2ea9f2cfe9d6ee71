import { Injectable } from '@nestjs/common';
import type { TeamTree } from '@bourse/contract';
import { formatTrimmed } from '@bourse/money';
import { Refused } from '@bourse/platform';
import { stranger, type TeamMember } from '../domain/team.js';
import { USD_SCALE } from '../domain/team-rank.js';
import { MemberNames, TeamStore, type TreeBounds, type TreeRow } from './team-ports.js';

/** The most members of one answer: further ones are read by the members above them (api §6.21). */
export const TREE_NODES = { own: 1_000, stranger: 500 } as const;
/** Levels of one answer. */
export const TREE_DEPTH = 50;

/** Trees of members as people see them. An answer is bounded, however large the team is [TEAM-013]. */
@Injectable()
export class TeamView {
  constructor(
    private readonly store: TeamStore,
    private readonly names: MemberNames,
  ) {}

  /**
   * The team of `callerId`, or of the member `userId` in it; any other id is ignored. `after`: of the members that this
   * one has invited, those after that one.
   */
  async own(callerId: number, { userId, after }: { userId?: number | undefined; after?: number | undefined }) {
    const isInside = userId !== undefined && userId !== callerId && (await this.store.isBelow(userId, callerId));
    const root = isInside ? userId : callerId;
    const { member, rows } = await this.read(root, { nodes: TREE_NODES.own, depth: TREE_DEPTH, after });
    const names = await this.names.of(rows.map(({ id }) => id));
    return treeOf(member ?? stranger(root), rows, ({ id, invited }) => ({
      id,
      name: names.get(id) ?? '',
      direct: invited,
    }));
  }

  /**
   * A stranger's view of a team: its shape, no person and no figure; ids count within the answer. @throws Refused
   * `common.notFound`
   */
  async ofStranger(userId: number): Promise<TeamTree> {
    const { member, rows } = await this.read(userId, { nodes: TREE_NODES.stranger, depth: TREE_DEPTH });
    if (!member?.registered) throw new Refused('common.notFound', {}, { field: 'user_id' });
    let count = 0;
    // Ads name their owners by id, so anyone can ask: only members may see the size and the payments of a team.
    return treeOf(stranger(userId), rows, () => ({ id: (count += 1) }));
  }

  private async read(root: number, bounds: TreeBounds) {
    const [member, rows] = await Promise.all([this.store.member(root), this.store.tree(root, bounds)]);
    return { member, rows };
  }
}

/** A member as the answer shows them. */
interface Node extends Record<string, unknown> {
  readonly id: number;
  readonly name?: string;
  readonly direct?: number;
  readonly children: Node[];
}

/** Rows level by level, as the tree that they make. */
function treeOf(
  root: TeamMember,
  rows: readonly TreeRow[],
  shown: (row: TreeRow) => Pick<Node, 'id' | 'name' | 'direct'>,
): TeamTree {
  const children = new Map<number, Node[]>([[root.id, []]]);
  for (const row of rows) {
    const node: Node = { ...shown(row), children: [] };
    children.get(row.inviterId)?.push(node);
    children.set(row.id, node.children);
  }
  return {
    show_message: {
      top_upnumber: formatTrimmed(root.topUp, USD_SCALE),
      real_teamnumber: root.team,
      rank: root.rank,
      direct: root.direct,
    },
    results: children.get(root.id) ?? [],
  };
}
