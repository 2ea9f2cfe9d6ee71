// The jars of the broker: `tools/kafka/pom.xml` names what it consists of, `tools/kafka/jars.json` each jar's hash.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { cacheDir, root } from './clone.mjs';
import { fetchJars, makeFolder } from './parts/packages.mjs';

const listed = readFileSync(join(root, 'tools', 'kafka', 'jars.json'));

/** By `group:artifact:version` the sha256 of every jar. */
export const JAR_HASHES = JSON.parse(listed);
export const KAFKA_VERSION = Object.keys(JAR_HASHES)
  .find((jar) => jar.startsWith('org.apache.kafka:kafka_'))
  .split(':')[2];
/** Folder of the jars; it is there when all of them are. */
export const KAFKA_JARS = join(cacheDir, 'kafka', createHash('sha256').update(listed).digest('hex').slice(0, 12));

/** Fetches the jars, if they are absent. */
export async function fetchKafka(onProgress = () => undefined) {
  if (existsSync(KAFKA_JARS)) return;
  onProgress(`Fetching the jars of Kafka ${KAFKA_VERSION} …`);
  await makeFolder(KAFKA_JARS, (folder) => fetchJars(JAR_HASHES, folder));
}
