import assert from 'node:assert/strict';
import { maskPersonalData } from '../../../src/platform/text/mask-personal-data.js';
import { personalDataRules } from '../../../src/platform/text/personal-data-rules.js';

/** Texts and their masked forms. Numbers are published examples or invented. */
const masked: [string, string][] = [
  ['Write to anna.schmidt+shop@example.co.uk, please.', 'Write to [email], please.'],
  ['Schreib an jörg@müller-söhne.de.', 'Schreib an [email].'],
  ['Mi correo: ana (at) ejemplo.es', 'Mi correo: [email]'],
  ['mailto:bob@example.com?subject=x', 'mailto:[email]?subject=x'],
  ['Call +49 (0)30 1234-5678 today', 'Call [phone] today'],
  ['Meine Nummer ist 0171/2345678.', 'Meine Nummer ist [phone].'],
  ['Büro: (030) 901820, Fax 030 9018213', 'Büro: [phone], Fax [phone]'],
  ['Anruf unter 004930123456789', 'Anruf unter [phone]'],
  ['My phone number is 5551234567', 'My phone number is [phone]'],
  ['(555) 123-4567 or 555-123-4567', '[phone] or [phone]'],
  ['Llámame al 612 345 678', 'Llámame al [phone]'],
  ['Teléfono 912 345 678', 'Teléfono [phone]'],
  ['Oficina: 912 34 56 78', 'Oficina: [phone]'],
  ['Mi móvil es 612345678', 'Mi móvil es [phone]'],
  ['London 020 7946 0958', 'London [phone]'],
  ['Card 4111 1111 1111 1111, 12/27', 'Card [card], 12/27'],
  ['Karte 5500-0000-0000-0004', 'Karte [card]'],
  ['Amex 378282246310005.', 'Amex [card].'],
  ['IBAN DE89 3704 0044 0532 0130 00 und danke', 'IBAN [iban] und danke'],
  ['ES9121000418450200051332', '[iban]'],
  ['iban gb82 west 1234 5698 7654 32', 'iban [iban]'],
  ['DNI 12345678Z', 'DNI [id]'],
  ['DNI: 12.345.678-Z', 'DNI: [id]'],
  ['NIE X1234567L', 'NIE [id]'],
  ['Steuer-ID 86 095 742 719', 'Steuer-ID [id]'],
  ['Mein Ausweis hat die Nummer T220001293', 'Mein Ausweis hat die Nummer [id]'],
  ['SSN 078-05-1120', 'SSN [id]'],
  ['social security number 078051120', 'social security number [id]'],
  ['NINO AB 12 34 56 C', 'NINO [id]'],
  ['AHV 756.9217.0769.85', 'AHV [id]'],
  ['from 203.0.113.7:8080 to 10.1.2.3', 'from [ip]:8080 to [ip]'],
  ['host 2001:db8::8a2e:370:7334 is down', 'host [ip] is down'],
  ['http://192.168.1.20/admin', 'http://[ip]/admin'],
  ['Karte 4111\u202f1111\u202f1111\u202f1111 gilt', 'Karte [card] gilt'],
  ['card 4111\u20111111\u20111111\u20111111', 'card [card]'],
  ['DE89\u20093704\u20090044\u20090532\u20090130\u200900', '[iban]'],
  ['+49\u202f30\u202f901820 oder +49 30\u2013901820', '[phone] oder [phone]'],
];

/** Technical texts that must stay unchanged. */
const kept = [
  'Upgrade to v1.2.3.4, version 4.3.2.1 or Versión: 9.8.7.6',
  'See Section 5.17.1.2, Kapitel 1.2.3.4 and § 7.7.7.7',
  'unas 912 345 678 millas, 700 000 000 millones',
  'Mozilla/5.0 Chrome/120.0.0.0 Safari/537.36',
  'Listen on 127.0.0.1:5432 or 0.0.0.0, netmask 255.255.255.0, [::1]:8080',
  'On 2024-01-31T10:15:00.123Z, 31.12.2024, 12/31/2024 and 01/02/24 at 09:30:15',
  'Öffnungszeiten 0930-1730, Zeitraum 1999-2010',
  'It costs 1.234.567,89 € or $1,234,567.89 or 0,125 EUR',
  'Cuesta 612 345 678 € y ocupa 912 345 678 bytes',
  'id 123e4567-e89b-42d3-a456-426614174000',
  'sha256 e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  'commit 0123456789012345678901234567890123456789',
  'Part 978-3-16-148410-0, SKU AB-123-456-7890, no. 4006381333931',
  'order 1234567890123456, epoch 1700000000000, 4111 1111 1111 1112',
  'std::vector<int> dead::beef a::b ::',
  'npm install react@18.2.0 @scope/pkg user@localhost',
  'git clone git@github.com:org/repo.git',
  'DE00 1234 5678 9012 3456 00 is no account, 12345678A no DNI',
  'Port 65535, RFC 2119, ISO 9001:2015, 100 000 rows, 1024 768',
  'DIN EN 60529, Artikel 0815, 3,5 kg, Maße 120x80x40',
  'MAC 00:1a:2b:3c:4d:5e, time 12:30:45, ratio 16:9',
  'See section 3.2.1.4.5 and table 12-34',
  '[email] [phone] [ip]',
];

describe('Masking of personal data', () => {
  for (const [text, expected] of masked) {
    it(`masks: ${text}`, () => assert.equal(maskPersonalData(text).text, expected));
  }
  for (const text of kept) {
    it(`keeps: ${text}`, () => assert.equal(maskPersonalData(text).text, text));
  }

  it('counts the masked values by kind', () => {
    const { counts } = maskPersonalData('a@example.com, b@example.com and 203.0.113.7');
    assert.deepEqual(counts, { email: 2, ip: 1 });
  });

  it('does not change text that is already masked', () => {
    for (const [text] of masked) {
      const once = maskPersonalData(text).text;
      assert.deepEqual(maskPersonalData(once), { text: once, counts: {} });
    }
  });

  it('uses only patterns with bounded repetition', () => {
    for (const { pattern } of personalDataRules) {
      const outsideClasses = pattern.source.replace(/\\./g, 'x').replace(/\[[^\]]*\]/g, 'x');
      assert.doesNotMatch(outsideClasses, /[*+]|\{\d+,\}/, pattern.source);
    }
  });

  it('finds at most phone numbers in long runs of digits, dots and at signs', () => {
    for (const unit of ['7', '@', '.', 'a@', '1.', '1 ', ':', 'a', '-', '+', '(', '00 ']) {
      const hostile = unit.repeat(100_000 / unit.length);
      const { text, counts } = maskPersonalData(hostile);
      // Groups of digits may look like phone numbers, but nothing may look like another kind.
      const { phone: _phone, ...others } = counts;
      assert.deepEqual(others, {}, unit);
      assert.ok(text.length <= hostile.length);
    }
  });
});
