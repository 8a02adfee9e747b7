import { bombs } from './hostile/bombs.js';
import { describeHostile, readingPictures } from './hostile/describe-hostile.js';
import { pictureBombs } from './hostile/picture-bombs.js';

describeHostile('Any small PDF that unpacks to gigabytes', bombs);
describeHostile('Any scan that unpacks to gigabytes', pictureBombs, readingPictures);
