import { describeHostile, heavy } from './hostile/describe-hostile.js';

describeHostile('A hostile PDF that takes long', (name) => heavy.has(name));
