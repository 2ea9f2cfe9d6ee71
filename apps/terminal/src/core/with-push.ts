type Push = typeof import('./push.js');

/**
 * Runs something on the push messages of this browser, once a service worker is registered: without one they were never
 * switched on here, and their code is not loaded. A failure is logged: pages work without push messages.
 */
export async function withPush(run: (push: Push) => Promise<void>): Promise<void> {
  try {
    if (!('serviceWorker' in navigator) || !(await navigator.serviceWorker.getRegistration('/'))) return;
    await run(await import('./push.js'));
  } catch (error) {
    console.warn('push messages failed', error);
  }
}
