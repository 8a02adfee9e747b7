import { describeRoundTrip } from './round-trip.js';

describeRoundTrip(30);
