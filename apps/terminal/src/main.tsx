import '@fontsource-variable/inter';
import './styles.css';
import { createRoot } from 'react-dom/client';
import { App } from './app/app.js';
import { feed } from './core/feed.js';
import { startTexts } from './core/i18n.js';
import { followNotifications } from './core/notifications/follow.js';
import { startSession } from './core/session.js';
import { followBalances } from './core/wallet.js';

await startTexts();
createRoot(document.getElementById('root') as HTMLElement).render(<App />);
startSession();
followBalances();
followNotifications();
void feed.start();
