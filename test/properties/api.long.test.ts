import { onSqlite } from '../support/test-app.js';
import { describeEveryOperation } from './every-operation.js';

// It puts back the rows of the file after each request.
onSqlite(describeEveryOperation)(60);
