import type { FoundThing } from '../asks/declared/service.js';

/** A part of a service whose things operators can search. */
export abstract class FindPart {
  /** Its things with this text; texts that name none of its things are answered with nothing. */
  abstract find(text: string): Promise<readonly FoundThing[]>;
}

const BIGINT_MAX = 2n ** 63n - 1n;
/** Whether a row may have this id. */
export const isRowId = (text: string): boolean => /^[1-9]\d{0,18}$/.test(text) && BigInt(text) <= BIGINT_MAX;

/** The finders of all parts of a service. */
export class Finders {
  constructor(private readonly parts: readonly FindPart[]) {}

  async find(text: string): Promise<readonly FoundThing[]> {
    return (await Promise.all(this.parts.map((part) => part.find(text)))).flat();
  }
}
