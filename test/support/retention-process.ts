import { openApp } from '../../src/main/open-app.js';
import type { Config } from '../../src/platform/config/schema.js';
import { enforceRetention } from '../../src/privacy/enforce-retention.job.js';

// A process of its own for tests that kill it: removes what is due in the database of this configuration.
const app = await openApp(JSON.parse(process.argv[2] ?? '') as Config);
process.send?.('open');
await enforceRetention(app);
await app.close();
