import type { ChatLine, Deal } from '@bourse/contract';
import { timeOf, type ChatMessage } from '@bourse/ui';

/** Lines by their number, oldest first, each once; what came later counts: addresses of pictures are signed again. */
export function inOrder(lines: readonly ChatLine[]): readonly ChatLine[] {
  return [...new Map(lines.map((line) => [line.id, line])).values()].sort((a, b) => a.id - b.id);
}

/** A line as the person sees it: own, the other side's, or the exchange's. */
export const messageOf = (line: ChatLine, role: Deal['role']): ChatMessage => ({
  id: String(line.id),
  from: line.from === role ? 'own' : line.from === 'buyer' || line.from === 'seller' ? 'other' : 'system',
  text: line.text,
  ...(line.image === '' ? {} : { picture: line.image }),
  at: timeOf(line.create_time) ?? 0,
});

/** The number of the first line that was not read when so many were unread; own lines are always read. */
export function firstUnread(lines: readonly ChatLine[], role: Deal['role'], unread: number): string | undefined {
  const others = inOrder(lines).filter(({ from }) => from !== role);
  const first = unread > 0 ? others[Math.max(0, others.length - unread)] : undefined;
  return first && String(first.id);
}
