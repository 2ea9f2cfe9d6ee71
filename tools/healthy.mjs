// The image's HEALTHCHECK: ends with 0 when this container's process may take work, by the port its settings name.
const { BOURSE_SERVICE: service, BOURSE_SERVICE_PORT: own, PORT: open } = process.env;
const port = (service && service !== 'gateway' ? own : open) || '8080';
try {
  const { ok } = await fetch(`http://127.0.0.1:${port}/readyz`, { signal: AbortSignal.timeout(4_000) });
  process.exitCode = ok ? 0 : 1;
} catch {
  process.exitCode = 1;
}
