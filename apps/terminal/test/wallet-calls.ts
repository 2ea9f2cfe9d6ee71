import { callAs } from './browser.js';

/** A TRON address outside the exchange: its checksum is right, and nobody here owns it. */
export const OUTSIDE = 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8';
/** USDT and its TRC20 network (rules §15). */
export const USDT = { id: 3, trc20: 4 };

/** The person's own USDT address on TRC20. */
export const readAddress = (person: { readonly token: string }): Promise<string> =>
  callAs<string>(person, '/api/wallet/get_in_address', { currency: String(USDT.id), type: String(USDT.trc20) });
/** Sends USDT to the person's own address on the simulated chain, as a stranger would. */
export async function payIn(person: { readonly token: string }, number: string): Promise<void> {
  const address = await readAddress(person);
  const coin = { currency: String(USDT.id), type: String(USDT.trc20) };
  await callAs(person, '/dev/chain/deposit', { address, number, ...coin });
}
