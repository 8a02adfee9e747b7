import { describeHostile, heavy } from './hostile/describe-hostile.js';

describeHostile('a hostile PDF', (name) => !heavy.has(name));
