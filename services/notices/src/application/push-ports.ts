import type { Tx } from '@bourse/persistence';
import type { DeviceAlert, DeviceKeys, PushGroup, PushOutcome } from '../domain/push.js';

/** A device that a person has switched push on for. */
export interface PushDevice {
  readonly id: number;
  readonly endpoint: string;
  readonly label: string;
  readonly groups: readonly PushGroup[];
  /** Real time, ms. */
  readonly addedAt: number;
  /** When a signed-in page of the device last renewed it, real time, ms. */
  readonly seenAt: number;
}
export interface NewPushDevice extends DeviceKeys {
  readonly userId: number;
  readonly endpoint: string;
  readonly label: string;
  readonly groups: readonly PushGroup[];
}
/** A message for the devices of a person that have chosen its group. */
export interface QueuedPush {
  readonly userId: number;
  readonly group: PushGroup;
  /** JSON of a `PushMessage`. */
  readonly payload: string;
}
/** A message that is due for one device. */
export interface DuePush extends DeviceKeys {
  readonly id: number;
  readonly deviceId: number;
  readonly endpoint: string;
  readonly payload: string;
  /** With this one. */
  readonly tries: number;
}
/** An alert whose price was reached, with its device. */
export interface ReachedAlert extends DeviceAlert {
  readonly deviceId: number;
  readonly userId: number;
}
/** The stored key pair: the private part is sealed. */
export interface StoredPushKey {
  readonly publicKey: string;
  readonly sealed: Buffer;
}

/** Devices, their alerts and the messages that wait for them. */
export abstract class PushStore {
  /** Adds a device or renews it under its endpoint; beyond `most` the person's longest unseen ones go. */
  abstract add(tx: Tx, device: NewPushDevice, most: number): Promise<PushDevice>;
  /** A person's own, the newest first. */
  abstract devices(userId: number): Promise<readonly PushDevice[]>;
  /** Removes one of this person; whether there was one. */
  abstract remove(tx: Tx, userId: number, id: number): Promise<boolean>;
  /** Replaces the alerts of one of this person's devices; whether there is one. */
  abstract setAlerts(tx: Tx, userId: number, id: number, alerts: readonly DeviceAlert[]): Promise<boolean>;
  /** Lets the devices of these people lapse shortly, unless a signed-in page renews them. */
  abstract lapse(tx: Tx, userIds: readonly number[]): Promise<void>;
  /** Queues each message for the devices that have chosen its group. */
  abstract queue(tx: Tx, pushes: readonly QueuedPush[]): Promise<void>;
  /** Takes alerts whose price was reached, deleted, each once. */
  abstract takeReached(tx: Tx, prices: ReadonlyMap<string, string>): Promise<readonly ReachedAlert[]>;
  /** Queues a message for one device. */
  abstract queueFor(tx: Tx, deviceId: number, payload: string): Promise<void>;
  /** Takes so many due messages for `leaseSeconds`: who does not settle them by then leaves them to another. */
  abstract take(count: number, leaseSeconds: number): Promise<readonly DuePush[]>;
  /** Deletes a message; of a device that is gone, the device with all of its own. */
  abstract settle(due: DuePush, outcome: Exclude<PushOutcome, 'later'>): Promise<void>;
  /** Puts a message off. */
  abstract postpone(due: DuePush, seconds: number): Promise<void>;
  /** Deletes what is too late to be shown, and devices that no page has renewed for long. */
  abstract forget(): Promise<void>;
  abstract key(): Promise<StoredPushKey | null>;
  /** Stores the first key; answers the one that is stored. */
  abstract addKey(key: StoredPushKey): Promise<StoredPushKey>;
  /** Replaces this key, unless another copy has done so; where the public part changes all devices go. */
  abstract replaceKey(before: StoredPushKey, key: StoredPushKey): Promise<void>;
}

/** Sends one encrypted message to one device. Never throws. */
export abstract class PushService {
  abstract send(due: DuePush): Promise<PushOutcome>;
}
