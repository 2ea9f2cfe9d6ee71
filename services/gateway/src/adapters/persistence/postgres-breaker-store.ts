import { Injectable } from '@nestjs/common';
import type { Tx } from '@bourse/persistence';
import { BreakerStore, type BreakerState, type Mode, type OperatorAction } from '../../application/breakers.js';
import { GatewayDatabase } from './gateway-database.js';

@Injectable()
export class PostgresBreakerStore extends BreakerStore {
  constructor(private readonly database: GatewayDatabase) {
    super();
  }

  async read(): Promise<BreakerState> {
    const rows = await this.database.query<{
      scope: string | null;
      mode: Mode | null;
      since: Date | null;
      detail: string | null;
    }>(
      `select scope, mode, null::timestamptz as since, null as detail
        from breaker
        union all select null, null, since, detail
        from standstill`,
    );
    const modes = Object.fromEntries(
      rows.flatMap(({ scope, mode }) => (scope === null || mode === null ? [] : [[scope, mode]])),
    ) as Record<string, Mode>;
    const freeze = rows.find((row) => row.detail !== null);
    return { modes, freeze: freeze ? { since: freeze.since?.getTime() ?? 0, detail: freeze.detail ?? '' } : null };
  }

  set(scopes: readonly string[], mode: Mode, thaw: boolean, action: OperatorAction): Promise<void> {
    return this.database.transaction(async (tx) => {
      await setModes(tx, scopes, mode);
      if (thaw) await tx.execute('delete from standstill');
      await addAction(tx, action);
    });
  }

  note(action: OperatorAction): Promise<void> {
    return this.database.transaction((tx) => addAction(tx, action));
  }

  freeze(detail: string, scopes: readonly string[], action: OperatorAction): Promise<boolean> {
    return this.database.transaction(async (tx) => {
      if (
        (await tx.execute('insert into standstill (id, detail) values (1, $1) on conflict do nothing', [detail])) === 0
      )
        return false;
      // What an operator had halted stays halted.
      await tx.execute(
        `insert into breaker (scope, mode)
          select scope, 'cancel_only'
          from unnest($1::text[]) as s(scope) on conflict (scope) do update set mode = excluded.mode, since = now()
          where breaker.mode = 'normal'`,
        [scopes],
      );
      await addAction(tx, action);
      return true;
    });
  }
}

async function setModes(tx: Tx, scopes: readonly string[], mode: Mode): Promise<void> {
  await tx.execute(
    `insert into breaker (scope, mode)
      select scope, $2
      from unnest($1::text[]) as s(scope)
      on conflict (scope) do update set mode = excluded.mode, since = now()`,
    [scopes, mode],
  );
}

async function addAction(
  tx: Tx,
  { operatorId, operator, action, target, reason, before, after }: OperatorAction,
): Promise<void> {
  await tx.execute(
    `insert into operator_action (operator_id, operator, action, target, reason, before, after)
      values ($1, $2, $3, $4, $5, $6, $7)`,
    [operatorId, operator, action, target, reason, before, after],
  );
}
