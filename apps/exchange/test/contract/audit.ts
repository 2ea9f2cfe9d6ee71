import { eventuallySatisfied } from '@bourse/testing/eventually';
import { get } from './client.js';
import { done } from './people.js';

export interface Check {
  readonly name: string;
  readonly ok: number;
  readonly detail: string;
}

/** All checks of the auditor, run now. */
export async function checksOf(): Promise<readonly Check[]> {
  const { message } = await done(() => get('/dev/audit'));
  return (message as { checks: readonly Check[] }).checks;
}

/**
 * Checks that do not hold. A fault of the books stays one; the delay of a stream, which a busy machine has for a
 * moment, passes, and is waited for.
 */
export async function unsound(): Promise<readonly Check[]> {
  const failing = async (): Promise<readonly Check[]> =>
    (await checksOf()).filter((check) => check.ok !== 1 && !isOverdueWork(check));
  return eventuallySatisfied(failing, (found) => found.length === 0, 10_000).catch(failing);
}

/** An appeal that a file has left open is overdue once another one moves the clock: work, and no fault of the books. */
const isOverdueWork = ({ name, detail }: Check): boolean =>
  name === 'gateway.alarms' && /^c2c\.appeals: [^;,]*$/.test(detail);
