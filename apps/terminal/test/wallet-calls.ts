import { BASE } from './browser.js';

/** A TRON address outside the exchange: its checksum is right, and nobody here owns it. */
export const OUTSIDE = 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8';
/** USDT and its TRC20 network (rules §15). */
export const USDT = { id: 3, trc20: 4 };

/** Calls the exchange with a person's token; fields make it a POST. @throws Error for a refusal. */
export async function callAs<T>(
  { token }: { readonly token: string },
  path: string,
  fields?: Record<string, string>,
): Promise<T> {
  const response = await fetch(`${BASE}${path}`, {
    headers: { authorization: token },
    ...(fields ? { method: 'POST', body: new URLSearchParams(fields) } : {}),
  });
  const body = (await response.json()) as { type: string; message: T };
  if (body.type !== 'ok') throw new Error(`${path}: ${JSON.stringify(body)}`);
  return body.message;
}
/** The person's own USDT address on TRC20. */
export const readAddress = (person: { readonly token: string }): Promise<string> =>
  callAs<string>(person, '/api/wallet/get_in_address', { currency: String(USDT.id), type: String(USDT.trc20) });
/** Sends USDT to the person's own address on the simulated chain, as a stranger would. */
export async function payIn(person: { readonly token: string }, number: string): Promise<void> {
  const address = await readAddress(person);
  const coin = { currency: String(USDT.id), type: String(USDT.trc20) };
  await callAs(person, '/dev/chain/deposit', { address, number, ...coin });
}
