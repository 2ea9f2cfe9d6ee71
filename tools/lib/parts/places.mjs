// Folders of fetched parts, by the versions that the repository pins.
import { join } from 'node:path';
import { readFileSync } from 'node:fs';
import { cacheDir, root } from '../clone.mjs';

export const partsDir = join(cacheDir, 'parts');

const readPinned = (file) => JSON.parse(readFileSync(join(root, 'tools', 'parts', file), 'utf8'));
/** The packages of Maven and PyPI that hold parts, with their hashes; those of npm have lock files beside it. */
export const PINS = readPinned('pins.json');
const npmVersion = (name) => Object.values(readPinned(`${name}/package.json`).dependencies)[0];
const VERSIONS = {
  chromium: npmVersion('chromium'),
  'ast-transpiler': npmVersion('ast-transpiler'),
  redis: PINS.redis.version,
  java: PINS.java.version,
};

/** Folder of the client that knows where files of Maven are. */
export const mavenClientDir = join(partsDir, `maven-client-${npmVersion('maven-client')}`);

/** Program that starts a part which was fetched; it need not exist. */
export const partFile = (name) => join(partsDir, VERSIONS[name] ? `${name}-${VERSIONS[name]}` : name, 'start');
