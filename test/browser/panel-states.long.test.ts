import { describeStates } from './support/panel-states.js';

describeStates(['light', 'dark', 'host']);
