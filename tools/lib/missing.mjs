/** A part that this machine lacks, with the one command that brings it. */
export class MissingPart extends Error {
  constructor(part, command, reason) {
    super(`${part} is missing${reason ? ` (${reason})` : ''}: ${command}`);
    this.part = part;
    this.command = command;
  }
}

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
