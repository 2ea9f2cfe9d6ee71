/**
 * Returns the same function with a cache of at most `most` results. Results of arguments for which `isKept` is false
 * are not cached: clients may send long arguments.
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
