// PDFDocEncoding where it differs from Latin-1 (ISO 32000-1, D.2), from code 0x18 and from code 0x80 on.
const from18 = '˘ˇˆ˙˝˛˚˜';
const from80 = '•†‡…—–ƒ⁄‹›−‰„“”‘’‚™ﬁﬂŁŒŠŸŽıłœšž\ufffd€';

function decodeDocument(text: string): string {
  return text.replace(/[\u0018-\u001f\u0080-\u00a0]/g, (char) => {
    const code = char.charCodeAt(0);
    return (code < 0x20 ? from18[code - 0x18] : from80[code - 0x80]) ?? '';
  });
}

/** The text of a text string (7.9.2.2): UTF-16 or UTF-8 where it says so by its first bytes, else PDFDocEncoding. */
export function decodeTextString(text: string): string {
  const bytes = Buffer.from(text, 'latin1');
  if (text.startsWith('\xfe\xff')) {
    const even = bytes.subarray(2, bytes.length - (bytes.length % 2));
    return even
      .swap16()
      .toString('utf16le')
      .replace(/\u001b[^]*?\u001b/g, '');
  }
  if (text.startsWith('\xff\xfe')) return bytes.subarray(2).toString('utf16le');
  if (text.startsWith('\xef\xbb\xbf')) return bytes.subarray(3).toString('utf8');
  return decodeDocument(text);
}
