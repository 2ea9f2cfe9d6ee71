import { OPERATOR_ONCE } from '@bourse/contract';

const KEYED: ReadonlySet<string> = new Set(OPERATOR_ONCE);

/**
 * The idempotency key of an act, for the calls that take one. Only these are repeated when no answer comes: any other
 * call, such as a message to a person, could act twice.
 */
export const keyOf = (method: 'POST' | 'DELETE', path: string, intent: string): { readonly intent?: string } =>
  KEYED.has(`${method} ${path}`) ? { intent } : {};
