// CPU time and memory of groups of processes, from /proc. Elsewhere than on Linux there is none: figures are then
// absent.
import { existsSync, readdirSync, readFileSync } from 'node:fs';

const TICKS_PER_SECOND = 100;

/** `{ ppid, own, ended }` of a line of /proc/PID/stat: parent, CPU seconds of its own, and of children that ended. */
export function readStat(line) {
  // The name is in brackets and may contain anything, brackets too.
  const fields = line
    .slice(line.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number);
  return {
    ppid: fields[1],
    own: (fields[11] + fields[12]) / TICKS_PER_SECOND,
    ended: (fields[13] + fields[14]) / TICKS_PER_SECOND,
  };
}

/** Proportional share of memory in MB of the text of /proc/PID/smaps_rollup; 0 without one. */
export function readPss(text) {
  return Number(/^Pss:\s+(\d+) kB/m.exec(text)?.[1] ?? 0) / 1024;
}

function statOf(pid) {
  try {
    return readStat(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch (error) {
    if (error.code === 'ENOENT' || error.code === 'ESRCH') return undefined; // it has ended
    throw error;
  }
}

/** A process and all below it. */
function tree(root) {
  const children = new Map();
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const stat = statOf(name);
    if (stat) children.set(stat.ppid, [...(children.get(stat.ppid) ?? []), Number(name)]);
  }
  const found = [];
  for (const waiting = [root]; waiting.length > 0;) {
    const pid = waiting.pop();
    found.push(pid);
    waiting.push(...(children.get(pid) ?? []));
  }
  return found;
}

/** CPU seconds that a process and those it started have used so far, the ended ones too. */
export function cpuSeconds(pid) {
  if (!existsSync('/proc/self/stat')) return undefined;
  return tree(pid).reduce((sum, one) => {
    const stat = statOf(one);
    return sum + (stat ? stat.own + stat.ended : 0);
  }, 0);
}

/** Memory in MB of a process and those it started, shared pages counted once among all. */
export function memoryMb(pid) {
  if (!existsSync('/proc/self/smaps_rollup')) return undefined;
  return tree(pid).reduce((sum, one) => {
    try {
      return sum + readPss(readFileSync(`/proc/${one}/smaps_rollup`, 'utf8'));
    } catch (error) {
      if (['ENOENT', 'ESRCH', 'EACCES'].includes(error.code)) return sum; // it ended, or is about to
      throw error;
    }
  }, 0);
}
