// A standby process of `npm run dev` that has loaded the packages that seldom change. Messages to it: `{ load }`,
// modules to load; `{ derived }`, keys that earlier processes derived; `{ run }`, the program. It sends `{ derived }`
// for its own keys. It ends with the tool that started it.
import { flushCompileCache } from 'node:module';
import { keepDerivedKeys } from './derived-keys.mjs';

const FLUSH_MS = 5_000;

const end = () => process.exit(0);
process.once('disconnect', end);
process.on('message', async ({ load = [], run, derived }) => {
  try {
    // Before the services: a module that has imported the function earlier would derive all keys again.
    if (derived) keepDerivedKeys(new Map(derived), (...key) => process.connected && process.send({ derived: [key] }));
    for (const url of load) await import(url);
    if (!run) return;
    process.off('disconnect', end);
    // From here on the channel keeps nothing alive.
    process.channel?.unref();
    // A killed process would not write its compile cache.
    setTimeout(flushCompileCache, FLUSH_MS).unref();
    await import(run);
  } catch (error) {
    console.error(error);
    process.exit(1);
  }
});
