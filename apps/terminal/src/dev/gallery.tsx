import { current } from '../core/i18n.js';
import { Buttons } from './gallery/buttons.js';
import { Chats } from './gallery/chats.js';
import { Choices } from './gallery/choices.js';
import { Fields } from './gallery/fields.js';
import { Figures } from './gallery/figures.js';
import { Messages } from './gallery/messages.js';
import { Overlays } from './gallery/overlays.js';
import { Tables } from './gallery/tables.js';
import { WORDS } from './gallery/words.js';

/** Every part of `@bourse/ui` in each of its states, for the eye and for axe. Development installs serve it alone. */
export default function Gallery() {
  const words = WORDS[current() === 'ar' ? 'ar' : 'en'];
  return (
    <div className="mx-auto flex max-w-6xl flex-col gap-6 p-6">
      <h1 className="text-last font-semibold">{words.title}</h1>
      <Buttons words={words} />
      <Fields words={words} />
      <Choices words={words} />
      <Messages words={words} />
      <Figures words={words} />
      <Tables words={words} />
      <Chats words={words} />
      <Overlays words={words} />
    </div>
  );
}
