import { useLocation, useNavigate, type NavigateOptions } from 'react-router-dom';

/** Leads on from this page after an answer. Whoever has gone elsewhere meanwhile stays there. */
export function useLeave(): (to: string, options?: NavigateOptions) => Promise<void> {
  const navigate = useNavigate();
  const { pathname } = useLocation();
  return async (to, options) => {
    if (location.pathname === pathname) await navigate(to, options);
  };
}
