// Jest's module runtime without a realm for each file: modules are those of Node itself, in the process of the worker,
// and stay from one test file to the next (decision 0192). Names and the transform are Jest's, as it is configured.
import { existsSync, readFileSync } from 'node:fs';
import { createRequire, registerHooks } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';
import JestRuntime from 'jest-runtime';
import { SharedRealm } from './environment.mjs';

const GLOBALS_URL = 'jest:globals';
const GLOBALS_KEY = Symbol.for('bourse.jest.globals');
const GLOBALS = ['afterAll', 'afterEach', 'beforeAll', 'beforeEach', 'describe', 'expect', 'it', 'jest', 'test'];
const globalsSource = `export const { ${GLOBALS.join(', ')} } = globalThis[Symbol.for('${GLOBALS_KEY.description}')];`;
const AS_MODULE = {
  isInternalModule: false,
  supportsDynamicImport: true,
  supportsExportNamespaceFrom: true,
  supportsStaticESM: true,
  supportsTopLevelAwait: true,
};
const require = createRequire(import.meta.url);

/** The runtime of the file that runs now. */
let current;
/** The framework's state before any test, and its first event handlers. */
let framework;
const loadedTests = new Map();
/** By path and by URL: stack traces name modules by their URL. */
const sourceMaps = new Map();

class SharedRuntime extends JestRuntime {
  constructor(config, environment, resolver, transformer, ...more) {
    super(config, environment, resolver, transformer, ...more);
    this.resolver = resolver;
    this.transformer = transformer;
    current = this;
  }

  /** The framework, of which one instance serves all files of the process, in the state that it has when it is new. */
  requireInternalModule(path) {
    const module = require(path);
    framework ??= takeFramework();
    resetFramework();
    return module;
  }

  requireModule(path) {
    return require(path);
  }

  unstable_shouldLoadAsEsm() {
    return true;
  }

  /** Loads a test file; a second run of it, in watch mode, under another URL. */
  async unstable_importModule(path) {
    const runs = loadedTests.get(path) ?? 0;
    loadedTests.set(path, runs + 1);
    const url = pathToFileURL(path);
    if (runs > 0) url.search = `run=${runs}`;
    return import(url.href);
  }

  setGlobalsForRuntime(globals) {
    globalThis[GLOBALS_KEY] ??= { ...globals, jest: jestOfCurrentFile };
    this.jest = this.jestGlobals.jestObjectFor(this._testPath);
  }

  installGetBuiltinModule() {}

  getSourceMaps() {
    return sourceMaps;
  }

  transform(path) {
    const options = this._getFullTransformationOptions(AS_MODULE);
    const { code, sourceMapPath } = this.transformer.transform(path, options, readFileSync(path, 'utf8'));
    if (sourceMapPath) for (const name of [path, pathToFileURL(path).href]) sourceMaps.set(name, sourceMapPath);
    return code;
  }
}

/** Helpers of tests are loaded once for many files, each of which has mocks and timers of its own. */
const jestOfCurrentFile = new Proxy({}, { get: (_target, name) => current.jest[name] });

function takeFramework() {
  const stateKey = Object.getOwnPropertySymbols(globalThis).find(
    ({ description }) => description === 'JEST_STATE_SYMBOL',
  );
  const handlers = globalThis[Symbol.for('EVENT_HANDLERS')];
  if (!stateKey || !handlers) throw new Error('Jest keeps its state in another way: tools/lib/jest must follow.');
  return { stateKey, state: globalThis[stateKey], handlers, handlerCount: handlers.length };
}

/** Each file begins with no tests, no errors and the time limit of the configuration. */
function resetFramework() {
  const { stateKey, state, handlers, handlerCount } = framework;
  const rootDescribeBlock = { ...state.rootDescribeBlock, children: [], hooks: [], tests: [] };
  const empty = Object.entries(state).map(([name, value]) => [
    name,
    Array.isArray(value) ? [] : value instanceof Map || value instanceof WeakMap ? new value.constructor() : value,
  ]);
  globalThis[stateKey] = {
    ...Object.fromEntries(empty),
    rootDescribeBlock,
    currentDescribeBlock: rootDescribeBlock,
  };
  handlers.length = handlerCount;
  delete globalThis[Symbol.for('TEST_TIMEOUT_SYMBOL')];
}

/** The source that a module of ours imports under this name, if it is one. */
function sourceOf(specifier, parentUrl) {
  if (/^\.\.?\/.*\.js$/.test(specifier)) {
    const source = new URL(`${specifier.slice(0, -3)}.ts`, parentUrl);
    return existsSync(source) ? source.href : undefined;
  }
  if (!specifier.startsWith('@bourse/') && specifier !== 'fast-check') return undefined;
  const path = current.resolver.resolveStubModuleName(fileURLToPath(parentUrl), specifier);
  return path ? pathToFileURL(path).href : undefined;
}

const isOurs = (url) => url?.startsWith('file:') && !url.includes('/node_modules/');
registerHooks({
  resolve(specifier, context, nextResolve) {
    if (specifier === '@jest/globals') return { url: GLOBALS_URL, format: 'module', shortCircuit: true };
    const url = isOurs(context.parentURL) ? sourceOf(specifier, context.parentURL) : undefined;
    return url ? { url, shortCircuit: true } : nextResolve(specifier, context);
  },
  load(url, context, nextLoad) {
    if (url === GLOBALS_URL) return { format: 'module', source: globalsSource, shortCircuit: true };
    if (isOurs(url) && /\.ts(?:\?|$)/.test(url))
      return { format: 'module', source: current.transform(fileURLToPath(url)), shortCircuit: true };
    return nextLoad(url, context);
  },
});

/** The module runtime that belongs to the environment of a file. */
export default function Runtime(config, environment, ...more) {
  return environment instanceof SharedRealm
    ? new SharedRuntime(config, environment, ...more)
    : new JestRuntime(config, environment, ...more);
}
