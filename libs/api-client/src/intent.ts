/** A new Idempotency-Key: one per thing the person means to do, kept over repeats of the same press (api §1.7). */
export function newIntent(): string {
  // randomUUID exists in secure contexts only; an exchange in a local network is served over plain http.
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
