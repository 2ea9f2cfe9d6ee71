import { useReducer, useState } from 'react';
import { useSubmission } from '@bourse/web';
import type { TicketKind } from './create-ticket.js';

/** An action, or the state that follows; `of` names the only state that it applies to. */
type Change<State, Action> = { readonly of?: State } & ({ readonly action: Action } | { readonly to: State });

export interface TicketHandle<State, Action, Summary, Fault> {
  readonly ticket: State;
  readonly summary: Summary;
  /** The problem that the last press found; cleared by the next change. */
  readonly fault: Fault | undefined;
  readonly change: (action: Action) => void;
  /** Shows the first fault again, as when a field is left. */
  readonly check: () => void;
  /**
   * The main button, or an armed key that stands for it.
   *
   * @param armed given for an armed key; its action, if there is one, is applied first
   * @returns the fault that kept it
   */
  readonly press: (armed?: { readonly action?: Action }) => Fault | undefined;
  /** The confirmation is open. */
  readonly asking: boolean;
  readonly stopAsking: () => void;
  readonly send: () => Promise<void>;
  readonly sending: boolean;
  readonly refusal: string | undefined;
}

/**
 * The state of one ticket on the screen: typed, checked, asked about, sent once, and emptied when it was taken, unless
 * the next one was begun meanwhile.
 */
export function useTicket<State, Action, Inputs, Summary, Fault, Fields extends object>(
  kind: TicketKind<State, Action, Inputs, Summary, Fault, Fields>,
  initial: State,
  inputs: Inputs,
  {
    place,
    skipConfirm,
    silence,
  }: {
    /** Sends it under an intent; a refusal is thrown. */
    place: (fields: Fields, intent: string) => Promise<void>;
    skipConfirm: boolean;
    /** Text key of what is said when no answer came. */
    silence: string;
  },
): TicketHandle<State, Action, Summary, Fault> {
  // The outcome of a sent ticket applies to that ticket only: a newer input is kept.
  const [ticket, dispatch] = useReducer((state: State, { of = state, ...change }: Change<State, Action>) => {
    if (of !== state) return state;
    return 'action' in change ? kind.reduce(state, change.action, inputs) : change.to;
  }, initial);
  const [fault, setFault] = useState<Fault | undefined>();
  const [asking, setAsking] = useState(false);
  const { busy, refusal, run, clear } = useSubmission(silence);
  const change = (action: Action): void => {
    dispatch({ action });
    setFault(undefined);
    clear();
  };
  const send = async (state = ticket): Promise<void> => {
    setAsking(false);
    const fields = kind.fields(state);
    const taken = await run((intent) => place(fields, intent), fields);
    if (taken) dispatch({ action: kind.sent, of: state });
  };
  const press = (armed?: { readonly action?: Action }): Fault | undefined => {
    if (busy) return undefined;
    if (armed?.action !== undefined) clear();
    // An order that the exchange may have accepted is sent again unchanged: the exchange then recognises it.
    const isNew = refusal === undefined || armed?.action !== undefined;
    const actions = [armed?.action, isNew ? kind.pressed : undefined].filter((action) => action !== undefined);
    const settled = actions.reduce((state, action) => kind.reduce(state, action, inputs), ticket);
    // The state that is sent is the state that is shown, so that it is emptied afterwards.
    dispatch({ to: settled, of: ticket });
    const pressed = kind.press(settled, inputs, skipConfirm, armed !== undefined);
    setFault(pressed.kind === 'fault' ? pressed.fault : undefined);
    if (pressed.kind === 'confirm') setAsking(true);
    if (pressed.kind === 'send') void send(settled);
    return pressed.kind === 'fault' ? pressed.fault : undefined;
  };
  return {
    ticket,
    summary: kind.summarize(ticket, inputs),
    fault,
    change,
    check: () => setFault(kind.validate(ticket, inputs)),
    press,
    asking,
    stopAsking: () => setAsking(false),
    send: () => send(),
    sending: busy,
    refusal,
  };
}
