import { Logger, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { ReferenceRowV1, TOPICS, type SettingRow } from '@bourse/events';
import {
  delay,
  type ApprovedChange,
  type ChangedBy,
  type ChangeFacts,
  type GuardedPayload,
  type Reference,
} from '@bourse/messaging';
import type { Database, Tx } from '@bourse/persistence';
import { Refused, type Clock } from '@bourse/platform';
import type { AnySetting, Setting } from './define.js';
import { markCarriedOut, OutdatedChange, type GuardedChanges } from './guarded-changes.js';
import { recordChange } from './operator-trail.js';
import { SettingRows, type StoredSetting } from './setting-rows.js';
import { WrongValue, type ValueType } from './value-types.js';

/** Reads settings: the service's own from its schema, those of other services from its copy of the reference data. */
export abstract class Settings {
  /** The value in force. A setting of another service has its default until the first copy arrives. */
  abstract get<T>(setting: Setting<T>): T;
  /** Calls back with the key of each setting whose value has changed. */
  abstract onChange(listener: (key: string) => void): void;
}

/** A condition on several settings of one service, such as a limit that lies below another one. */
export interface SettingRule {
  /** For operators and the log, in one sentence. */
  readonly says: string;
  holds(get: <T>(setting: Setting<T>) => T): boolean;
}

/** The options that a service passes for its settings. */
export interface SettingsOptions {
  /** Name of the service that owns them. */
  readonly service: string;
  readonly settings: readonly AnySetting[];
  readonly rules?: readonly SettingRule[];
  /** False where no other instance of this service can write the same rows. */
  readonly shared: boolean;
}

/** Other instances of the service change the same rows; they are read this often. */
const REREAD_MS = 1_000;

interface Held {
  readonly version: number;
  readonly text: string;
  readonly value: unknown;
  readonly changedAt: number | null;
}

/**
 * The settings that a service owns, with those that it reads of others. A change is one transaction: the row, its copy
 * for all services, and its line in the audit log [SETTING-001].
 */
export class ServiceSettings extends Settings implements OnModuleInit, OnApplicationShutdown {
  private readonly logger = new Logger('Settings');
  private readonly rows: SettingRows;
  private readonly declared: ReadonlyMap<string, AnySetting>;
  private own = new Map<string, Held>();
  private readonly copies = new Map<string, { readonly text: string; readonly value: unknown }>();
  private readonly listeners: ((key: string) => void)[] = [];
  private readonly stopping = new AbortController();

  constructor(
    private readonly database: Database,
    private readonly clock: Pick<Clock, 'now'>,
    private readonly options: SettingsOptions,
    private readonly reference: Reference | null = null,
    private readonly guarded: Pick<GuardedChanges, 'ask'> | null = null,
  ) {
    super();
    this.rows = new SettingRows(database);
    this.declared = new Map(options.settings.map((setting) => [setting.key, setting]));
    if (this.declared.size !== options.settings.length)
      throw new RangeError(`${options.service} declares a setting twice`);
    this.own = this.held(new Map());
    if (!this.rulesHold(this.own)) throw new RangeError(`defaults of ${options.service} break a rule of its settings`);
    reference?.onChange((kind, id) => {
      if (kind === 'setting' && !this.declared.has(id)) this.notifyListeners(id);
    });
  }

  get<T>(setting: Setting<T>): T {
    const own = this.own.get(setting.key);
    if (own) return own.value as T;
    const row = this.reference?.get<SettingRow>('setting', setting.key);
    return row ? (this.copied(setting, row.value) as T) : setting.initial;
  }

  /** Time (ms) of the last change of an own setting; null: it has its default. */
  changedAt({ key }: AnySetting): number | null {
    return this.own.get(key)?.changedAt ?? null;
  }

  onChange(listener: (key: string) => void): void {
    this.listeners.push(listener);
  }

  /**
   * Reads the stored values. One that no longer fits its bounds, because an upgrade has narrowed them, is brought to
   * the nearest that does, or to the default, with a line in the audit log [HARD-462].
   */
  async load(): Promise<void> {
    const stored = await this.rows.read();
    this.take(this.misfits(stored).size === 0 ? stored : await this.fit());
  }

  async onModuleInit(): Promise<void> {
    await this.publish();
    if (this.options.shared) void this.reread();
  }
  onApplicationShutdown(): void {
    this.stopping.abort();
  }

  /** Everything that is declared here, as operators see it (api §2.12). */
  list(): readonly SettingRow[] {
    return [...this.declared.values()].map((setting) => this.rowOf(setting, this.own.get(setting.key)!.text));
  }

  /**
   * Changes one setting, or requests the second admin's approval of a guarded one and returns the approval's id
   * [HARD-461]. Throws `common.notFound` for a key that is not declared here, `common.fieldInvalid` with the type and
   * bounds for a value that does not fit, or that would break a rule between settings [SETTING-002].
   */
  async save(key: string, text: string, by: ChangedBy): Promise<number | null> {
    const setting = this.declared.get(key);
    if (!setting) throw new Refused('common.notFound', {}, { field: 'key' });
    const written = canonical(setting, text);
    if (!setting.guarded) {
      await this.database.transaction((tx) => this.write(tx, setting, written, { by }));
      return null;
    }
    const stored = await this.rows.read();
    if (this.textOf(setting, stored) === written) return null;
    this.requireRules(setting, stored, written);
    if (!this.guarded) throw new Error(`invariant: no approvals for changes of ${this.options.service}`);
    return this.guarded.ask(by, {
      call: 'settings/save',
      target: key,
      after: { [key]: written },
      payload: { service: this.options.service, kind: 'setting', key, value: written },
    });
  }

  /** The value in force of a waiting change; null: it is unknown here, or its bounds no longer hold. */
  async currentValue({ key, value }: SettingPayload): Promise<ChangeFacts | null> {
    const setting = this.declared.get(key);
    if (!setting) return null;
    const stored = await this.rows.read();
    try {
      this.requireRules(setting, stored, canonical(setting, value));
    } catch (error) {
      if (error instanceof Refused) return null;
      throw error;
    }
    return { [key]: this.textOf(setting, stored) };
  }

  /** Carries an approved change out, once. @throws OutdatedChange */
  async carryOut({ key, value }: SettingPayload, approved: ApprovedChange): Promise<void> {
    const setting = this.declared.get(key);
    if (!setting) throw new OutdatedChange(`${key} is no setting`);
    try {
      await this.database.transaction(async (tx) => {
        if (await markCarriedOut(tx, approved.approvalId))
          await this.write(tx, setting, canonical(setting, value), { by: approved.by, approved });
      });
    } catch (error) {
      if (error instanceof Refused) throw new OutdatedChange(error.message);
      throw error;
    }
  }

  /** @throws Refused where a rule would break; OutdatedChange where the value of before is no longer in force. */
  private async write(
    tx: Tx,
    setting: AnySetting,
    written: string,
    { by, approved }: { readonly by: ChangedBy; readonly approved?: ApprovedChange },
  ): Promise<void> {
    const { key } = setting;
    await this.rows.lock(tx);
    const stored = await this.rows.read(tx);
    const before = this.textOf(setting, stored);
    if (approved && approved.before[key] !== before) throw new OutdatedChange(`${key} is ${before} meanwhile`);
    this.requireRules(setting, stored, written);
    const after = this.changed((stored.get(key)?.version ?? 0) + 1, written);
    await this.rows.write(tx, key, after);
    this.emit(tx, setting, after);
    recordChange(tx, {
      service: this.options.service,
      action: 'settings.save',
      target: key,
      before: { [key]: before },
      after: {
        [key]: written,
        ...(approved ? { approval_id: approved.approvalId, approved_by: approved.approvedBy } : {}),
      },
      by,
      at: this.clock.now(),
    });
    tx.afterCommit(() => this.take(new Map([...stored, [key, after]])));
  }

  private changed(version: number, value: string): StoredSetting {
    return { version, value, changedAt: this.clock.now() };
  }

  private textOf(setting: AnySetting, stored: ReadonlyMap<string, StoredSetting>): string {
    return stored.get(setting.key)?.value ?? setting.type.write(setting.initial);
  }

  private requireRules(setting: AnySetting, stored: ReadonlyMap<string, StoredSetting>, written: string): void {
    const broken = this.brokenRule(this.held(new Map([...stored, [setting.key, this.changed(0, written)]])));
    if (broken) throw refused(setting, broken.says);
  }

  /** Settings whose stored value no longer fits, with the text that takes its place. */
  private misfits(stored: ReadonlyMap<string, StoredSetting>): Map<string, string> {
    const found = new Map<string, string>();
    for (const { key, type, initial } of this.declared.values()) {
      const row = stored.get(key);
      if (row && !fits(type, row.value)) found.set(key, type.nearest?.(row.value) ?? type.write(initial));
    }
    const next = this.held(
      new Map([...stored, ...[...found].map(([key, value]) => [key, this.changed(0, value)] as const)]),
    );
    // Values that were allowed together may no longer be allowed once a bound has changed.
    if (!this.rulesHold(next)) for (const key of stored.keys()) this.resetRuled(key, next, found);
    return found;
  }

  /** Resets a setting of a broken rule to its default. */
  private resetRuled(key: string, held: ReadonlyMap<string, Held>, found: Map<string, string>): void {
    const setting = this.declared.get(key);
    if (!setting) return;
    const isRuled = this.options.rules?.some((rule) => {
      let speaksOf = false;
      const get = <T>(asked: Setting<T>): T => {
        if (asked.key === key) speaksOf = true;
        return (held.get(asked.key)?.value ?? asked.initial) as T;
      };
      return !rule.holds(get) && speaksOf;
    });
    if (isRuled) found.set(key, setting.type.write(setting.initial));
  }

  private async fit(): Promise<ReadonlyMap<string, StoredSetting>> {
    return this.database.transaction(async (tx) => {
      await this.rows.lock(tx);
      const stored = new Map(await this.rows.read(tx));
      for (const [key, value] of this.misfits(stored)) {
        const { version, value: before } = stored.get(key)!;
        const after = this.changed(version + 1, value);
        await this.rows.write(tx, key, after);
        this.emit(tx, this.declared.get(key)!, after);
        recordChange(tx, {
          service: this.options.service,
          action: 'settings.fit',
          target: key,
          before: { [key]: before },
          after: { [key]: value },
          by: { operatorId: 0, operator: this.options.service, reason: 'The bounds of the setting have changed.' },
          at: this.clock.now(),
        });
        stored.set(key, after);
      }
      return stored;
    });
  }

  /** Publishes the current values to every service; each start does, so that a lost copy is restored. */
  private async publish(): Promise<void> {
    if (this.declared.size === 0) return;
    await this.database.transaction(async (tx) => {
      await this.rows.lock(tx);
      const stored = await this.rows.read(tx);
      for (const setting of this.declared.values()) this.emit(tx, setting, stored.get(setting.key));
    });
  }

  private emit(tx: Tx, setting: AnySetting, stored: StoredSetting | undefined): void {
    const row = this.rowOf(setting, stored?.value ?? setting.type.write(setting.initial));
    tx.emit(
      TOPICS.reference,
      0,
      ReferenceRowV1.encode({ kind: 'setting', id: setting.key, version: stored?.version ?? 0, row: { ...row } }),
    );
  }

  private rowOf(setting: AnySetting, value: string): SettingRow {
    return {
      key: setting.key,
      owner: this.options.service,
      type: setting.type.name,
      bounds: setting.type.bounds,
      value,
      default: setting.type.write(setting.initial),
      help: setting.help,
      guarded: setting.guarded ? 1 : 0,
    };
  }

  private async reread(): Promise<void> {
    while (!this.stopping.signal.aborted) {
      await delay(REREAD_MS, this.stopping.signal);
      try {
        if (!this.stopping.signal.aborted) this.take(await this.rows.read());
      } catch (error) {
        this.logger.warn(`settings of ${this.options.service} could not be read: ${(error as Error).message}`);
      }
    }
  }

  /** Applies what was read unless newer values are known, because two reads may return out of order. */
  private take(stored: ReadonlyMap<string, StoredSetting>): void {
    const next = this.held(stored);
    const changed: string[] = [];
    for (const [key, held] of next) {
      const known = this.own.get(key);
      if (known && known.version > held.version) next.set(key, known);
      else if (known?.text !== held.text) changed.push(key);
    }
    this.own = next;
    for (const key of changed) this.notifyListeners(key);
  }

  private held(stored: ReadonlyMap<string, StoredSetting>): Map<string, Held> {
    return new Map(
      [...this.declared.values()].map((setting): [string, Held] => {
        const row = stored.get(setting.key);
        if (!row)
          return [
            setting.key,
            { version: 0, text: setting.type.write(setting.initial), value: setting.initial, changedAt: null },
          ];
        try {
          const { version, value: text, changedAt } = row;
          return [setting.key, { version, text, value: setting.type.read(text), changedAt }];
        } catch (error) {
          throw new Error(`setting ${setting.key} of ${this.options.service} is stored as ${row.value}`, {
            cause: error,
          });
        }
      }),
    );
  }

  private rulesHold(held: ReadonlyMap<string, Held>): boolean {
    return this.brokenRule(held) === undefined;
  }
  private brokenRule(held: ReadonlyMap<string, Held>): SettingRule | undefined {
    const get = <T>(setting: Setting<T>): T => (held.get(setting.key)?.value ?? setting.initial) as T;
    return this.options.rules?.find((rule) => !rule.holds(get));
  }

  /** A value of another service, read once for each text that comes. */
  private copied(setting: AnySetting, text: string): unknown {
    const known = this.copies.get(setting.key);
    if (known?.text === text) return known.value;
    let value: unknown = setting.initial;
    try {
      value = setting.type.read(text);
    } catch (error) {
      this.logger.error(`the copy of ${setting.key} is ${text}: its default counts (${(error as Error).message})`);
    }
    this.copies.set(setting.key, { text, value });
    return value;
  }

  private notifyListeners(key: string): void {
    for (const listener of this.listeners) {
      try {
        listener(key);
      } catch (error) {
        this.logger.error(`a listener to setting ${key} failed: ${(error as Error).stack ?? String(error)}`);
      }
    }
  }
}

type SettingPayload = Extract<GuardedPayload, { kind: 'setting' }>;

function fits(type: ValueType<unknown>, text: string): boolean {
  try {
    type.read(text);
    return true;
  } catch (error) {
    if (error instanceof WrongValue) return false;
    throw error;
  }
}

/** Returns a value in its canonical form. @throws Refused `common.fieldInvalid` with the allowed values */
function canonical(setting: AnySetting, text: string): string {
  try {
    return setting.type.write(setting.type.read(text));
  } catch (error) {
    if (!(error instanceof WrongValue)) throw error;
    throw refused(setting, error.message);
  }
}

const refused = ({ key, type }: AnySetting, why: string): Refused =>
  new Refused(
    'common.fieldInvalid',
    { field: 'value' },
    {
      field: 'value',
      extra: { setting: key, value_type: type.name, bounds: type.bounds, why },
    },
  );
