// Reports changes in the sources of services and libraries, one batch at a time.
import { existsSync, readdirSync, watch } from 'node:fs';
import { join } from 'node:path';

/** Editors write a file in several steps. */
const SETTLE_MS = 30;

/**
 * Calls `act(files, began)` for sources that changed, one call at a time; `began` is the time of the first of them.
 * Changes during a call are batched into the next one. An error of `act` goes to `failed`; the next change is still
 * handled.
 */
export function watchSources(root, act, failed = (error) => console.error(error)) {
  const seen = new Set();
  let began = 0;
  let isActing = false;
  let settling;
  const flush = async () => {
    if (isActing || seen.size === 0) return;
    isActing = true;
    const files = [...seen];
    seen.clear();
    try {
      await act(files, began);
    } catch (error) {
      failed(error);
    } finally {
      isActing = false;
    }
    await flush();
  };
  const see = (file) => {
    if (!/\.(ts|json)$/.test(file) || /\.test\.ts$/.test(file)) return;
    if (seen.size === 0) began = Date.now();
    seen.add(file);
    clearTimeout(settling);
    settling = setTimeout(flush, SETTLE_MS);
  };
  for (const group of ['libs', 'services', 'examples', 'apps'])
    for (const name of existsSync(join(root, group)) ? readdirSync(join(root, group)) : []) {
      const sources = join(root, group, name, 'src');
      if (existsSync(sources)) watch(sources, { recursive: true }, (_, file) => file && see(join(sources, file)));
    }
}
