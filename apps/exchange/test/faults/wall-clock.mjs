// Preloaded into a process of the exchange by the fault suite: its wall clock is off by the number in the file, in ms.
// Timers and `performance.now()` stay as they are, as on a machine whose clock is set.
import { existsSync, readFileSync } from 'node:fs';

const file = process.env.FAULT_WALL_CLOCK;
const real = Date.now.bind(Date);
let offset = 0;
const look = () => {
  if (file && existsSync(file)) offset = Number(readFileSync(file, 'utf8')) || 0;
};
look();
setInterval(look, 100).unref();

const RealDate = Date;
function MovedDate(...args) {
  if (!new.target) return new RealDate(real() + offset).toString();
  return args.length === 0
    ? Reflect.construct(RealDate, [real() + offset], new.target)
    : Reflect.construct(RealDate, args, new.target);
}
MovedDate.prototype = RealDate.prototype;
MovedDate.prototype.constructor = MovedDate;
Object.setPrototypeOf(MovedDate, RealDate);
MovedDate.now = () => real() + offset;
MovedDate.parse = RealDate.parse;
MovedDate.UTC = RealDate.UTC;
globalThis.Date = MovedDate;
