import { useEffect } from 'react';
import { useServerConfig } from '../core/config.js';
import { mobileTarget } from './addresses.js';

/** Phones as the layouts know them, by touch: a narrow window of a desk stays. */
const PHONE = '(width < 768px) and (pointer: coarse)';

/** Sends phones to the operator's own mobile page where one is set (api §5); everybody else stays. */
export function MobileRedirect() {
  const path = useServerConfig()?.app.mobile_path;
  useEffect(() => {
    const target = path && window.matchMedia(PHONE).matches ? mobileTarget(path, window.location) : undefined;
    if (target) window.location.replace(target);
  }, [path]);
  return null;
}
