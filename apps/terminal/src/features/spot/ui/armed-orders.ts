import { useArmedKeys } from '../../../core/armed-keys.js';
import type { Side } from '../model/ticket.js';

/** Sends the order of a form; at a price of the book if one is given. */
type SendOrder = (price?: string) => void;

/**
 * Carries the orders of armed keys and clicks to the form of their side. Nothing is kept: a form that is shown later
 * sends nothing.
 */
export class ArmedOrders {
  private readonly forms = new Map<Side, SendOrder>();

  /** @returns a function that disconnects the form */
  connect(side: Side, send: SendOrder): () => void {
    this.forms.set(side, send);
    return () => {
      if (this.forms.get(side) === send) this.forms.delete(side);
    };
  }

  /** Sends the order of the form of a side, if keys are armed. @returns whether they are */
  send(side: Side, price?: string): boolean {
    const { armed } = useArmedKeys.getState();
    if (armed) this.forms.get(side)?.(price);
    return armed;
  }
}
