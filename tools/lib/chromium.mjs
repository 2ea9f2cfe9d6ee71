// A Chromium for the browser tests: the one that is named, or one of this machine. Its shell without windows comes
// first: the browser that has them draws its own surface too, which nobody sees, for a third of the processor's time.
import { existsSync } from 'node:fs';
import { installCommand, MissingPart } from './missing.mjs';
import { onPath } from './processes.mjs';

/** Path of the browser. Throws `MissingPart` when there is none. */
export function findChromium() {
  if (process.env.CHROMIUM_PATH) {
    if (!existsSync(process.env.CHROMIUM_PATH))
      throw new Error(`CHROMIUM_PATH names ${process.env.CHROMIUM_PATH}, which does not exist.`);
    return process.env.CHROMIUM_PATH;
  }
  const mac = [
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    '/Applications/Chromium.app/Contents/MacOS/Chromium',
  ].find(existsSync);
  const found =
    onPath('chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable') ?? mac;
  if (!found) throw new MissingPart('Chromium', installCommand('Chromium'));
  return found;
}
