import { expect, test } from '@jest/globals';
import { HotkeyRegistry, type KeyPress } from './registry.js';

const press = (key: string, more: Partial<KeyPress> = {}): KeyPress => ({
  key,
  code: `Key${key.toUpperCase()}`,
  ctrl: false,
  alt: false,
  shift: false,
  repeat: false,
  single: true,
  ...more,
});

/** A registry with one scope whose keys write their own name down. */
function registryOf(...keys: string[]): { registry: HotkeyRegistry; ran: string[] } {
  const registry = new HotkeyRegistry();
  const ran: string[] = [];
  registry.add(() => keys.map((name) => ({ keys: name, run: () => ran.push(name) })));
  return { registry, ran };
}

test('a single key acts, and not in a field, in a dialog or when it is switched off [HOTKEY-001]', () => {
  const { registry, ran } = registryOf('b');
  expect(registry.press(press('B'), 0)).toBe(true);
  expect(registry.press(press('b', { single: false }), 0)).toBe(false);
  expect(ran).toEqual(['b']);
});

test('keys with Ctrl or Alt act everywhere, Alt by the place of the key [HOTKEY-002]', () => {
  const { registry, ran } = registryOf('ctrl+k', 'alt+b', 'k');
  registry.press(press('k', { ctrl: true, single: false }), 0);
  registry.press(press('∫', { code: 'KeyB', alt: true, single: false }), 0);
  expect(ran).toEqual(['ctrl+k', 'alt+b']);
});

test('two keys in a row act together for a second and a half, then the second acts alone [HOTKEY-003]', () => {
  const { registry, ran } = registryOf('g s', 's');
  registry.press(press('g'), 0);
  registry.press(press('s'), 1_500);
  registry.press(press('g'), 2_000);
  registry.press(press('s'), 3_501);
  expect(ran).toEqual(['g s', 's']);
});

test('a second key that completes nothing acts for itself, and may begin again [HOTKEY-003]', () => {
  const { registry, ran } = registryOf('i 0', 'g s', 's');
  registry.press(press('i'), 0);
  registry.press(press('g'), 10);
  registry.press(press('s'), 20);
  registry.press(press('i'), 30);
  registry.press(press('s'), 40);
  expect(ran).toEqual(['g s', 's']);
});

test('the newest scope is asked first, and gives its keys back when it leaves [HOTKEY-004]', () => {
  const { registry, ran } = registryOf('b', 's');
  const leave = registry.add(() => [{ keys: 'b', run: () => ran.push('front b') }]);
  registry.press(press('b'), 0);
  registry.press(press('s'), 0);
  leave();
  registry.press(press('b'), 0);
  expect(ran).toEqual(['front b', 's', 'b']);
});

test('a key with Shift acts once a press and not in a field; undefined, the single key acts [HOTKEY-005]', () => {
  const { registry, ran } = registryOf('shift+b', 'b', 's', '?');
  registry.press(press('B', { shift: true }), 0);
  registry.press(press('B', { shift: true, repeat: true }), 10);
  registry.press(press('B', { shift: true, single: false }), 20);
  registry.press(press('S', { shift: true }), 30);
  registry.press(press('?', { shift: true, code: 'Slash' }), 40);
  registry.press(press('b'), 50);
  // On Dvorak the letter X lies at the place of B; on a Russian layout the place decides.
  registry.press(press('X', { shift: true, code: 'KeyB' }), 60);
  registry.press(press('И', { shift: true, code: 'KeyB' }), 70);
  expect(ran).toEqual(['shift+b', 's', '?', 'b', 'shift+b']);
});
