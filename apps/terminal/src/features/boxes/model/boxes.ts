/** An open box, as `/api/template/boxes` answers it. */
export interface Box {
  readonly id: string;
  readonly currency: number;
  /** Decimal text. */
  readonly amount: string;
  /** Milliseconds since 1970. */
  readonly closes_at: number;
}

/** The list after a pushed box: the newest first, closed ones gone. */
export function withBox(
  boxes: readonly Box[],
  { state, ...box }: Box & { readonly state: 'open' | 'closed' },
): readonly Box[] {
  const others = boxes.filter(({ id }) => id !== box.id);
  return state === 'open' ? [box, ...others] : others;
}
