/** Whether users other than its owner may do anything with a file, as its mode says. */
export function isOpenToOthers({ mode }: { mode: number }): boolean {
  // What Windows shows in its place says nothing of who may read.
  return process.platform !== 'win32' && (mode & 0o077) !== 0;
}
