/** Registers the service worker, for navigations without a network and for push messages. Pages work without it. */
export async function startServiceWorker(): Promise<void> {
  try {
    if ('serviceWorker' in navigator) await navigator.serviceWorker.register('/sw.js');
  } catch (error) {
    console.warn('service worker not registered', error);
  }
}
