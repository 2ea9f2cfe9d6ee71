import type { ServerStatus } from '@bourse/contract';

/** The auditors in one word: nothing is said while no round has ended, or when the last is older than ten minutes. */
export type AuditWord = 'ok' | 'alarm' | 'unknown';
const OLD_MS = 600_000;
export function auditWord({ audit, audit_age_ms: age }: Pick<ServerStatus, 'audit' | 'audit_age_ms'>): AuditWord {
  if (audit === 'alarm') return 'alarm';
  return age < 0 || age > OLD_MS ? 'unknown' : 'ok';
}

/** Age in whole seconds below two minutes, else in minutes. */
export const ageOf = (ms: number): { unit: 'seconds' | 'minutes'; count: number } =>
  ms < 120_000
    ? { unit: 'seconds', count: Math.max(0, Math.round(ms / 1_000)) }
    : { unit: 'minutes', count: Math.floor(ms / 60_000) };
