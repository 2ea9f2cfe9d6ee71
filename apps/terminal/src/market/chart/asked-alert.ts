/**
 * Answers the service worker (`public/sw.js`), which asks the page in front before it shows a price alert. A page that
 * does not show the alert leaves the question open: the worker then shows it.
 */
export function onAskedAlert(
  worker: Pick<EventTarget, 'addEventListener' | 'removeEventListener'> | undefined,
  shows: (id: string) => boolean,
): () => void {
  const answer = (event: Event): void => {
    const { data, ports } = event as MessageEvent<{ readonly alert?: unknown } | null>;
    if (typeof data?.alert === 'string' && shows(data.alert)) ports[0]?.postMessage('shown');
  };
  worker?.addEventListener('message', answer);
  return () => worker?.removeEventListener('message', answer);
}
