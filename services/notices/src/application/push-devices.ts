import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { PushDevice as Shown } from '@bourse/contract';
import { Config, Notice, Refused, timeText } from '@bourse/platform';
import { hasKeyForm, isPushEndpoint, type DeviceAlert } from '../domain/push.js';
import { NoticesDatabase } from './ports.js';
import { PushKey } from './push-key.js';
import { PushStore, type NewPushDevice, type PushDevice } from './push-ports.js';

/** The most devices of one person; the longest unseen are deleted first. */
export const DEVICES_MAX = 10;

/** The devices that a person has switched push on for (api §2.10). */
@Injectable()
export class PushDevices {
  private readonly testOrigin: string | null;

  constructor(
    private readonly database: NoticesDatabase,
    private readonly store: PushStore,
    private readonly key: PushKey,
    config: Config,
  ) {
    this.testOrigin = config.pushTestOrigin;
  }

  /** The key that browsers register with, and the person's devices. */
  async list(userId: number): Promise<{ readonly publicKey: string; readonly devices: readonly Shown[] }> {
    const [{ publicKey }, devices] = await Promise.all([this.key.read(), this.store.listDevices(userId)]);
    return { publicKey, devices: devices.map(shown) };
  }

  /** Adds a device, or renews it with new choices. Throws `common.fieldInvalid` for an address or keys of no device. */
  async add(device: NewPushDevice): Promise<Shown> {
    const invalid = (field: string): Refused => new Refused('common.fieldInvalid', { field }, { field });
    if (!isPushEndpoint(device.endpoint, this.testOrigin)) throw invalid('endpoint');
    if (!hasKeyForm(device)) throw invalid('p256dh');
    return shown(await this.database.transaction((tx) => this.store.add(tx, device, DEVICES_MAX)));
  }

  /** Throws `common.notFound`. */
  async remove(userId: number, id: number): Promise<Notice> {
    if (!(await this.database.transaction((tx) => this.store.remove(tx, userId, id)))) throw notFound();
    return new Notice('push.off');
  }

  /** Replaces the price alerts of a device. Throws `common.notFound`. */
  async setAlerts(userId: number, id: number, alerts: readonly DeviceAlert[]): Promise<Notice> {
    if (!(await this.database.transaction((tx) => this.store.setAlerts(tx, userId, id, alerts)))) throw notFound();
    return new Notice('common.success');
  }
}

const notFound = (): Refused => new Refused('common.notFound', {}, { field: 'id' });

/** The address is the device's secret: a browser recognises its device by the hash. */
const shown = ({ id, endpoint, label, groups, addedAt, seenAt }: PushDevice): Shown => ({
  id,
  mark: createHash('sha256').update(endpoint).digest('base64url'),
  label,
  groups: [...groups],
  create_time: timeText(addedAt),
  seen_time: timeText(seenAt),
});
