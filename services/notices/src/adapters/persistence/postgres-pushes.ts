import { Injectable } from '@nestjs/common';
import type { PushGroup } from '@bourse/contract';
import type { Tx } from '@bourse/persistence';
import { NoticesDatabase } from '../../application/ports.js';
import {
  PushStore,
  type DuePush,
  type FreePlaces,
  type NewPushDevice,
  type PriceRange,
  type PushDevice,
  type QueuedPush,
  type ReachedAlert,
  type StoredPushKey,
} from '../../application/push-ports.js';
import type { DeviceAlert, PushOutcome } from '../../domain/push.js';

interface DeviceRow {
  readonly id: string;
  readonly endpoint: string;
  readonly label: string;
  readonly groups: PushGroup[];
  readonly added_at: string;
  readonly seen_at: string;
}
const DEVICE = `id, endpoint, label, groups, (extract(epoch from added_at) * 1000)::bigint as added_at,
  (extract(epoch from seen_at) * 1000)::bigint as seen_at`;
/** A message that was not delivered within this time is not shown any more. */
const SHOWN_WITHIN = `interval '15 minutes'`;
/** A device that no signed-in page has renewed for this long is deleted. */
const KEPT = `interval '60 days'`;
/** The most due messages that one take sorts. */
const CANDIDATES_MAX = 500;
const LAPSES_IN = `interval '15 minutes'`;
/** The push service of a device `d`. */
const HOST = `lower(split_part(d.endpoint, '/', 3))`;
/** Ranges of prices by symbol; the parameters are those of `rangesOf`. */
const RANGES = 'unnest($1::text[], $2::numeric[], $3::numeric[]) p (symbol, low, high)';
const rangesOf = (ranges: ReadonlyMap<string, PriceRange>): unknown[] => [
  [...ranges.keys()],
  [...ranges.values()].map(({ low }) => low),
  [...ranges.values()].map(({ high }) => high),
];
/** The alert `a` of the device `d` is reached by a range `p`. */
const REACHED = `d.id = a.device_id and 'alerts' = any(d.groups) and a.symbol = p.symbol
  and case when a.above then p.high >= a.price else p.low <= a.price end`;

@Injectable()
export class PostgresPushes extends PushStore {
  constructor(private readonly database: NoticesDatabase) {
    super();
  }

  async add(tx: Tx, device: NewPushDevice, most: number): Promise<PushDevice> {
    const { userId, endpoint, p256dh, auth, label, groups } = device;
    // Another person on this browser must not get the alerts and messages of the previous one.
    await tx.execute('delete from push_device where endpoint = $1 and user_id <> $2', [endpoint, userId]);
    const [row] = await tx.query<DeviceRow>(
      `insert into push_device (user_id, endpoint, p256dh, auth, label, groups, added_at, seen_at)
       values ($1, $2, $3, $4, $5, $6, now(), now())
       on conflict (endpoint) do update set p256dh = excluded.p256dh, auth = excluded.auth, label = excluded.label,
         groups = excluded.groups, seen_at = now()
       returning ${DEVICE}`,
      [userId, endpoint, p256dh, auth, label, groups],
    );
    await tx.execute(
      `delete from push_device where id in (
         select id from push_device where user_id = $1 order by seen_at desc, id desc offset $2)`,
      [userId, most],
    );
    return deviceOf(row!);
  }

  async listDevices(userId: number): Promise<readonly PushDevice[]> {
    const rows = await this.database.query<DeviceRow>(
      `select ${DEVICE} from push_device where user_id = $1 order by id desc`,
      [userId],
    );
    return rows.map(deviceOf);
  }

  async remove(tx: Tx, userId: number, id: number): Promise<boolean> {
    return (await tx.execute('delete from push_device where id = $1::bigint and user_id = $2', [id, userId])) > 0;
  }

  async setAlerts(tx: Tx, userId: number, id: number, alerts: readonly DeviceAlert[]): Promise<boolean> {
    const own = await tx.query('select from push_device where id = $1::bigint and user_id = $2 for update', [
      id,
      userId,
    ]);
    if (own.length === 0) return false;
    await tx.execute('delete from push_alert where device_id = $1::bigint', [id]);
    await tx.execute(
      `insert into push_alert (device_id, id, symbol, price, above, link)
       select $1::bigint, a.id, a.symbol, a.price, a.above, a.link from jsonb_to_recordset($2::jsonb) as a
         (id text, symbol text, price numeric, above boolean, link text)
       on conflict do nothing`,
      [id, JSON.stringify(alerts)],
    );
    return true;
  }

  async lapse(tx: Tx, userIds: readonly number[]): Promise<void> {
    await tx.execute(
      `update push_device set seen_at = least(seen_at, now() - ${KEPT} + ${LAPSES_IN})
       where user_id = any($1::bigint[])`,
      [userIds],
    );
  }

  async findOwners(tx: Tx, userIds: readonly number[]): Promise<ReadonlySet<number>> {
    const rows = await tx.query<{ user_id: string }>(
      'select distinct user_id from push_device where user_id = any($1::bigint[])',
      [userIds],
    );
    return new Set(rows.map(({ user_id }) => Number(user_id)));
  }

