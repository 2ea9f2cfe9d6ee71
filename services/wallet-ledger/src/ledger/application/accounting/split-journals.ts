interface JournalRow {
  readonly partition: number;
  readonly number: number;
}

/** Groups rows by journal; the rows of one journal must be adjacent. */
export function splitJournals<Row extends JournalRow>(rows: readonly Row[]): Row[][] {
  const journals: Row[][] = [];
  for (const row of rows) {
    const journal = journals.at(-1);
    const first = journal?.[0];
    if (journal && first?.partition === row.partition && first.number === row.number) journal.push(row);
    else journals.push([row]);
  }
  return journals;
}
