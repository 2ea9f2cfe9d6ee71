/** A part that this machine lacks, with the one command that brings it. */
export class MissingPart extends Error {
  constructor(part, command, reason) {
    super(`${part} is missing${reason ? ` (${reason})` : ''}: ${command}`);
    this.part = part;
    this.command = command;
  }
}

/** What a program is called by the package managers that we name: Homebrew on macOS, apt elsewhere. */
const PACKAGES = {
  Alertmanager: { brew: 'alertmanager', apt: 'prometheus-alertmanager' },
  Chromium: { brew: '--cask chromium', apt: 'chromium' },
  Go: { brew: 'go', apt: 'golang-go' },
  Java: { brew: 'openjdk', apt: 'default-jre-headless' },
  Maven: { brew: 'maven', apt: 'maven' },
  Prometheus: { brew: 'prometheus', apt: 'prometheus' },
  Redis: { brew: 'redis', apt: 'redis-server' },
};

/** The one command that installs these programs on this machine. */
export function installCommand(...names) {
  const isMac = process.platform === 'darwin';
  const packages = names.map((name) => PACKAGES[name][isMac ? 'brew' : 'apt']).join(' ');
  return `${isMac ? 'brew install' : 'apt-get install -y'} ${packages}`;
}

/**
 * Whether servers must run in containers though this machine has them: `BOURSE_SERVERS=containers`, for the check of
 * that way.
 */
export const wantsContainers = () => process.env.BOURSE_SERVERS === 'containers';

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
