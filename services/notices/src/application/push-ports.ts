import type { PushGroup } from '@bourse/contract';
import type { Tx } from '@bourse/persistence';
import type { DeviceAlert, DeviceKeys, PushOutcome } from '../domain/push.js';

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
  /** The push service, whose places the message takes. */
  readonly host: string;
  readonly payload: string;
  /** Tries so far, this one included. */
  readonly tries: number;
}
/** The lowest and the highest price of a time, decimal text. */
export interface PriceRange {
  readonly low: string;
  readonly high: string;
}
/** How many messages may be taken. */
export interface FreePlaces {
  readonly all: number;
  /** Of each push service. */
  readonly ofHost: number;
  /** Of these push services, in place of `ofHost`. */
  readonly ofBusy: ReadonlyMap<string, number>;
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
  /** Adds a device or renews it under its endpoint; beyond `most` the person's longest unseen ones are deleted. */
  abstract add(tx: Tx, device: NewPushDevice, most: number): Promise<PushDevice>;
  /** The devices of a person, the newest first. */
  abstract listDevices(userId: number): Promise<readonly PushDevice[]>;
  /** Removes a device of this person; returns whether there was one. */
  abstract remove(tx: Tx, userId: number, id: number): Promise<boolean>;
  /** Replaces the alerts of a device of this person; returns whether there is one. */
  abstract setAlerts(tx: Tx, userId: number, id: number, alerts: readonly DeviceAlert[]): Promise<boolean>;
  /** Lets the devices of these people lapse shortly, unless a signed-in page renews them. */
  abstract lapse(tx: Tx, userIds: readonly number[]): Promise<void>;
  /** Returns those of these people who have a device. */
  abstract findOwners(tx: Tx, userIds: readonly number[]): Promise<ReadonlySet<number>>;
  /** Queues each message for the devices that have chosen its group. */
  abstract queue(tx: Tx, pushes: readonly QueuedPush[]): Promise<void>;
  /** Whether a price of an alert is reached: read at each tick, so that ticks without one open no transaction. */
  abstract hasReached(ranges: ReadonlyMap<string, PriceRange>): Promise<boolean>;
  /** Deletes the alerts whose price is reached, and returns them. */
  abstract takeReached(tx: Tx, ranges: ReadonlyMap<string, PriceRange>): Promise<readonly ReachedAlert[]>;
  /** Queues a message for one device, due after `waitSeconds`. */
  abstract queueFor(tx: Tx, deviceId: number, payload: string, waitSeconds: number): Promise<void>;
  /** Takes due messages for `leaseSeconds`, as far as there are places; those not settled by then are taken again. */
  abstract take(places: FreePlaces, leaseSeconds: number): Promise<readonly DuePush[]>;
  /** Deletes a message; where the device is gone, the device with all its messages and alerts. */
  abstract settle(due: DuePush, outcome: Exclude<PushOutcome, 'later'>): Promise<void>;
  /** Postpones a message. */
  abstract postpone(due: DuePush, seconds: number): Promise<void>;
  /** Deletes messages that are too late to be shown, and devices that no page has renewed for 60 days. */
  abstract forget(): Promise<void>;
  abstract readKey(): Promise<StoredPushKey | null>;
  /** Stores the first key; returns the stored one. */
  abstract addKey(key: StoredPushKey): Promise<StoredPushKey>;
  /** Replaces this key, unless another copy has done so; where the public part changes all devices are deleted. */
  abstract replaceKey(before: StoredPushKey, key: StoredPushKey): Promise<void>;
}

/** Sends one encrypted message to one device. Never throws. */
export abstract class PushService {
  abstract send(due: DuePush): Promise<PushOutcome>;
}
