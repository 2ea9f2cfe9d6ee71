/** The exchange as authenticators know it (WebAuthn): passkeys are bound to `id` and answer pages of `origins` only. */
export interface RelyingParty {
  readonly id: string;
  readonly origins: readonly string[];
}

/** An address is no relying party id: browsers refuse it. */
const isName = (host: string): boolean => !/^[\d.]+$/.test(host) && !host.startsWith('[');

/**
 * The relying party by the settings of the install, never by a request: the id is the host name of the first public
 * origin, and pages of this name or below it are answered. A demo install without public origins is `localhost`. Null:
 * the install has no name, so that it has no passkeys.
 */
export function relyingParty({
  publicOrigins,
  dev,
  port,
}: {
  readonly publicOrigins: readonly string[];
  readonly dev: boolean;
  readonly port: number;
}): RelyingParty | null {
  const origins = publicOrigins.length > 0 ? publicOrigins : dev ? [`http://localhost:${port}`] : [];
  const [id] = origins.map((origin) => new URL(origin).hostname).filter(isName);
  if (id === undefined) return null;
  const isOurs = (origin: string): boolean => {
    const { hostname } = new URL(origin);
    return hostname === id || hostname.endsWith(`.${id}`);
  };
  return { id, origins: origins.map((origin) => new URL(origin).origin).filter(isOurs) };
}
