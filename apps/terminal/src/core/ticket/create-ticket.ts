/**
 * The parts of a trading form: pure functions of the typed texts (`State`) and of the other known values
 * (`Inputs`: the pair, the balance, the current market). A product defines its own; the frame is the same.
 */
export interface TicketRules<State, Action, Inputs, Summary, Fault, Fields extends object> {
  /** The form after one action. A change that a field refuses leaves it as it was. */
  readonly reduce: (state: State, action: Action, inputs: Inputs) => State;
  /** Figures under the form and in the confirmation. */
  readonly summarize: (state: State, inputs: Inputs) => Summary;
  /** The first fault in the order of refusal; undefined when it may be sent. The server checks again. */
  readonly validate: (state: State, inputs: Inputs) => Fault | undefined;
  /** The fields of the call. */
  readonly fields: (state: State) => Fields;
  /**
   * Whether the person must see the figures before it is sent, whatever they chose not to be asked.
   *
   * @param armed the person switched on the keys that send orders
   */
  readonly mustConfirm: (summary: Summary, armed: boolean) => boolean;
  /** The form after it was sent: what is kept for the next one. */
  readonly sent: Action;
  /** The action of a press on the form before it is checked; left out where an earlier press got no answer. */
  readonly pressed?: Action;
}

/** The effect of pressing the main button. */
type Press<Fault> = { readonly kind: 'fault'; readonly fault: Fault } | { readonly kind: 'confirm' | 'send' };

/** A ticket from its rules: the rules, and the decision that all tickets make alike. */
export interface TicketKind<State, Action, Inputs, Summary, Fault, Fields extends object> extends TicketRules<
  State,
  Action,
  Inputs,
  Summary,
  Fault,
  Fields
> {
  /**
   * The present effect of the main button, or of the key that stands for it.
   *
   * @param skip the person switched the confirmation off where allowed
   * @param armed an armed key is pressed instead of the button
   */
  readonly press: (state: State, inputs: Inputs, skip: boolean, armed?: boolean) => Press<Fault>;
}

export function createTicket<State, Action, Inputs, Summary, Fault, Fields extends object>(
  rules: TicketRules<State, Action, Inputs, Summary, Fault, Fields>,
): TicketKind<State, Action, Inputs, Summary, Fault, Fields> {
  return {
    ...rules,
    press: (state, inputs, skip, armed = false) => {
      const fault = rules.validate(state, inputs);
      if (fault !== undefined) return { kind: 'fault', fault };
      const asks = !(skip || armed) || rules.mustConfirm(rules.summarize(state, inputs), armed);
      return { kind: asks ? 'confirm' : 'send' };
    },
  };
}
