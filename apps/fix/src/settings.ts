import { join, resolve } from 'node:path';

export interface Settings {
  readonly host: string;
  readonly port: number;
  /** Address of the exchange. */
  readonly exchangeUrl: string;
  /** CompID of the exchange, which sessions name as their target. */
  readonly compId: string;
  /** Folder of the sessions. */
  readonly folder: string;
}

export class SettingsError extends Error {}

/**
 * Reads the settings of the gateway (docs/fix.md).
 *
 * @throws SettingsError with a sentence for people
 */
export function readSettings(env: Readonly<Record<string, string | undefined>>): Settings {
  const port = Number(env['FIX_PORT'] || NaN);
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw new SettingsError('FIX_PORT must be the port of the FIX gateway, 1 to 65535');
  const exchangeUrl = env['FIX_EXCHANGE_URL'] || 'http://127.0.0.1:8080';
  if (!/^https?:\/\/[^/]+\/?$/.test(exchangeUrl))
    throw new SettingsError('FIX_EXCHANGE_URL must be the address of the exchange: https://exchange.example');
  const compId = env['FIX_COMP_ID'] || 'BOURSE';
  if (!/^[A-Za-z0-9_.-]{1,40}$/.test(compId))
    throw new SettingsError('FIX_COMP_ID must be 1 to 40 letters, digits, dots, dashes and underscores');
  return {
    host: env['FIX_HOST'] || '127.0.0.1',
    port,
    exchangeUrl: exchangeUrl.replace(/\/$/, ''),
    compId,
    folder: join(resolve(env['DATA_DIR'] || '.data'), 'fix'),
  };
}
