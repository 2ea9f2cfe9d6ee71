/**
 * The same function with its latest results kept, at most `most` of them. Arguments for which `isKept` is false are
 * computed each time: what clients send may be long, and there is no end of it.
 */
export function memoize<K extends string | undefined, V>(
  compute: (argument: K) => V,
  most: number,
  isKept: (argument: K) => boolean = () => true,
): (argument: K) => V {
  const results = new Map<K, V>();
  return (argument) => {
    const known = results.get(argument);
    if (known !== undefined) return known;
    const result = compute(argument);
    if (!isKept(argument)) return result;
    if (results.size >= most) results.clear();
    results.set(argument, result);
    return result;
  };
}
