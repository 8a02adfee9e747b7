/** As node:net has it, for masking in the browser, whose parser of addresses knows a valid one as well. */
export function isIPv6(text: string): boolean {
  // A zone names an interface of this machine, which no address in a URL may.
  const [address = '', zone] = text.split('%', 2);
  if (zone === '' || !/^[\da-f:.]+$/i.test(address)) return false;
  try {
    return new URL(`http://[${address}]`).hostname !== '';
  } catch {
    return false;
  }
}
