// `node tools/kafka/list-jars.mjs`, after a change of pom.xml: writes jars.json, by Maven, which must be on PATH.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const folder = mkdtempSync(join(tmpdir(), 'kafka-jars-'));
const maven = (...args) =>
  execFileSync('mvn', ['-B', '-f', join(import.meta.dirname, 'pom.xml'), '-DincludeScope=runtime', ...args], {
    encoding: 'utf8',
  });
try {
  maven('dependency:copy-dependencies', `-DoutputDirectory=${folder}`);
  const listed = [...maven('dependency:list').matchAll(/ ([^:\s]+):([^:]+):jar:([^:]+):(?:compile|runtime)/g)];
  const hashes = listed.map(([, group, name, version]) => [
    `${group}:${name}:${version}`,
    createHash('sha256')
      .update(readFileSync(join(folder, `${name}-${version}.jar`)))
      .digest('hex'),
  ]);
  hashes.sort(([one], [other]) => (one < other ? -1 : 1));
  writeFileSync(join(import.meta.dirname, 'jars.json'), `${JSON.stringify(Object.fromEntries(hashes), null, 2)}\n`);
} finally {
  rmSync(folder, { recursive: true });
}
