import type { ComplaintKind, Language } from '@bourse/contract';

/** `open`: support is to answer. `answered`: the person may reply or close it. */
export type ComplaintState = 'open' | 'answered' | 'closed';

/** A person's complaint. Times are business time, ms. */
export interface Complaint {
  /** Random, so that numbers cannot be enumerated. */
  readonly id: number;
  readonly userId: number;
  /** In which it was written; support answers in it. */
  readonly lang: Language;
  readonly kind: ComplaintKind;
  readonly subject: string;
  /** Id of an order, a deal, a deposit, as the person entered it; `''` for none. */
  readonly about: string;
  readonly state: ComplaintState;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly closedAt: number | null;
  /** Answers that the person has not read. */
  readonly unread: number;
  /** Messages of both sides. */
  readonly length: number;
}

export interface ComplaintMessage {
  readonly from: 'user' | 'support';
  readonly text: string;
  /** Names of pictures. */
  readonly images: readonly string[];
  readonly at: number;
}

/** Figures of rules §15 by which complaints are judged. */
export interface ComplaintRules {
  /** How long a reply opens a closed one again, ms. */
  readonly reopenMs: number;
  /** Messages that one complaint may have. */
  readonly messagesMax: number;
}

/** Why nothing was done: `complaint.state`. */
export const CLOSED = 'complaint.state';
type Decided = Complaint | typeof CLOSED;

/**
 * The person has written: support is to answer again. A closed one opens again for some days, and none grows without
 * end [COMPLAINT-001].
 */
export function replied(complaint: Complaint, now: number, { reopenMs, messagesMax }: ComplaintRules): Decided {
  const { state, closedAt, length } = complaint;
  if (length >= messagesMax) return CLOSED;
  if (state === 'closed' && now - (closedAt ?? 0) > reopenMs) return CLOSED;
  return { ...complaint, state: 'open', closedAt: null, updatedAt: now, length: length + 1 };
}

/** Support has written: the person has one more to read. A closed complaint takes no answer [COMPLAINT-002]. */
export function answered(complaint: Complaint, now: number): Decided {
  if (complaint.state === 'closed') return CLOSED;
  const { unread, length } = complaint;
  return { ...complaint, state: 'answered', updatedAt: now, unread: unread + 1, length: length + 1 };
}

/** Closes it, by either side and only once [COMPLAINT-003]. */
export function closed(complaint: Complaint, now: number): Decided {
  if (complaint.state === 'closed') return CLOSED;
  return { ...complaint, state: 'closed', closedAt: now, updatedAt: now };
}
