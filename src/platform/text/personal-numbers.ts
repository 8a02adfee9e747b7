/** True when the digits form a payment card number: issuer prefix, length, and Luhn check (ISO/IEC 7812-1). */
export function isCardNumber(digits: string): boolean {
  const issued =
    /^4(?:\d{12}|\d{15}|\d{18})$/.test(digits) ||
    /^(?:5[1-5]|2[2-7])\d{14}$/.test(digits) ||
    /^3(?:[47]\d{13}|[0689]\d{12})$/.test(digits) ||
    /^(?:6|5[0678])\d{14,17}$/.test(digits);
  return issued && luhnSum(digits) % 10 === 0;
}

function luhnSum(digits: string): number {
  return Array.from(digits)
    .reverse()
    .reduce((sum, digit, index) => {
      const value = Number(digit) * (index % 2 === 1 ? 2 : 1);
      return sum + (value > 9 ? value - 9 : value);
    }, 0);
}

/** The IBAN lengths (SWIFT's registry), each with its countries. */
const ibanLengths = new Map(
  `15NO 16BE 18DKFIFOGLNL 19MKSI 20ATBAEEKZLTLUXK 21CHHRLILV 22BGBHCRDEGBGEIEMERSVA 23AEGIILIQTL
  24ADCZESMDPKROSASESKTNVG 25LYPT 26ISTR 27FRGRITMCMRSM 28ALAZBYCYDOGTHULBPLSV 29BREGPSQAUA 30JOKWMU 31MTSC 32LC`
    .split(/\s+/)
    .flatMap((group) =>
      (group.match(/[A-Z]{2}/g) ?? []).map((country) => [country, parseInt(group, 10)]),
    ),
);

/** The length of an IBAN that begins like this; undefined for a country without IBANs. */
export function ibanLength(start: string): number | undefined {
  return ibanLengths.get(start.slice(0, 2).toUpperCase());
}

/**
 * The check of ISO 13616: move the first four characters to the end and read letters as numbers; the remainder by 97 is
 * 1.
 */
export function isIban(compact: string): boolean {
  const moved = compact.slice(4) + compact.slice(0, 4);
  let remainder = 0;
  for (const sign of moved.toUpperCase()) {
    const value = Number.parseInt(sign, 36);
    remainder = (remainder * (value > 9 ? 100 : 10) + value) % 97;
  }
  return remainder === 1;
}

/** Spain's DNI (8 digits and a letter) and NIE (X, Y or Z first): the letter is the number's remainder by 23. */
export function isSpanishId(compact: string): boolean {
  const id = compact.toUpperCase();
  const number = id.slice(0, -1).replace(/^[XYZ]/, (letter) => String('XYZ'.indexOf(letter)));
  return 'TRWAGMYFPDXBNJZSQVHLCKE'[Number(number) % 23] === id.at(-1);
}

/**
 * Germany's tax id: eleven digits, the last one a check digit (ISO 7064 MOD 11,10). Among the first ten, exactly one
 * digit occurs two or three times, and no other digit repeats.
 */
export function isGermanTaxId(digits: string): boolean {
  if (!/^[1-9]\d{10}$/.test(digits)) return false;
  const first = Array.from(digits.slice(0, 10));
  const counts = [...new Set(first)].map((digit) => first.filter((one) => one === digit).length);
  const repeated = counts.filter((count) => count > 1);
  if (repeated.length !== 1 || (repeated[0] ?? 0) > 3) return false;
  let product = 10;
  for (const digit of first) {
    const sum = (Number(digit) + product) % 10 || 10;
    product = (sum * 2) % 11;
  }
  return (11 - product) % 10 === Number(digits[10]);
}

/** Germany's identity card and passport: nine characters and a check digit, weighted 7, 3, 1 (ICAO 9303). */
export function isGermanCardId(id: string): boolean {
  const weights = [7, 3, 1];
  const sum = Array.from(id.slice(0, 9).toUpperCase()).reduce(
    (total, sign, index) => total + Number.parseInt(sign, 36) * (weights[index % 3] ?? 0),
    0,
  );
  return sum % 10 === Number(id.at(9));
}

/** Switzerland's AHV number: thirteen digits from 756, checked as an EAN-13. */
export function isSwissAhv(digits: string): boolean {
  const sum = Array.from(digits).reduce(
    (total, digit, index) => total + Number(digit) * (index % 2 ? 3 : 1),
    0,
  );
  return sum % 10 === 0;
}

/** True for a number that the US Social Security Administration may have issued. */
export function isUsSsn(digits: string): boolean {
  return /^(?!000|666|9)\d{3}(?!00)\d{2}(?!0000)\d{4}$/.test(digits);
}

/** A UK National Insurance number. Certain letters and prefixes are never issued. */
export function isUkNino(compact: string): boolean {
  return /^(?!BG|GB|NK|KN|TN|NT|ZZ)[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z]\d{6}[A-D]$/i.test(compact);
}
