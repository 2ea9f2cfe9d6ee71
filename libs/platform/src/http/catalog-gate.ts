import { CALL_PATHS } from '@bourse/contract';
import type { Readiness } from '../observability/readiness.js';

/**
 * Whether a call of people has to be refused because this process has not read the catalog yet: its answer would be a
 * defect, or that of an empty catalog. `/api/status` is answered in any case.
 */
export const waitsForCatalog = (url: string, readiness: Pick<Readiness, 'answersCalls'>): boolean =>
  !readiness.answersCalls() && CALL_PATHS.test(url) && !/^\/(api\/status|dev\/)/.test(url);
