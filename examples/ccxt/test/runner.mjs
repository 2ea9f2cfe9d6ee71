// Runs pieces of programs one after another in one process, which loads ccxt once: it loads every exchange there is.
import * as clock from './clock.mjs';
import * as lists from './lists.mjs';
import * as params from './params.mjs';
import * as structures from './structures.mjs';
import * as watched from './watched.mjs';

const helpers = { ...clock, ...lists, ...params, ...structures, ...watched };
const Program = Object.getPrototypeOf(async () => undefined).constructor;
const wait = globalThis.setTimeout;

process.on('message', ({ id, body }) => {
  const told = {};
  Promise.resolve()
    .then(() =>
      new Program('helpers', 'told', `const { ${Object.keys(helpers).join(', ')} } = helpers;\n${body}`)(helpers, told),
    )
    .then(() => ({ id, told: JSON.stringify(told) }))
    .catch((error) => ({ id, error: error.stack }))
    .then((answer) => {
      // A piece may have replaced it.
      globalThis.setTimeout = wait;
      process.send(answer);
    });
});
