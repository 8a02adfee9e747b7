/** What the widget looks at in a user token: whose it is, and how long it holds (ms, from its issue). Proves nothing. */
export function claimsOf(token: string): { subject: string; lifetime: number } {
  try {
    const part = (token.split('.')[1] ?? '').replace(/-/g, '+').replace(/_/g, '/');
    const { sub, exp, iat } = JSON.parse(atob(part)) as Record<string, unknown>;
    const lifetime = (Number(exp) - Number(iat)) * 1000 || Infinity;
    // A token that can't be read is a subject of its own: nobody is shown what another one left.
    return { subject: typeof sub === 'string' && sub ? sub : token, lifetime };
  } catch {
    return { subject: token, lifetime: Infinity };
  }
}
