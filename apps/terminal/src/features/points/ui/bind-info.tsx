import { api } from '../../../core/api.js';
import { loadInfo } from '../../../core/session.js';
import { useLeave } from '../../../core/use-leave.js';
import { BindForm } from './bind-form.js';

/** Binds the account of the points programme, and leads to the exchange of points. */
export default function BindInfo() {
  const leave = useLeave();
  const done = async (): Promise<void> => {
    // A member of the programme gets a menu item; the next start of the page reads the profile too.
    await loadInfo().catch((error: unknown) => console.warn('profile not read', error));
    await leave('/integralExchange');
  };
  return <BindForm access={{ client: api, session: 'terminal' }} onDone={() => void done()} />;
}
