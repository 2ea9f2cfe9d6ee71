/** The store of preferences: asynchronous, and a browser may refuse it. */
export interface Keeper {
  read(key: string): Promise<unknown>;
  write(key: string, value: unknown): Promise<void>;
  /** Told of every refusal: the value then lasts for the visit. */
  report(error: unknown): void;
}

interface Entry {
  value: unknown;
  /** Changed here before the kept value arrived: what was kept is old by then. */
  changed: boolean;
  /** The value that the keeper has after all writes that have begun. */
  kept: Promise<unknown>;
  readonly listeners: Set<() => void>;
}

/** One value a preference for the whole page: each place that shows it changes at once. */
export class KeptStore {
  private readonly entries = new Map<string, Entry>();

  constructor(private readonly keeper: Keeper) {}

  /** Undefined until it is read, and when nothing is kept. */
  get(key: string): unknown {
    return this.entry(key).value;
  }

  set(key: string, value: unknown): void {
    const entry = this.entry(key);
    entry.changed = true;
    this.show(entry, value);
    entry.kept = entry.kept.then((kept) => this.keep(key, kept, value));
  }

  /** Shows a value that another tab has kept; one that was never read here is read when it is needed. */
  receive(key: string, value: unknown): void {
    const entry = this.entries.get(key);
    if (!entry) return;
    entry.changed = true;
    entry.kept = entry.kept.then(() => value);
    this.show(entry, value);
  }

  subscribe(key: string, listener: () => void): () => void {
    const { listeners } = this.entry(key);
    listeners.add(listener);
    return () => listeners.delete(listener);
  }

  /** Made and read at the first look. */
  private entry(key: string): Entry {
    const known = this.entries.get(key);
    if (known) return known;
    const entry: Entry = {
      value: undefined,
      changed: false,
      kept: this.keeper.read(key).catch((error: unknown) => this.keeper.report(error)),
      listeners: new Set(),
    };
    this.entries.set(key, entry);
    void entry.kept.then((kept) => {
      if (!entry.changed && kept !== undefined) this.show(entry, kept);
    });
    return entry;
  }

  /** Writes a value that differs from the kept one. @returns the value that is kept afterwards */
  private async keep(key: string, kept: unknown, value: unknown): Promise<unknown> {
    if (JSON.stringify(kept) === JSON.stringify(value)) return kept;
    try {
      await this.keeper.write(key, value);
      return value;
    } catch (error) {
      this.keeper.report(error);
      return kept;
    }
  }

  private show(entry: Entry, value: unknown): void {
    entry.value = value;
    for (const listener of entry.listeners) listener();
  }
}
