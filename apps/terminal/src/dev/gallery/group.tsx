import type { ReactNode } from 'react';
import type { Words } from './words.js';

export interface Part {
  readonly words: Words;
}

/** Parts of one kind, under their title. */
export function Group({ id, title, children }: { id: string; title: string; children: ReactNode }) {
  return (
    <section data-group={id} className="rounded-panel border border-line bg-bg1 p-4">
      <h2 className="mb-3 text-title font-semibold">{title}</h2>
      <div className="flex flex-wrap items-start gap-4">{children}</div>
    </section>
  );
}
