import { ConfigError, loadConfig, startFailure, type Config } from '@bourse/platform/config';

/** A person reads this terminal: progress and warnings, unless they ask for more. */
function settings(): Config {
  try {
    return loadConfig({ LOG_LEVEL: 'warn', ...process.env });
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    process.stderr.write(`${startFailure(error.message)}\n`);
    process.exit(1);
  }
}

// Wrong settings are reported at once, before the modules of the exchange, which take seconds to load.
const config = settings();
const { start } = await import('./exchange.js');
start(config);
