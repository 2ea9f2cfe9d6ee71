/**
 * The support chat of an operator, with who asks in `user_id` (document 1 1). Undefined where none is set. A mail
 * address or a telephone number stays as it is.
 */
export function supportAddress(address: string, userId: string | null): string | undefined {
  if (address === '') return undefined;
  if (!/^(https?:\/\/|\/)/.test(address) || userId === null) return address;
  const [page = '', hash] = address.split('#', 2);
  const asked = `${page}${page.includes('?') ? '&' : '?'}user_id=${encodeURIComponent(userId)}`;
  return hash === undefined ? asked : `${asked}#${hash}`;
}

/**
 * The address for a phone (`app_mobile_path`): undefined where none is set, and on that page itself, so that no page
 * redirects to itself.
 */
export function mobileTarget(mobilePath: string, here: { readonly href: string }): string | undefined {
  if (!/^(https?:\/\/|\/(?!\/))/.test(mobilePath)) return undefined;
  const [target, now] = [new URL(mobilePath, here.href), new URL(here.href)];
  const inside = `${now.pathname}/`.startsWith(`${target.pathname.replace(/\/$/, '')}/`);
  return target.origin === now.origin && inside ? undefined : target.href;
}
