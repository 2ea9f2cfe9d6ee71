import { useSession, useSignedIn } from '../core/session.js';
import type { Viewer } from './nav.js';

/** The person at the screen. */
export function useViewer(): Viewer {
  const signedIn = useSignedIn();
  const info = useSession((session) => session.info);
  return { signedIn, info };
}
