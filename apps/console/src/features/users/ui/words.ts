import type { Tone } from '@bourse/ui';
import type { FreezeScope } from '../model/person.js';

/** Message keys of the texts for numbers and short names of the contract. */
export const REVIEW: Readonly<Record<0 | 1 | 2, { readonly text: string; readonly tone: Tone }>> = {
  0: { text: 'console.users.notCertified', tone: 'plain' },
  1: { text: 'console.kyc.waiting', tone: 'warn' },
  2: { text: 'console.kyc.certified', tone: 'up' },
};
export const FROZEN_TEXTS: Readonly<Record<FreezeScope, string>> = {
  none: 'console.users.scope.none',
  trade: 'console.users.scope.trade',
  c2c: 'console.users.scope.c2c',
  withdraw: 'console.users.scope.withdraw',
  all: 'console.users.scope.all',
};
