/** A text on the chart: its centre and its width in pixels. */
export interface LabelBox {
  readonly x: number;
  readonly y: number;
  readonly width: number;
}

/** The labels, in their order, that cover none of those before them; all are `height` high. */
export function findFreeLabels<Label extends LabelBox>(labels: readonly Label[], height: number): Label[] {
  const free: Label[] = [];
  for (const label of labels) {
    const isCovering = free.some(
      (other) => Math.abs(other.x - label.x) < (other.width + label.width) / 2 && Math.abs(other.y - label.y) < height,
    );
    if (!isCovering) free.push(label);
  }
  return free;
}
