import { BREAKER_SCOPES } from '@bourse/contract';
import type { SqlReader } from '@bourse/persistence';

/** The command line's name in the audit trail. */
const CONSOLE = 'console';

/**
 * `bourse reconcile`: the exchange starts frozen (withdrawals stopped, markets cancel-only), as after a finding of the
 * auditor, until an operator has checked it and reopens it. Runs in the transaction of the change that makes it
 * necessary; a scope that an operator had halted stays halted.
 */
export async function freezeExchange(reader: SqlReader, detail: string): Promise<void> {
  // Deleted first, so that the freeze gets a version that no operator has seen.
  await reader.query('delete from gateway.standstill');
  await reader.query(
    `insert into gateway.standstill (id, detail)
      values (1, $1)
      on conflict (id) do update set since = now(), detail = excluded.detail`,
    [detail],
  );
  await reader.query(
    `insert into gateway.breaker (scope, mode) select scope, 'cancel_only' from unnest($1::text[]) as s(scope)
     on conflict (scope) do update set mode = excluded.mode, since = now() where breaker.mode = 'normal'`,
    [BREAKER_SCOPES],
  );
  await reader.query(
    `insert into gateway.operator_action (operator_id, operator, action, target, reason, before, after)
      values (0, $1, 'reconcile', 'all', $2, '', 'cancel_only')`,
    [CONSOLE, detail],
  );
}
