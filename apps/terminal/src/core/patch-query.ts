import type { QueryClient, QueryKey } from '@tanstack/react-query';

/**
 * Changes what a query holds, and the answer that is under way too: it may be older than the change. Changes are made
 * in their order; `change` must have no further effect on an answer that contains it.
 */
export function patchQuery<Data>(client: QueryClient, queryKey: QueryKey, change: (held: Data) => Data): void {
  const patch = (): void => {
    client.setQueryData<Data>(queryKey, (held) => (held === undefined ? held : change(held)));
  };
  // The fetch itself awaits this promise first: its answer is stored when the change is made.
  const answer = client.getQueryCache().find({ queryKey })?.promise;
  patch();
  // A fetch that failed, or that a newer one replaced, has no answer to change.
  void answer?.then(patch, () => undefined);
}
