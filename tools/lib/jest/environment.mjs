// Jest's test environments. Files that fit `sharedRealm` of the configuration use the globals of their worker process
// (decision 0192); each other file has a realm of its own, with plain globals (decision 0187).
import { createRequire } from 'node:module';
import vm from 'node:vm';
import { ModernFakeTimers } from '@jest/fake-timers';
import { ModuleMocker } from 'jest-mock';
import { ProcessState } from './process-state.mjs';

const require = createRequire(import.meta.url);
const { createContext } = vm;
// Jest puts a proxy in the place of a realm's globals; through it and the context's own hooks each `Math`, `BigInt` or
// `Number` cost as much as a hundred steps.
require('node:vm').createContext = () => createContext(vm.constants.DONT_CONTEXTIFY);
const { TestEnvironment: OwnRealm } = require('jest-environment-node');

/** The environment of files that share the globals of their worker. */
export class SharedRealm {
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

/** The environment of a file, by its name. */
export default function Environment(config, context) {
  const { sharedRealm } = config.projectConfig.testEnvironmentOptions;
  return new RegExp(sharedRealm).test(context.testPath) ? new SharedRealm(config) : new OwnRealm(config, context);
}
