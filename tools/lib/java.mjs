// Java for the broker: the machine's own, or the one that was fetched.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { partFile } from './parts/places.mjs';
import { onPath } from './processes.mjs';

const MAJOR_MIN = 17;

/** The machine's Java, where it is new enough for the broker. */
export function findInstalledJava() {
  const own = process.env.JAVA_HOME ? join(process.env.JAVA_HOME, 'bin', 'java') : undefined;
  return [own, onPath('java')].find((java) => {
    if (java === undefined || !existsSync(java)) return false;
    const { stderr } = spawnSync(java, ['-version'], { encoding: 'utf8' });
    return Number(/version "(\d+)/.exec(stderr)?.[1]) >= MAJOR_MIN;
  });
}

/** Path of a Java of at least version 17, or undefined. */
export const findJava = () => findInstalledJava() ?? [partFile('java')].find(existsSync);
