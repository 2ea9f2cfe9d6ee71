/** Runs work one after the other for each name: that of one name waits for the work before it, whatever its outcome. */
export class Turns {
  private readonly last = new Map<string, Promise<void>>();

  run<T>(name: string, work: () => Promise<T>): Promise<T> {
    const turn = (this.last.get(name) ?? Promise.resolve()).then(work);
    const quiet = turn
      .then(() => undefined)
      .catch(() => undefined)
      .then(() => {
        if (this.last.get(name) === quiet) this.last.delete(name);
      });
    this.last.set(name, quiet);
    return turn;
  }

  /** Whether work of a name has not ended. */
  has(name: string): boolean {
    return this.last.has(name);
  }

  /** The names whose work has not ended. */
  names(): string[] {
    return [...this.last.keys()];
  }

  /** Resolves when all work that has begun has ended. */
  async waitForAll(): Promise<void> {
    await Promise.all(this.last.values());
  }
}
