import { useEffect, useState, type RefObject } from 'react';

export interface FullScreen {
  readonly on: boolean;
  readonly toggle: () => void;
}

/** Whether an element fills the screen: by the platform where it can, else over the whole page until Escape. */
export function useFullScreen(element: RefObject<HTMLElement | null>): FullScreen {
  const [on, setOn] = useState(false);
  useEffect(() => {
    if (!on) return undefined;
    const onChange = (): void => {
      if (!document.fullscreenElement) setOn(false);
    };
    const onKey = (event: KeyboardEvent): void => {
      if (event.key === 'Escape' && !event.defaultPrevented && !document.fullscreenElement) setOn(false);
    };
    document.addEventListener('fullscreenchange', onChange);
    window.addEventListener('keydown', onKey);
    return () => {
      document.removeEventListener('fullscreenchange', onChange);
      window.removeEventListener('keydown', onKey);
    };
  }, [on]);
  const toggle = (): void => {
    if (on) {
      setOn(false);
      if (document.fullscreenElement) void document.exitFullscreen();
      return;
    }
    setOn(true);
    // If the browser refuses or lacks it, as on phones, the element covers the page.
    element.current?.requestFullscreen?.().catch((error: unknown) => console.debug('no full screen', error));
  };
  return { on, toggle };
}
