import '@fontsource-variable/inter';
import './styles.css';
import { createRoot } from 'react-dom/client';
import { App } from './app/app.js';
import { feed } from './core/feed.js';
import { startTexts } from './core/i18n.js';
import { startNotifications } from './core/notifications/start.js';
import { startServiceWorker } from './core/service-worker.js';
import { startSession } from './core/session.js';
import { followBalances } from './core/wallet.js';
import { startAppearance } from './prefs/appearance.js';
import { startTimeZone } from './prefs/time-zone.js';

await Promise.all([startTexts(), startTimeZone()]);
createRoot(document.getElementById('root') as HTMLElement).render(<App />);
void startAppearance();
startSession();
followBalances();
// Before the socket, so that its first event is reported too.
await startNotifications();
void feed.start();
void startServiceWorker();
