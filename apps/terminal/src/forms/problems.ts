/** First problem of each field, as message keys. */
export type Problems<F extends string> = Partial<Record<F, string>>;

export const hasProblems = (problems: Problems<string>): boolean => Object.keys(problems).length > 0;
