import { CALL_PATHS } from '@bourse/contract';
import type { Readiness } from '../readiness.js';

/**
 * Whether a call of people has come before this process has read what every answer stands on: it would be answered by
 * a defect, or as if the catalog were empty. The state of the exchange is told all the same.
 */
export const waitsForCatalog = (url: string, readiness: Pick<Readiness, 'answersCalls'>): boolean =>
  !readiness.answersCalls() && CALL_PATHS.test(url) && !/^\/(api\/status|dev\/)/.test(url);
