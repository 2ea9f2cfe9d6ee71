import type { Setting } from './define.js';
import { Settings } from './settings.js';

/** Settings of a test: all have their default until the test sets one. Changes call no listener. */
export class FixedSettings extends Settings {
  private readonly values = new Map<string, unknown>();

  get<T>(setting: Setting<T>): T {
    return this.values.has(setting.key) ? (this.values.get(setting.key) as T) : setting.initial;
  }
  set<T>(setting: Setting<T>, value: T): void {
    this.values.set(setting.key, value);
  }
  onChange(): void {
    // Code under test reads the value when it decides.
  }
}
