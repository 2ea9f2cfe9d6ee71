// A process of `npm run dev` that has loaded what seldom changes, and waits: `{ load }` names modules to load,
// `{ derived }` keys that processes before it have derived, `{ run }` the program; it tells `{ derived }` of its own.
// It ends with the tool that started it.
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
    // A process that is killed writes none of what was compiled.
    setTimeout(flushCompileCache, FLUSH_MS).unref();
    await import(run);
  } catch (error) {
    console.error(error);
    process.exit(1);
  }
});
