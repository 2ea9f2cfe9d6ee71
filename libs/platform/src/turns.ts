/**
 * Runs tasks with overlapping claims in the order of their arrival: each waits for the earlier ones that overlap it,
 * whatever their outcome. Other tasks run concurrently. Only unfinished tasks are stored.
 */
export class Turns<Claim = string> {
  private readonly open = new Set<{ readonly claim: Claim; readonly ended: Promise<void> }>();

  /** Without `overlap` only equal claims overlap. */
  constructor(private readonly overlap: (earlier: Claim, later: Claim) => boolean = Object.is) {}

  /** Runs work in its turn. */
  run<T>(claim: Claim, work: () => Promise<T>): Promise<T> {
    const before = [...this.open].filter((one) => this.overlap(one.claim, claim)).map(({ ended }) => ended);
    const turn = Promise.all(before).then(work);
    const leave = (): void => void this.open.delete(one);
    const one = { claim, ended: turn.then(leave, leave) };
    this.open.add(one);
    return turn;
  }

  /** Whether work with this claim has not ended. */
  has(claim: Claim): boolean {
    return this.claims().includes(claim);
  }

  /** The claims whose work has not ended. */
  claims(): Claim[] {
    return [...this.open].map(({ claim }) => claim);
  }
}
