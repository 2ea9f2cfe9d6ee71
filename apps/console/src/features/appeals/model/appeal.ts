import type { MessageOf, RowOf } from '@bourse/contract';

/** An appeal in the operators' list (api §2.12); operators by number, 0: nobody. */
export type AppealRow = RowOf<'GET /api/admin/appeals'>;
export type AppealFile = MessageOf<'GET /api/admin/appeals/{id}'>;

/** The events of an appeal, from all sources, in the order of time. */
export type Happening =
  | { readonly kind: 'step'; readonly id: string; readonly time: string; readonly text: string }
  | {
      readonly kind: 'evidence';
      readonly id: string;
      readonly time: string;
      readonly by: string;
      readonly text: string;
      readonly url: string;
    }
  | {
      readonly kind: 'note';
      readonly id: string;
      readonly time: string;
      readonly operator: number;
      readonly text: string;
    };

/** Oldest first; within one second, a step comes before its effects. */
export function happenings({
  timeline,
  evidence,
  notes,
}: Pick<AppealFile, 'timeline' | 'evidence' | 'notes'>): Happening[] {
  const all: Happening[] = [
    ...timeline.map((step, at): Happening => ({ kind: 'step', id: `step ${at}`, ...step })),
    ...evidence.map((piece, at): Happening => ({ kind: 'evidence', id: `evidence ${at}`, ...piece })),
    ...notes.map(({ time, text, operator_id: operator }, at): Happening => ({
      kind: 'note',
      id: `note ${at}`,
      time,
      text,
      operator,
    })),
  ];
  return all.toSorted((one, other) => one.time.localeCompare(other.time));
}

/** The acts on an appeal that the present operator is allowed. */
export interface Choices {
  /** Another operator's proposal: the same outcome decides, the other one is a new proposal. */
  readonly second: '' | 'buyer' | 'seller';
  /** One's own proposal waits for another person. */
  readonly waitsForOther: boolean;
}

/** A forecast for the screen; the server decides. */
export function choicesOf(
  appeal: Pick<AppealRow, 'state' | 'proposed' | 'proposed_by'>,
  me: number | undefined,
): Choices {
  const isOpen = appeal.state === 1;
  const own = appeal.proposed !== '' && appeal.proposed_by === me;
  return {
    second: isOpen && !own ? appeal.proposed : '',
    waitsForOther: isOpen && own,
  };
}
