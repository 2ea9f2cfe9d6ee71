import '@fontsource-variable/inter';
import './styles.css';
import { createRoot } from 'react-dom/client';
import { App } from './app/app.js';
import { loadAreas, startTexts } from './core/i18n.js';
import { startOperator } from './core/operator.js';

await startTexts();
await loadAreas(['console']);
createRoot(document.getElementById('root') as HTMLElement).render(<App />);
startOperator();
