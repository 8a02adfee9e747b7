import { describeHostile, heavy } from './hostile/describe-hostile.js';
import { hostileFiles, select } from './hostile/hostile-files.js';

describeHostile(
  'A hostile PDF',
  select(hostileFiles, (name) => !heavy.has(name)),
);
