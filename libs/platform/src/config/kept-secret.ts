import { randomBytes } from 'node:crypto';
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * A secret of a demo install: made once, and kept in `dataDir/secrets`. Several processes may start at once: the first
 * link of the file wins, and all read the same secret.
 */
export function keptSecret(
  dataDir: string,
  name: string,
  make: () => string = () => randomBytes(32).toString('base64url'),
): string {
  const folder = join(dataDir, 'secrets');
  const file = join(folder, name);
  if (!existsSync(file)) {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const own = `${file}.${process.pid}`;
    writeFileSync(own, make(), { mode: 0o600 });
    try {
      linkSync(own, file);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    } finally {
      rmSync(own, { force: true });
    }
  }
  return readFileSync(file, 'utf8').trim();
}
