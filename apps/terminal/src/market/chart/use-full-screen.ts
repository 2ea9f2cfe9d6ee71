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
    const left = (): void => {
      if (!document.fullscreenElement) setOn(false);
    };
    const escape = (event: KeyboardEvent): void => {
      if (event.key === 'Escape' && !event.defaultPrevented && !document.fullscreenElement) setOn(false);
    };
    document.addEventListener('fullscreenchange', left);
    window.addEventListener('keydown', escape);
    return () => {
      document.removeEventListener('fullscreenchange', left);
      window.removeEventListener('keydown', escape);
    };
  }, [on]);
  const toggle = (): void => {
    if (on) {
      setOn(false);
      if (document.fullscreenElement) void document.exitFullscreen();
      return;
    }
    setOn(true);
    // Refused, or not there on telephones: the element then lies over the page.
    element.current?.requestFullscreen?.().catch((error: unknown) => console.debug('no full screen', error));
  };
  return { on, toggle };
}
