import { describeEveryOperation } from './every-operation.js';

describeEveryOperation(3);
