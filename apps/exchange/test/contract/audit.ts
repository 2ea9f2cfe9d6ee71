import { eventuallySatisfied } from '@bourse/testing/eventually';
import { get } from './client.js';
import { done } from './people.js';

export interface Check {
  readonly name: string;
  readonly ok: number;
  readonly detail: string;
}

/** Runs all checks of the auditor. */
export async function runChecks(): Promise<readonly Check[]> {
  const { message } = await done(get('/dev/audit'));
  return (message as { checks: readonly Check[] }).checks;
}

/**
 * Returns the failing checks. A wrong book keeps failing; a stream that lags on a busy machine recovers within the
 * wait.
 */
export async function findFailingChecks(): Promise<readonly Check[]> {
  const failing = async (): Promise<readonly Check[]> =>
    (await runChecks()).filter((check) => check.ok !== 1 && !isOverdueWork(check));
  return eventuallySatisfied(failing, (found) => found.length === 0, 10_000).catch(failing);
}

/** An appeal that another test file has left open becomes overdue when the clock moves: that is no wrong book. */
const isOverdueWork = ({ name, detail }: Check): boolean =>
  name === 'gateway.alarms' && /^c2c\.appeals: [^;,]*$/.test(detail);
