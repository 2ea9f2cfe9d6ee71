import type { Complaint, ComplaintKind } from '@bourse/contract';
import type { Tone } from '@bourse/ui';

/** Names of the kinds, as message keys. */
export const KIND_TEXTS: Readonly<Record<ComplaintKind, string>> = {
  deposit: 'nav.deposit',
  withdrawal: 'complaints.withdrawal',
  trade: 'nav.trade',
  c2c: 'nav.c2c',
  account: 'nav.account',
  other: 'complaints.other',
};
/** The side that must act next, in words and tone. */
export const STATES: Readonly<Record<Complaint['state'], { readonly text: string; readonly tone: Tone }>> = {
  open: { text: 'complaints.open', tone: 'warn' },
  answered: { text: 'complaints.answered', tone: 'info' },
  closed: { text: 'complaints.closed', tone: 'plain' },
};
