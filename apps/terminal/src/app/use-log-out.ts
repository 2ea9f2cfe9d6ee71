import { useNavigate } from 'react-router-dom';
import { signOut } from '../core/sign-out.js';
import { hasScreen } from '../paths.js';

/** Signs out, and shows the home page. */
export function useLogOut(): () => Promise<void> {
  const navigate = useNavigate();
  return async () => {
    await signOut();
    await navigate(hasScreen('/') ? '/' : '/dealCenter');
  };
}