  async queue(tx: Tx, pushes: readonly QueuedPush[]): Promise<void> {
    await tx.execute(
      `insert into push_due (device_id, payload, due_at, until_at, tries)
       select d.id, p.payload, now(), now() + ${SHOWN_WITHIN}, 0
       from jsonb_to_recordset($1::jsonb) as p (user_id bigint, of_group text, payload text)
         join push_device d on d.user_id = p.user_id and p.of_group = any(d.groups)`,
      [JSON.stringify(pushes.map(({ userId, group, payload }) => ({ user_id: userId, of_group: group, payload })))],
    );
  }

  async hasReached(ranges: ReadonlyMap<string, PriceRange>): Promise<boolean> {
    const rows = await this.database.query(
      `select from push_alert a, push_device d, ${RANGES} where ${REACHED} limit 1`,
      rangesOf(ranges),
    );
    return rows.length > 0;
  }

  async takeReached(tx: Tx, ranges: ReadonlyMap<string, PriceRange>): Promise<readonly ReachedAlert[]> {
    const rows = await tx.query<Omit<ReachedAlert, 'deviceId' | 'userId'> & { device_id: string; user_id: string }>(
      `delete from push_alert a using push_device d, ${RANGES} where ${REACHED}
       returning a.device_id, d.user_id, a.id, a.symbol, trim_scale(a.price)::text as price, a.above, a.link`,
      rangesOf(ranges),
    );
    return rows.map(({ device_id, user_id, ...alert }) => ({
      ...alert,
      deviceId: Number(device_id),
      userId: Number(user_id),
    }));
  }

  async queueFor(tx: Tx, deviceId: number, payload: string, waitSeconds: number): Promise<void> {
    await tx.execute(
      `insert into push_due (device_id, payload, due_at, until_at, tries)
       select $1::bigint, $2, due, due + ${SHOWN_WITHIN}, 0 from (select now() + make_interval(secs => $3) as due) d`,
      [deviceId, payload, waitSeconds],
    );
  }

  async take({ all, ofHost, ofBusy }: FreePlaces, leaseSeconds: number): Promise<readonly DuePush[]> {
    const rows = await this.database.query<Omit<DuePush, 'id' | 'deviceId'> & { id: string; device_id: string }>(
      `with open as (
         select p.id, p.due_at, h.host, coalesce(b.places, $3) as places
         from push_due p join push_device d on d.id = p.device_id cross join lateral (select ${HOST} as host) h
           left join unnest($4::text[], $5::integer[]) b (host, places) on b.host = h.host
         where p.due_at <= now() and coalesce(b.places, $3) > 0 order by p.due_at limit ${CANDIDATES_MAX}
       ), placed as (
         select id, due_at, places, row_number() over (partition by host order by due_at, id) as place from open
       ), taken as (
         update push_due set tries = tries + 1, due_at = now() + make_interval(secs => $2) where id in (
           select id from push_due where due_at <= now()
             and id in (select id from placed where place <= places order by due_at, id limit $1)
           for update skip locked)
         returning id, device_id, payload, tries)
       select t.id, t.device_id, t.payload, t.tries, d.endpoint, ${HOST} as host, d.p256dh, d.auth
       from taken t join push_device d on d.id = t.device_id order by t.id`,
      [all, leaseSeconds, ofHost, [...ofBusy.keys()], [...ofBusy.values()]],
    );
    return rows.map(({ id, device_id, ...due }) => ({ ...due, id: Number(id), deviceId: Number(device_id) }));
  }

  async settle({ id, deviceId }: DuePush, outcome: Exclude<PushOutcome, 'later'>): Promise<void> {
    if (outcome === 'gone') await this.database.execute('delete from push_device where id = $1::bigint', [deviceId]);
    else await this.database.execute('delete from push_due where id = $1::bigint', [id]);
  }

  async postpone({ id, tries }: DuePush, seconds: number): Promise<void> {
    await this.database.execute(
      `update push_due set tries = $2, due_at = now() + make_interval(secs => $3) where id = $1::bigint`,
      [id, tries, seconds],
    );
  }

  async forget(): Promise<void> {
    await this.database.execute('delete from push_due where until_at < now()', []);
    await this.database.execute(`delete from push_device where seen_at < now() - ${KEPT}`, []);
  }

  async readKey(): Promise<StoredPushKey | null> {
    const [row] = await this.database.query<{ public_key: string; sealed: Buffer }>(
      'select public_key, sealed from push_key',
    );
    return row ? { publicKey: row.public_key, sealed: row.sealed } : null;
  }

  async addKey({ publicKey, sealed }: StoredPushKey): Promise<StoredPushKey> {
    await this.database.execute('insert into push_key values (1, $1, $2, now()) on conflict do nothing', [
      publicKey,
      sealed,
    ]);
    return (await this.readKey())!;
  }

  async replaceKey(before: StoredPushKey, { publicKey, sealed }: StoredPushKey): Promise<void> {
    await this.database.transaction(async (tx) => {
      const replaced = await tx.execute(
        'update push_key set public_key = $1, sealed = $2, made_at = now() where sealed = $3',
        [publicKey, sealed, before.sealed],
      );
      if (replaced > 0 && publicKey !== before.publicKey) await tx.execute('delete from push_device');
    });
  }
}

const deviceOf = ({ id, endpoint, label, groups, added_at, seen_at }: DeviceRow): PushDevice => ({
  id: Number(id),
  endpoint,
  label,
  groups,
  addedAt: Number(added_at),
  seenAt: Number(seen_at),
});
