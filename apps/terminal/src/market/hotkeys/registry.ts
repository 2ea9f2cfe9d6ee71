/** One key of a page: `b`, `?`, `shift+b`, `ctrl+k` (⌘ on a Mac), `alt+b`, or two in a row as `g s`. */
export interface Hotkey {
  readonly keys: string;
  readonly run: () => void;
}

/** A key press as the registry checks it. */
export interface KeyPress {
  readonly key: string;
  /** The place of the key: Alt changes what `key` says on some systems. */
  readonly code: string;
  readonly ctrl: boolean;
  readonly alt: boolean;
  readonly shift: boolean;
  /** The key is held down. */
  readonly repeat: boolean;
  /** Whether single keys may act here: outside of fields, with no dialog open, and not switched off. */
  readonly single: boolean;
}

/** How long the first of two keys waits for the second. */
const CHORD_MS = 1_500;

/**
 * Keys by scope (terminal rule 10). A page adds its scope when it mounts; what lies in front is added later and is
 * asked first.
 */
export class HotkeyRegistry {
  private readonly scopes: (() => readonly Hotkey[])[] = [];
  private lead = '';
  private leadAt = -Infinity;

  /** @returns what takes the scope away again */
  add(scope: () => readonly Hotkey[]): () => void {
    this.scopes.push(scope);
    return () => {
      this.scopes.splice(this.scopes.indexOf(scope), 1);
    };
  }

  get empty(): boolean {
    return this.scopes.length === 0;
  }

  /** Runs the key that this press means. @param now milliseconds of any steady clock @returns whether there was one */
  press(press: KeyPress, now: number): boolean {
    if (press.ctrl || press.alt) return this.run(this.find(nameOf(press)));
    if (!press.single) return false;
    const shifted = press.shift ? this.find(`shift+${letterOf(press)}`) : undefined;
    // Keys with Shift send and cancel orders: one press, one order.
    if (shifted) return press.repeat || this.run(shifted);
    const key = press.key.toLowerCase();
    const lead = now - this.leadAt <= CHORD_MS ? this.lead : '';
    this.lead = '';
    if (lead !== '') {
      const chord = this.find(`${lead} ${key}`);
      if (chord) return this.run(chord);
    }
    if (this.all().some(({ keys }) => keys.startsWith(`${key} `))) {
      this.lead = key;
      this.leadAt = now;
    }
    return this.run(this.find(key));
  }

  private run(hotkey: Hotkey | undefined): boolean {
    hotkey?.run();
    return hotkey !== undefined;
  }

  private find(keys: string): Hotkey | undefined {
    return this.all().find((hotkey) => hotkey.keys === keys);
  }

  /** The newest scope first. */
  private all(): Hotkey[] {
    return this.scopes.toReversed().flatMap((scope) => scope());
  }
}

const nameOf = (press: KeyPress): string => (press.ctrl ? `ctrl+${press.key.toLowerCase()}` : `alt+${placeOf(press)}`);

/** The letter at the place of the key, else its character. */
const placeOf = ({ key, code }: KeyPress): string => (/^Key[A-Z]$/.test(code) ? code.slice(3) : key).toLowerCase();
/** The Latin letter that the key types, as the help names it; else the letter at its place. */
const letterOf = (press: KeyPress): string => (/^[a-z]$/i.test(press.key) ? press.key.toLowerCase() : placeOf(press));
