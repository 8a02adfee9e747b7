import assert from 'node:assert/strict';
import { isIPv6 } from 'node:net';
import fc from 'fast-check';
import { isIpv6 } from '../../../src/platform/text/personal-data-rules.js';
import { assertLinear } from '../../support/assert-linear.js';

const group = fc.oneof(
  fc.integer({ min: 0, max: 0x1ffff }).map((value) => value.toString(16)),
  fc.constantFrom('', '0', '00', '0000', '00000', 'FFFF', 'g', ' 1', '1 '),
);
const quad = fc
  .array(fc.oneof(fc.integer({ min: 0, max: 260 }).map(String), fc.constantFrom('', '00', '01')), {
    minLength: 3,
    maxLength: 5,
  })
  .map((parts) => parts.join('.'));
const piece = fc.oneof(
  { weight: 8, arbitrary: group },
  { weight: 1, arbitrary: quad },
  { weight: 2, arbitrary: fc.constantFrom(':', '::', ':::') },
);

describe('An IPv6 address', () => {
  it('is recognized as in Node, for any groups, double colons and embedded IPv4', () => {
    let addresses = 0;
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 10 }), (pieces) => {
        const address = pieces.join(':').replace(/:{4,}/g, '::');
        if (isIPv6(address)) addresses += 1;
        assert.equal(isIpv6(address), isIPv6(address), JSON.stringify(address));
      }),
      { numRuns: 20_000 },
    );
    assert.ok(addresses > 100, `only ${addresses} of the tried texts are addresses`);
  });

  it('is recognized as in Node, for any text of its characters', () => {
    const text = fc.string({ unit: fc.constantFrom(...Array.from('0123af:.::')), maxLength: 24 });
    fc.assert(
      fc.property(text, (address) => {
        assert.equal(isIpv6(address), isIPv6(address), JSON.stringify(address));
      }),
      { numRuns: 20_000 },
    );
  });

  it('is recognized in the forms of the standard, but not with a zone', () => {
    const forms = ['::', '::1', '2001:db8::', '1:2:3:4:5:6:7:8', '1:2:3:4:5:6:7::'];
    for (const address of [...forms, '::ffff:203.0.113.7', '64:ff9b::192.0.2.33']) {
      assert.ok(isIpv6(address), address);
    }
    const wrong = ['', ':', ':::', '1::2::3', '1:2:3:4:5:6:7', '1:2:3:4::5:6:7:8', '1.2.3.4'];
    for (const address of [...wrong, '::1.2.3.256', '::1.2.3', '::01.2.3.4', 'fe80::1%eth0']) {
      assert.ok(!isIpv6(address), address);
    }
  });

  it('is refused in linear time', () => {
    for (const unit of [':', '1:', '::', '1.', 'f']) {
      assertLinear((size) => isIpv6(unit.repeat(size)), 200_000);
    }
  });
});
