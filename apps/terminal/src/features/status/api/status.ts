import { ApiError } from '@bourse/api-client';
import type { ServerStatus } from '@bourse/contract';
import { api } from '../../../core/api.js';

/** The exchange's own status, and how long this browser waited for it. */
export interface TimedStatus {
  readonly status: ServerStatus;
  readonly tookMs: number;
}

/** Asks the exchange for its state. @throws ApiError when it refuses, NetworkError when no answer comes */
export async function readStatus(): Promise<TimedStatus> {
  const begun = performance.now();
  const { message: status } = await api.get('/api/status', {}, { quiet: true });
  return { status, tookMs: performance.now() - begun };
}

/** Whether the exchange answered, if only that it does not know. */
export const hasAnswered = (error: unknown): boolean => error instanceof ApiError;
