/** Work of operators that one part of a service knows of: counts by name, for their dashboard. */
export abstract class WorkPart {
  abstract work(): Promise<Readonly<Record<string, number>>>;
}

/** The open work of all parts of a service. */
export class OpenWork {
  constructor(private readonly parts: readonly WorkPart[]) {}

  async work(): Promise<Readonly<Record<string, number>>> {
    return Object.assign({}, ...(await Promise.all(this.parts.map((part) => part.work())))) as Record<string, number>;
  }
}
