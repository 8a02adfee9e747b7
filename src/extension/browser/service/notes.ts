const key = 'seen';
const most = 2000;

/** Records that a user has seen a site's banner. It outlives a sign-out, so it is only a hash of user and site. */
async function noteOf(server: string, userId: number, origin: string): Promise<string> {
  const text = new TextEncoder().encode(`${server} ${userId} ${origin}`);
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', text));
  return Array.from(digest.slice(0, 12), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

async function read(): Promise<string[]> {
  const stored = (await chrome.storage.local.get(key))[key];
  return Array.isArray(stored) ? (stored as string[]) : [];
}

export async function hasSeen(server: string, userId: number, origin: string): Promise<boolean> {
  return (await read()).includes(await noteOf(server, userId, origin));
}

export async function noteSeen(server: string, userId: number, origin: string): Promise<void> {
  const note = await noteOf(server, userId, origin);
  await navigator.locks.request('notes', async () => {
    const notes = (await read()).filter((other) => other !== note);
    await chrome.storage.local.set({ [key]: [...notes, note].slice(-most) });
  });
}
