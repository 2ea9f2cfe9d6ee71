/** A new Idempotency-Key: one per intended act, kept when the same press is repeated (api §1.7). */
export function newIntent(): string {
  // randomUUID exists in secure contexts only; an exchange in a local network is served over plain http.
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
