import { Injectable } from '@nestjs/common';

/** The conditions that this process still waits for. `/readyz` answers 503 until every named condition is true. */
@Injectable()
export class Readiness {
  private readonly conditions = new Map<string, boolean>();
  /** Names of the conditions that calls wait for and that were never met. */
  private readonly demanded = new Set<string>();
  private waiting: (() => void)[] = [];

  /** Sets a condition, or changes it. Set it to `false` early, because an unknown condition delays nothing. */
  set(name: string, ready: boolean): void {
    this.conditions.set(name, ready);
    if (ready) this.demanded.delete(name);
    if (this.ready()) for (const go of this.waiting.splice(0)) go();
  }

  /**
   * Names a condition that calls of people wait for, such as a catalog that is still being read. Once it was met, it
   * refuses no call again.
   */
  demand(name: string): void {
    this.demanded.add(name);
    this.set(name, false);
  }

  /** Whether calls of people can be answered: every demanded condition has been met once. */
  answersCalls(): boolean {
    return this.demanded.size === 0;
  }

  ready(): boolean {
    return this.missing().length === 0;
  }

  /** Names of the conditions that are not met. */
  missing(): readonly string[] {
    return [...this.conditions].filter(([, ready]) => !ready).map(([name]) => name);
  }

  /** Resolves as soon as all named conditions are met. */
  whenReady(): Promise<void> {
    return this.ready() ? Promise.resolve() : new Promise((resolve) => this.waiting.push(resolve));
  }
}
