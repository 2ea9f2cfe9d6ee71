/** Variables that packages set when they are loaded: they stay as the packages do. */
const SET_BY_PACKAGES = new Set(['VIPSHOME']);
/** tslib defines its helpers as globals too when it is first loaded. */
const isHelperOfTslib = (name) => name.startsWith('__');

/** The state that a test file can change for the files after it in the same process. */
export class ProcessState {
  #envOfProcess = process.env;
  #env = { ...process.env };
  #cwd = process.cwd();
  #globals = valuesOf(globalThis);
  // Jest replaces these two for each file.
  #console = globalThis.console;
  #exit = process.exit;

  /** Restores the state and returns what was different. */
  restore() {
    globalThis.console = this.#console;
    process.exit = this.#exit;
    const changes = [];
    if (process.env !== this.#envOfProcess) {
      changes.push('process.env itself');
      process.env = this.#envOfProcess;
    }
    for (const name of new Set([...Object.keys(this.#env), ...Object.keys(process.env)])) {
      if (process.env[name] === this.#env[name] || SET_BY_PACKAGES.has(name)) continue;
      changes.push(`process.env.${name}`);
      if (name in this.#env) process.env[name] = this.#env[name];
      else delete process.env[name];
    }
    if (process.cwd() !== this.#cwd) {
      changes.push('the working directory');
      process.chdir(this.#cwd);
    }
    const now = valuesOf(globalThis);
    for (const [name, value] of this.#globals) {
      if (name === 'console' || isHelperOfTslib(name) || Object.is(now.get(name), value)) continue;
      changes.push(`globalThis.${name}`);
      globalThis[name] = value;
    }
    return changes;
  }
}

/** The globals with a plain value; the others are loaded by Node when they are first read. */
function valuesOf(object) {
  const values = new Map();
  for (const [name, descriptor] of Object.entries(Object.getOwnPropertyDescriptors(object)))
    if ('value' in descriptor) values.set(name, descriptor.value);
  return values;
}
