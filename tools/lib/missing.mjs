// Finds the programs that a run lacks, and whether a container engine can replace them.
import { existsSync } from 'node:fs';

/** A part that this machine lacks, with the one command that brings it. */
export class MissingPart extends Error {
  constructor(part, command, reason) {
    super(`${part} is missing${reason ? ` (${reason})` : ''}: ${command}`);
    this.part = part;
    this.command = command;
  }
}

/**
 * Whether servers must run in containers though this machine has them: `BOURSE_SERVERS=containers`, for the check of
 * that way.
 */
export const wantsContainers = () => process.env.BOURSE_SERVERS === 'containers';

/** Sockets of engines that could run a server in a container; whether one answers is checked later. */
const ENGINE_SOCKETS = ['/var/run/docker.sock', '/run/podman/podman.sock'];
export const mayHaveContainers = () => process.env.DOCKER_HOST !== undefined || ENGINE_SOCKETS.some(existsSync);

/** True when a container engine answers; asked only when a part is not found on the machine itself. */
export async function hasContainerEngine() {
  try {
    const { getContainerRuntimeClient } = await import('testcontainers');
    await getContainerRuntimeClient();
    return true;
  } catch (error) {
    if (process.env.DEBUG) console.error(`No container engine: ${error.message}`);
    return false;
  }
}
