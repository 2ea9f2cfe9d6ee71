/**
 * The path and query of a request whose target is a whole address, as proxies send it (RFC 9112, absolute form). The
 * router reads such a target; rules that compare the beginning of a path would miss it [EDGE-131].
 */
export function originForm(target: string): string {
  if (target.startsWith('/')) return target;
  const rest = target.replace(/^https?:\/\/[^/?#]*/i, '');
  return rest.startsWith('/') ? rest : `/${rest}`;
}
