// Child processes of the tools: each in a group of its own, so that Ctrl-C reaches only the tool, which then ends them
// in order.
import { spawn, spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { closeSync, existsSync, openSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { setPriority } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { delimiter, join } from 'node:path';

const running = new Set();
let registerFile;

/**
 * From now on notes what runs in a file of `dir`, and ends what an earlier run noted there that was killed before it
 * could clean up. Processes that cannot be killed with their parent would else stay for ever.
 */
export async function noteChildren(dir) {
  for (const name of readdirSync(dir).filter((entry) => /^running-\d+\.json$/.test(entry))) {
    const { owner, children } = JSON.parse(readFileSync(join(dir, name), 'utf8'));
    if (alive(owner)) continue;
    await Promise.all(children.map(endLeftover));
    rmSync(join(dir, name));
  }
  registerFile = join(dir, `running-${process.pid}.json`);
}

function writeRegister() {
  if (!registerFile) return;
  const children = [...running].map(({ pid }) => pid && identify(pid)).filter(Boolean);
  if (children.length === 0) rmSync(registerFile, { force: true });
  else writeFileSync(registerFile, JSON.stringify({ owner: identify(process.pid), children }));
}

/** Below the ports that systems give to connections: what one of those has taken meanwhile cannot be ours. */
const [FIRST_PORT, END_PORT] = [20_000, 32_000];
/** Ports that this process was given: their servers may not listen yet. */
const givenPorts = new Set();

/**
 * Returns free ports on 127.0.0.1, for servers that are started a moment later. No port is returned twice to one
 * process.
 */
export async function freePorts(count) {
  const ports = new Set();
  while (ports.size < count) {
    const port = randomInt(FIRST_PORT, END_PORT);
    if (givenPorts.has(port)) continue;
    givenPorts.add(port);
    const isFree = await new Promise((resolve) => {
      const probe = createServer();
      probe.once('error', () => resolve(false));
      probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
    });
    if (isFree) ports.add(port);
  }
  return [...ports];
}

/** Full path of the first of these programs on PATH, or undefined. */
export function onPath(...names) {
  for (const name of names) {
    for (const dir of (process.env.PATH ?? '').split(delimiter))
      if (dir && existsSync(join(dir, name))) return join(dir, name);
  }
  return undefined;
}

/**
 * Starts a program. `log` is a file that gets its output (appended); without it the output is piped. `niceness` (0 to
 * 19, as of `nice`) is inherited by its children. `hasChannel` lets this process and a Node program send each other
 * messages. The result has `stop(graceMs)`, which asks the group to end and insists when it does not.
 */
export function startProcess(command, args, { env, cwd, log, name = command, niceness = 0, hasChannel = false } = {}) {
  const fd = log ? openSync(log, 'a') : undefined;
  const child = spawn(command, args, {
    env,
    cwd,
    detached: process.platform !== 'win32',
    stdio: ['ignore', fd ?? 'pipe', fd ?? 'pipe', ...(hasChannel ? ['ipc'] : [])],
  });
  if (fd !== undefined) closeSync(fd);
  if (niceness > 0 && child.pid !== undefined) setPriority(child.pid, niceness);
  const exited = new Promise((done) => {
    child.once('error', (error) => done({ code: 127, error }));
    child.once('exit', (code, signal) => done({ code, signal }));
  });
  let over = false;
  const handle = {
    name,
    child,
    pid: child.pid,
    log,
    exited,
    get over() {
      return over;
    },
    async stop(graceMs = 20_000) {
      if (over || child.pid === undefined) return;
      signalGroup(child.pid, 'SIGTERM');
      await Promise.race([exited, sleep(graceMs, undefined, { ref: false })]);
      if (!over) signalGroup(child.pid, 'SIGKILL');
      await exited;
    },
  };
  running.add(handle);
  writeRegister();
  exited.then(() => {
    over = true;
    running.delete(handle);
    writeRegister();
  });
  return handle;
}

/** Sends a signal to a process and its children; a process that has already ended is ignored. */
export function signalGroup(pid, signal) {
  try {
    process.kill(process.platform === 'win32' ? pid : -pid, signal);
  } catch (error) {
    if (error.code !== 'ESRCH') throw error;
  }
}

/** Waits until `check` returns something truthy; fails with the reason when the process ends first or time is up. */
export async function waitFor(check, { timeoutMs, what, handle, everyMs = 100 }) {
  const limitMs = timeoutMs * Math.max(1, Number(process.env.TIME_FACTOR ?? 1));
  const deadline = Date.now() + limitMs;
  for (;;) {
    const value = await check();
    if (value) return value;
    if (handle?.over) throw new Error(`${handle.name} ended before ${what}.${endOfLog(handle)}`);
    if (Date.now() > deadline)
      throw new Error(`Waited ${Math.round(limitMs / 1000)} s in vain for ${what}.${endOfLog(handle)}`);
    await sleep(everyMs);
  }
}

function endOfLog(handle) {
  return handle?.log && existsSync(handle.log)
    ? `\nThe end of ${handle.log}:\n${readFileSync(handle.log, 'utf8').trimEnd().split('\n').slice(-25).join('\n')}`
    : '';
}

/** True when the address answers with a 2xx status. */
export async function answers(url) {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(2000) });
    await response.arrayBuffer();
    return response.ok;
  } catch (error) {
    // Not listening yet.
    if (error.name === 'TimeoutError' || error.cause?.code || error instanceof TypeError) return false;
    throw error;
  }
}

/** A process by pid and start time: a pid alone may belong to another by now. Undefined if it does not live. */
export function identify(pid) {
  if (existsSync('/proc/self/stat')) {
    const stat = readGone(`/proc/${pid}/stat`)
      .replace(/^.*\) /s, '')
      .split(' ');
    return stat.length > 19 && stat[0] !== 'Z' ? { pid, started: stat[19] } : undefined;
  }
  const { stdout } = spawnSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' });
  return stdout?.trim() ? { pid, started: stdout.trim() } : undefined;
}

/** Reads a file that may vanish at any time, as entries of /proc do; a missing file reads as empty. */
function readGone(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (error.code === 'ENOENT' || error.code === 'ESRCH') return '';
    throw error;
  }
}

/** True if the very process that was identified before still lives. */
export function alive(identity) {
  return identity !== undefined && identify(identity.pid)?.started === identity.started;
}

/** Ends a process (and its group) that an earlier, killed run left behind. */
export async function endLeftover(identity) {
  for (const signal of ['SIGTERM', 'SIGKILL']) {
    if (!alive(identity)) return;
    signalGroup(identity.pid, signal);
    for (let waited = 0; alive(identity) && waited < 10_000; waited += 50) await sleep(50);
  }
}

/** Ends everything that `startProcess` started and that still runs. */
export async function stopAll(graceMs) {
  await Promise.all([...running].reverse().map((handle) => handle.stop(graceMs)));
}

// A tool that dies of its own error must not leave its children behind; `exit` allows nothing asynchronous.
process.on('exit', () => {
  for (const handle of running) if (handle.pid !== undefined) signalGroup(handle.pid, 'SIGKILL');
});
