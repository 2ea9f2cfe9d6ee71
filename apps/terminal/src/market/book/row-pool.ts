/** A fixed set of rows and cells that live data is written into: nothing is created or removed while it streams. */
export class RowPool {
  readonly rows: {
    readonly element: HTMLElement;
    readonly cells: readonly HTMLElement[];
    readonly texts: string[];
    shown: boolean;
    tone: string;
    note: string;
  }[] = [];

  /**
   * @param host positioned element of fixed height; rows are placed absolutely in it
   * @param cells class names of the cells of one row; a name that starts with `button:` makes a button
   */
  constructor(
    host: HTMLElement,
    count: number,
    rowHeight: number,
    cells: readonly string[],
    before?: (row: HTMLElement, at: number) => void,
  ) {
    host.replaceChildren();
    for (let at = 0; at < count; at += 1) {
      const element = document.createElement('div');
      element.setAttribute('role', 'row');
      element.className = 'live-row';
      element.style.insetBlockStart = `${at * rowHeight}px`;
      element.style.blockSize = `${rowHeight}px`;
      before?.(element, at);
      const made = cells.map((names, cellAt) => {
        const asButton = names.startsWith('button:');
        const cell = document.createElement(asButton ? 'button' : 'div');
        if (asButton) {
          (cell as HTMLButtonElement).type = 'button';
          cell.tabIndex = -1;
        }
        const holder = document.createElement('div');
        holder.setAttribute('role', cellAt === 0 ? 'rowheader' : 'cell');
        holder.className = `live-cell ${asButton ? names.slice(7) : names}`;
        if (asButton) {
          holder.append(cell);
          element.append(holder);
          return cell;
        }
        element.append(holder);
        return holder;
      });
      host.append(element);
      this.rows.push({ element, cells: made, texts: cells.map(() => ''), shown: true, tone: '', note: '' });
    }
  }

  /**
   * Writes one row; undefined hides it. Only what differs touches the page. `note` says in words what the last cell
   * says by a sign.
   */
  write(at: number, texts: readonly string[] | undefined, tone = '', note = ''): void {
    const row = this.rows[at];
    if (!row) return;
    const shown = texts !== undefined;
    if (row.shown !== shown) {
      row.shown = shown;
      row.element.style.visibility = shown ? '' : 'hidden';
    }
    if (!texts) return;
    for (let cell = 0; cell < texts.length; cell += 1) {
      const text = texts[cell]!;
      if (row.texts[cell] === text) continue;
      row.texts[cell] = text;
      row.cells[cell]!.textContent = text;
    }
    if (row.tone !== tone) {
      row.tone = tone;
      row.element.dataset['tone'] = tone;
    }
    if (row.note !== note) {
      row.note = note;
      const sign = row.cells.at(-1);
      if (note === '') {
        sign?.removeAttribute('title');
        sign?.removeAttribute('aria-label');
      } else if (sign) {
        sign.title = note;
        sign.setAttribute('aria-label', note);
      }
    }
  }
}
