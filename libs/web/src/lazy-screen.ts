import { createElement, use, type ComponentType } from 'react';

/** The code or the texts of a screen did not load. The screen has no defect and may be loaded again. */
export class ScreenNotLoaded extends Error {
  constructor(cause: unknown) {
    super('a screen did not arrive', { cause });
  }
}

const failed = new Set<() => void>();

/** Lets failed screens be loaded again at their next drawing. @returns whether there was one */
export function forgetFailedScreens(): boolean {
  const any = failed.size > 0;
  for (const forget of failed) forget();
  failed.clear();
  return any;
}

/**
 * A screen, or a part of one that few people open, that is loaded when it is first drawn. `React.lazy` keeps a failed
 * load for good, so that trying again could never help; here a failure is kept only until `forgetFailedScreens`.
 *
 * @param atOnce loads it now: it is drawn next
 */
export function lazyScreen<Props extends object = object>(
  load: () => Promise<{ default: ComponentType<Props> }>,
  atOnce = false,
): ComponentType<Props> {
  let loading: Promise<ComponentType<Props>> | undefined;
  const start = (): Promise<ComponentType<Props>> => {
    const started = load().then(
      (module) => module.default,
      (error: unknown) => {
        failed.add(() => {
          if (loading === started) loading = undefined;
        });
        throw new ScreenNotLoaded(error);
      },
    );
    return started;
  };
  if (atOnce) {
    loading = start();
    // Drawing it reports the failure.
    loading.catch(() => undefined);
  }
  return function Screen(props: Props) {
    const Loaded = use((loading ??= start()));
    return createElement(Loaded, props);
  };
}
