// Finds Go, and compiles programs out of its modules.
import { existsSync } from 'node:fs';
import { MissingPart } from './missing.mjs';
import { installCommand } from './parts/system.mjs';
import { onPath } from './processes.mjs';

/** The path of Go's own archive; it is not always on PATH. */
const INSTALLED_GO = '/usr/local/go/bin/go';

/** The compiler is a process for each package and may leave its garbage to its end: a fifth less of the processor. */
export const GO_COMPILES = { GOGC: '400' };

/** Path of Go. @throws MissingPart where there is none; `why` says what needs it. */
export function findGo(why) {
  const go = onPath('go') ?? (existsSync(INSTALLED_GO) ? INSTALLED_GO : undefined);
  if (!go) throw new MissingPart('Go', installCommand('Go'), why);
  return go;
}
