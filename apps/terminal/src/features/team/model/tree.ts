import type { TeamNode } from '@bourse/contract';

/** A member as the tree holds them. */
export interface Member {
  readonly id: number;
  readonly name: string;
  /** Undefined: invited by the person themselves. */
  readonly parent: number | undefined;
  /** How many they have invited; those of them that were read are `children`. */
  readonly direct: number;
  readonly children: readonly number[];
}
/** A tree in parts: members by id, and the first ones in order. */
export interface Team {
  readonly members: ReadonlyMap<number, Member>;
  readonly roots: readonly number[];
  /** An answer was full: there may be more whom the person has invited. */
  readonly moreRoots: boolean;
}

/** An answer with as many of the person's own may have left some out: large trees come in parts, level by level. */
const FULL_ANSWER = 500;

/** The tree of a first answer. */
export function treeOf(results: readonly TeamNode[]): Team {
  const members = new Map<number, Member>();
  add(members, undefined, results);
  return { members, roots: results.map(({ id }) => id), moreRoots: results.length >= FULL_ANSWER };
}

/** The tree with a further part: whom `of` (undefined: the person) has invited. What is there stays where it is. */
export function merged(team: Team, of: number | undefined, results: readonly TeamNode[]): Team {
  const members = new Map(team.members);
  const fresh = results.filter(({ id }) => !members.has(id));
  add(members, of, results);
  const ids = fresh.map(({ id }) => id);
  const parent = of === undefined ? undefined : members.get(of);
  if (parent) {
    const children = [...parent.children, ...ids];
    // An answer without anybody new is the end, whatever was counted before.
    members.set(parent.id, { ...parent, children, direct: ids.length === 0 ? children.length : parent.direct });
  }
  return {
    members,
    roots: of === undefined ? [...team.roots, ...ids] : team.roots,
    moreRoots: of === undefined ? ids.length > 0 && team.moreRoots : team.moreRoots,
  };
}

/** Without recursion: chains are long. Who is there already keeps what was read of them. */
function add(members: Map<number, Member>, parent: number | undefined, nodes: readonly TeamNode[]): void {
  const left: [number | undefined, TeamNode][] = nodes.map((node) => [parent, node]);
  for (let next = left.pop(); next; next = left.pop()) {
    const [of, { id, name, direct, children }] = next;
    const held = members.get(id);
    const ids = new Set([...(held?.children ?? []), ...children.map((child) => child.id)]);
    members.set(id, {
      id,
      name: name ?? '',
      parent: held ? held.parent : of,
      direct: direct ?? ids.size,
      children: [...ids],
    });
    for (const child of children) left.push([id, child]);
  }
}

/** Members and levels that an answer has room for, less some that joined meanwhile. */
const ROOM = { members: 900, levels: 40 } as const;

/**
 * Of whom the next part is asked, so that in the end nobody is unread; undefined when all were read. Not of each
 * member whose people are unread, but of one above them as long as one answer may hold all below; `asked` were asked of
 * before.
 */
export function nextPart(
  team: Team,
  asked: ReadonlySet<number>,
): { readonly of: number | undefined; readonly after: number | undefined } | undefined {
  if (team.moreRoots) return { of: undefined, after: team.roots.at(-1) };
  const members = [...team.members.values()];
  let unread = members.find(({ direct, children }) => direct > children.length);
  if (!unread) return undefined;
  const last = unread.children.at(-1);
  if (last !== undefined) return { of: unread.id, after: last };
  const below = sizes(team);
  for (let level = 1; level < ROOM.levels; level += 1) {
    const above: Member | undefined = unread.parent === undefined ? undefined : team.members.get(unread.parent);
    if (!above || asked.has(above.id) || (below.get(above.id) ?? 0) > ROOM.members) break;
    unread = above;
  }
  return { of: unread.id, after: undefined };
}

/** How many there are below each member at least: those that were read, and those that they have invited. */
function sizes({ members, roots }: Team): ReadonlyMap<number, number> {
  const order: Member[] = [];
  for (const left = [...roots]; left.length > 0;) {
    const member = members.get(left.pop() ?? 0);
    if (!member) continue;
    order.push(member);
    left.push(...member.children);
  }
  const below = new Map<number, number>();
  for (const { id, parent, direct, children } of order.reverse()) {
    const own = (below.get(id) ?? 0) + Math.max(0, direct - children.length);
    below.set(id, own);
    if (parent !== undefined) below.set(parent, (below.get(parent) ?? 0) + own + 1);
  }
  return below;
}

/** A line of the tree on the screen. */
export type TreeRow =
  | {
      readonly kind: 'member';
      readonly key: string;
      readonly member: Member;
      readonly level: number;
      readonly position: number;
      readonly size: number;
      readonly open: boolean;
    }
  /** The way to members that were not read yet. */
  | {
      readonly kind: 'more';
      readonly key: string;
      readonly of: number | undefined;
      readonly after: number | undefined;
      readonly level: number;
      readonly position: number;
      readonly size: number;
    };

/**
 * The lines that are shown: members below open ones, in order. A search shows those whose name or id holds the text,
 * with everybody above them.
 */
export function rowsOf(team: Team, open: ReadonlySet<number>, search: string): readonly TreeRow[] {
  const text = search.trim().toLowerCase();
  const kept = text === '' ? undefined : found(team, text);
  const rows: TreeRow[] = [];
  const left: { ids: readonly number[]; at: number; of: number | undefined; level: number; more: boolean }[] = [];
  const push = (of: number | undefined, ids: readonly number[], level: number, more: boolean): void => {
    left.push({ ids: kept ? ids.filter((id) => kept.has(id)) : ids, at: 0, of, level, more: more && !kept });
  };
  push(undefined, team.roots, 1, team.moreRoots);
  for (let group = left.at(-1); group; group = left.at(-1)) {
    const { ids, of, level, more } = group;
    const size = ids.length + (more ? 1 : 0);
    const id = ids[group.at];
    if (id === undefined) {
      left.pop();
      const position = ids.length + 1;
      if (more) rows.push({ kind: 'more', key: `more${of ?? ''}`, of, after: ids.at(-1), level, position, size });
      continue;
    }
    group.at += 1;
    const member = team.members.get(id);
    if (!member) continue;
    const isOpen = kept ? member.children.some((child) => kept.has(child)) : open.has(id);
    rows.push({ kind: 'member', key: String(id), member, level, position: group.at, size, open: isOpen });
    if (isOpen) push(id, member.children, level + 1, member.direct > member.children.length);
  }
  return rows;
}

/** Members that a search finds, and everybody above them. */
function found(team: Team, text: string): ReadonlySet<number> {
  const kept = new Set<number>();
  for (const member of team.members.values()) {
    if (!member.name.toLowerCase().includes(text) && !String(member.id).includes(text)) continue;
    for (let one: Member | undefined = member; one && !kept.has(one.id);) {
      kept.add(one.id);
      one = one.parent === undefined ? undefined : team.members.get(one.parent);
    }
  }
  return kept;
}

/** Whether there is anybody below a member. */
export const hasBelow = ({ direct, children }: Member): boolean => direct > 0 || children.length > 0;

/** Rows of a list that lie in sight, and some before and after them. */
export function windowOf(
  rows: number,
  { scrolled, height, rowHeight }: { scrolled: number; height: number; rowHeight: number },
  spare = 8,
): { readonly from: number; readonly to: number } {
  const first = Math.floor(scrolled / rowHeight);
  return {
    from: Math.max(0, Math.min(first, rows) - spare),
    to: Math.min(rows, first + Math.ceil(height / rowHeight) + spare),
  };
}
