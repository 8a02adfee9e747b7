import { describeHostile, heavy } from './hostile/describe-hostile.js';

describeHostile('a hostile PDF that takes long', (name) => heavy.has(name));
