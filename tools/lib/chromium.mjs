// A Chromium for the browser tests: the one that is named, one of this machine, or the one that was fetched. Its shell
// without windows comes first: the browser with windows also draws its own surface, which no test needs, and takes a
// third of the processor's time for that.
import { existsSync } from 'node:fs';
import { MissingPart } from './missing.mjs';
import { partFile } from './parts/places.mjs';
import { HEADLESS_SHELL, installCommand } from './parts/system.mjs';
import { onPath } from './processes.mjs';

/** The machine's own browser, or undefined. */
export function findInstalledChromium() {
  return (
    onPath(HEADLESS_SHELL, 'chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable') ??
    [
      '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
      '/Applications/Chromium.app/Contents/MacOS/Chromium',
    ].find(existsSync)
  );
}

/** Path of the browser. @throws MissingPart when there is none */
export function findChromium() {
  if (process.env.CHROMIUM_PATH) {
    if (!existsSync(process.env.CHROMIUM_PATH))
      throw new Error(`CHROMIUM_PATH names ${process.env.CHROMIUM_PATH}, which does not exist.`);
    return process.env.CHROMIUM_PATH;
  }
  const found = findInstalledChromium() ?? [partFile('chromium')].find(existsSync);
  if (!found) throw new MissingPart('Chromium', installCommand('Chromium'));
  return found;
}
