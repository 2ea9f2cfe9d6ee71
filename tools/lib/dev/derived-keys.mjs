// Keys that scrypt derives, kept from one process of `npm run dev` to the next: the same secret and salt give the same
// key, and half a second of a core is a quarter of a start. Only memory keeps them, that of the tool.
import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';

/** The name under which a key is kept; it reveals nothing of its secret. */
const nameOf = (secret, salt, length, options) =>
  crypto
    .createHash('sha256')
    .update(JSON.stringify([Buffer.from(secret).toString('hex'), Buffer.from(salt).toString('hex'), length, options]))
    .digest('hex');

/**
 * Makes `scrypt` of node:crypto take a key from `known` (name to key, base64) if it is there; `told` is called with
 * each key that had to be derived.
 */
export function keepDerivedKeys(known, told) {
  const derive = crypto.scrypt;
  crypto.scrypt = (secret, salt, length, options, done) => {
    if (typeof options === 'function') return derive(secret, salt, length, options);
    const name = nameOf(secret, salt, length, options);
    const key = known.get(name);
    if (key !== undefined) return process.nextTick(done, null, Buffer.from(key, 'base64'));
    derive(secret, salt, length, options, (error, derived) => {
      if (!error) told(name, derived.toString('base64'));
      done(error, derived);
    });
  };
  // Modules that name it in their import see it too.
  syncBuiltinESMExports();
}
