import { DECIMAL_PATTERN } from '@bourse/money';
import type { PracticeTerms } from './practice-market.js';
import type { PracticeFields } from './practice-order.js';
import { SPEEDS, type Speed } from './replay-clock.js';

/** An act of the person, and its moment of the day. */
export type PracticeCommand =
  | { readonly kind: 'place'; readonly at: number; readonly fields: PracticeFields }
  | { readonly kind: 'cancel'; readonly at: number; readonly id: string }
  | { readonly kind: 'move'; readonly at: number; readonly id: string; readonly price: string };

/** A practice as the browser keeps it: the day read again and the commands repeated give the same practice. */
export interface PracticeRecord {
  readonly version: 1;
  readonly terms: PracticeTerms;
  readonly day: number;
  /** Decimal text of the quote. */
  readonly start: string;
  /** Moment of the day that it has reached. */
  readonly at: number;
  readonly speed: Speed;
  readonly ended: boolean;
  readonly commands: readonly PracticeCommand[];
}

/** Reads a stored value as a record; undefined for other values and for records of another version. */
export function readRecord(kept: unknown): PracticeRecord | undefined {
  if (typeof kept !== 'object' || kept === null) return undefined;
  const record = kept as Partial<PracticeRecord>;
  const isRecord =
    record.version === 1 &&
    typeof record.terms?.symbol === 'string' &&
    Number.isSafeInteger(record.day) &&
    Number.isSafeInteger(record.at) &&
    SPEEDS.includes(record.speed as Speed) &&
    typeof record.start === 'string' &&
    DECIMAL_PATTERN.test(record.start) &&
    Array.isArray(record.commands);
  return isRecord ? (record as PracticeRecord) : undefined;
}
