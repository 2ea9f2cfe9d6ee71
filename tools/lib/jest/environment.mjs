// Jest's test environment without a realm of its own: the globals of a test are those of its worker process
// (decision 0192).
import { ModernFakeTimers } from '@jest/fake-timers';
import { ModuleMocker } from 'jest-mock';
import { ProcessState } from './process-state.mjs';

export default class SharedRealm {
  global = globalThis;
  fakeTimers = null;

  constructor({ projectConfig }) {
    this.state = new ProcessState();
    this.moduleMocker = new ModuleMocker(globalThis);
    this.fakeTimersModern = new ModernFakeTimers({ config: projectConfig, global: globalThis });
  }

  async setup() {}

  /** Puts back what Jest and the test file have changed. A change that is neither a mock nor a timer fails the file. */
  async teardown() {
    this.moduleMocker.restoreAllMocks();
    this.fakeTimersModern.dispose();
    const changes = this.state.restore();
    if (changes.length > 0) throw new Error(`The file changes for the files after it: ${changes.join(', ')}`);
  }

  exportConditions() {
    return ['node', 'node-addons'];
  }

  getVmContext() {
    return null;
  }
}
