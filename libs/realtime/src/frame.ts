/** A view that the loop paints when something it shows has changed. */
export interface View {
  paint(now: number): void;
}

/**
 * One loop for everything that moves: data marks views dirty, the next frame paints each of them once, however many
 * messages came between. Nothing runs while nothing is dirty.
 */
export class FrameLoop {
  private readonly dirty = new Set<View>();
  private scheduled = false;

  constructor(
    private readonly schedule: (paint: (now: number) => void) => void,
    private readonly onError: (error: unknown) => void,
  ) {}

  mark(view: View): void {
    this.dirty.add(view);
    if (this.scheduled) return;
    this.scheduled = true;
    this.schedule(this.run);
  }

  /** A view that leaves the page is not painted any more. */
  drop(view: View): void {
    this.dirty.delete(view);
  }

  private readonly run = (now: number): void => {
    this.scheduled = false;
    const views = [...this.dirty];
    this.dirty.clear();
    for (const view of views) {
      try {
        view.paint(now);
      } catch (error) {
        // One broken view must not freeze the others.
        this.onError(error);
      }
    }
  };
}
