import { describeHostile, heavy } from './hostile/describe-hostile.js';

describeHostile('A hostile PDF', (name) => !heavy.has(name));
