import { Notice } from '@bourse/platform';

/** Adds the personal fields of a deal for the caller: stored answers hold none. */
export async function fillPersonalFields<Shown extends { readonly id: string }, Stored>(
  answer: Notice,
  deals: { find(id: string): Promise<Stored | null> },
  fill: (shown: Shown, deal: Stored) => Shown,
): Promise<Notice> {
  const shown = answer.extra['deal'] as Shown;
  const deal = await deals.find(shown.id);
  if (!deal) throw new Error(`invariant: the deal ${shown.id} that was answered is not there`);
  return new Notice(answer.key, { ...answer.extra, deal: fill(shown, deal) }, answer.params);
}
