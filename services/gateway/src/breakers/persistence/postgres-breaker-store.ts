import { Injectable } from '@nestjs/common';
import type { Tx } from '@bourse/persistence';
import {
  BreakerStore,
  type BreakerChange,
  type BreakerState,
  type Mode,
  type OperatorAction,
} from '../application/breakers.js';
import { GatewayDatabase } from '../../shared/persistence/gateway-database.js';

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
      stopped_at: Date | null;
      detail: string | null;
      version: string | null;
    }>(
      `select scope, mode, null::timestamptz as since, stopped_at, null as detail, null as version
        from breaker
        union all select null, null, since, null, detail, version::text
        from standstill`,
    );
    const modes = Object.fromEntries(
      rows.flatMap(({ scope, mode }) => (scope === null || mode === null ? [] : [[scope, mode]])),
    ) as Record<string, Mode>;
    const since = Object.fromEntries(
      rows.flatMap(({ scope, stopped_at: at }) => (scope === null || at === null ? [] : [[scope, at.getTime()]])),
    ) as Record<string, number>;
    const freeze = rows.find((row) => row.detail !== null);
    return {
      modes,
      since,
      freeze: freeze
        ? { since: freeze.since?.getTime() ?? 0, detail: freeze.detail ?? '', version: freeze.version ?? '' }
        : null,
    };
  }

  set(change: BreakerChange, action: OperatorAction): Promise<boolean> {
    return this.database.transaction(async (tx) => {
      if (change.mode === 'normal') {
        const [freeze] = await tx.query<{ version: string }>(
          'select version::text as version from standstill for update',
        );
        if (freeze && freeze.version !== change.seen?.version) return false;
        if (freeze && change.thaw) await tx.execute('delete from standstill');
      }
      await setModes(tx, change);
      await addAction(tx, action);
      return true;
    });
  }

  note(action: OperatorAction): Promise<void> {
    return this.database.transaction((tx) => addAction(tx, action));
  }

  freeze(detail: string, scopes: readonly string[], now: number, action: OperatorAction): Promise<boolean> {
    return this.database.transaction(async (tx) => {
      // One statement, because an operator may lift the earlier freeze at the same time.
      const [freeze] = await tx.query<{ fresh: boolean }>(
        `insert into standstill (id, detail)
          values (1, $1)
          on conflict (id) do update set version = default
          returning xmax = 0 as fresh`,
        [detail],
      );
      if (!freeze?.fresh) return false;
      // A scope that an operator had halted stays halted.
      await tx.execute(
        `insert into breaker (scope, mode, stopped_at)
          select scope, 'cancel_only', $2
          from unnest($1::text[]) as s(scope) on conflict (scope) do update set mode = excluded.mode, since = now(),
            stopped_at = excluded.stopped_at
          where breaker.mode = 'normal'`,
        [scopes, new Date(now)],
      );
      await addAction(tx, action);
      return true;
    });
  }
}

async function setModes(tx: Tx, { scopes, mode, now }: BreakerChange): Promise<void> {
  // A change from one stop to another keeps the stop's beginning: deals agreed before it may still be finished.
  await tx.execute(
    `insert into breaker (scope, mode, stopped_at)
      select scope, $2, case when $2 = 'normal' then null else $3::timestamptz end
      from unnest($1::text[]) as s(scope)
      on conflict (scope) do update set mode = excluded.mode, since = now(),
        stopped_at = case
          when excluded.mode = 'normal' then null
          when breaker.mode = 'normal' then excluded.stopped_at
          else breaker.stopped_at
        end`,
    [scopes, mode, new Date(now)],
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
