// The process that runs the exchange under `npm run dev`, and the one that waits to take its place.
import { fileURLToPath, pathToFileURL } from 'node:url';
import { node24, nodeFlags, root } from '../clone.mjs';
import { answers, startProcess, waitFor } from '../processes.mjs';

const READY_MS_MAX = 60_000;
const POLL_INTERVAL_MS = 20;
const PROCESS = fileURLToPath(new URL('./process.mjs', import.meta.url));
const END_WITH_PARENT = pathToFileURL(fileURLToPath(new URL('../end-with-parent.mjs', import.meta.url))).href;

/**
 * Runs the program of `packages` with `env`; `url` is its address, `readyPath` the path of its readiness check.
 * `replace(join)` calls `join`, which bundles the changed packages and returns their names, then ends the running
 * program and starts the new one. If bundling fails, the running program stays. `ready()` waits for the last
 * replacement.
 */
export function runProgram({ packages, env, url, log, readyPath = '/readyz' }) {
  let running;
  let waiting;
  let aside;
  let ready = Promise.resolve();
  /** Keys that the exchange has derived from its secrets, by name: each start would take half a second for the same. */
  const derived = new Map();

  const spawn = (name) => {
    const handle = startProcess(node24, ['--import', END_WITH_PARENT, ...nodeFlags, PROCESS], {
      name,
      cwd: root,
      env,
      log,
      hasChannel: true,
    });
    handle.child.on('message', (told) => {
      for (const [name, key] of told.derived ?? []) derived.set(name, key);
    });
    return handle;
  };
  const kill = async (handle) => {
    if (!handle || handle.over) return;
    // The database keeps what is committed, and no caller waits for a graceful end here.
    process.kill(handle.pid, 'SIGKILL');
    await handle.exited;
  };

  /** Starts the process that will be the next one, and lets it load what the next change will not touch. */
  function prepare() {
    const { libraries, urls } = packages.foundation(aside);
    const handle = spawn('the next exchange');
    waiting = { handle, libraries };
    handle.child.send({ load: urls });
  }

  /** Returns the standby process if the packages that it has loaded are current, else a new one. */
  async function next(changed) {
    const prepared = waiting;
    waiting = undefined;
    const isStale = changed.some((name) => prepared?.libraries.some((library) => packages.needs(library, name)));
    if (prepared && !isStale && !prepared.handle.over) return prepared.handle;
    await kill(prepared?.handle);
    return spawn('exchange');
  }

  /** A process that ended says in its log why, unless something outside ended it. */
  async function answered(handle) {
    const began = Date.now();
    await waitFor(() => answers(`${url}${readyPath}`), {
      timeoutMs: READY_MS_MAX,
      what: 'it answered',
      handle,
      everyMs: POLL_INTERVAL_MS,
    }).catch(async (error) => {
      if (!handle.over) throw error;
      const { code, signal, error: cause } = await handle.exited;
      throw new Error(`${error.message} (${cause?.message ?? signal ?? `code ${code}`}, ${Date.now() - began} ms)`);
    });
  }

  async function begin(changed) {
    const library = changed.find((name) => packages.isLibrary(name));
    if (library) aside = library;
    const handle = await next(changed);
    const { urls } = packages.foundation();
    // Loading does nothing yet, and the end of a process of this size takes a moment.
    handle.child.send({ load: [...urls, ...packages.services()], derived: [...derived] });
    await kill(running);
    running = handle;
    handle.child.send({ load: urls, run: packages.programUrl });
    await answered(handle);
    prepare();
  }

  return {
    replace: (join = async () => []) => {
      ready = join().then(begin);
      return ready;
    },
    ready: () => ready.catch(() => undefined),
  };
}
