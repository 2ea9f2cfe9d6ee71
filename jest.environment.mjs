// The environment of Node, in a context of its own whose globals are plain ones. Jest puts a proxy in their place, to
// clear away what a file has left in them; through it and the context's own hooks each `Math`, `BigInt` or `Number` of
// a test or of the code that it runs cost as much as a hundred steps.
import { createRequire } from 'node:module';
import vm from 'node:vm';

const require = createRequire(import.meta.url);
const { createContext } = vm;
const nodeVm = require('node:vm');
nodeVm.createContext = () => createContext(vm.constants.DONT_CONTEXTIFY);
const { TestEnvironment } = require('jest-environment-node');

export default class PlainGlobals extends TestEnvironment {}
