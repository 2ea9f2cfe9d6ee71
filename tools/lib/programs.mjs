// What the distributed run needs of the machine, asked before anything is installed or built: only Node's own modules.
import { existsSync } from 'node:fs';
import { hasKafkaJars } from './kafka.mjs';
import { installCommand } from './missing.mjs';
import { onPath } from './processes.mjs';

/** Where an engine listens that could run a server in a container instead; whether it answers is asked later. */
const ENGINE_SOCKETS = ['/var/run/docker.sock', '/run/podman/podman.sock'];
const mayHaveContainers = () => process.env.DOCKER_HOST !== undefined || ENGINE_SOCKETS.some(existsSync);

/**
 * Why the distributed run cannot start on this machine, in one sentence with the command that mends it; undefined when
 * nothing is seen to lack. What is given by an address in `env` needs no program. The other arguments are for tests.
 */
export function lackingPrograms(
  env,
  has = (...names) => onPath(...names) !== undefined,
  jars = hasKafkaJars(),
  containers = mayHaveContainers(),
) {
  if (containers) return undefined;
  const lacking = [];
  if (!env.KAFKA_BROKERS && !has('java')) lacking.push('Java');
  if (!env.KAFKA_BROKERS && !jars && !has('mvn')) lacking.push('Maven');
  if (!env.REDIS_URL && !has('redis-server', 'valkey-server')) lacking.push('Redis');
  if (lacking.length === 0) return undefined;
  return (
    `The distributed run needs what this machine lacks: ${lacking.join(', ')}. Install it ` +
    `(${installCommand(...lacking)}), or give KAFKA_BROKERS and REDIS_URL.`
  );
}
