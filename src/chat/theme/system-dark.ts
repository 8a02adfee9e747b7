/** Whether the system, or what the page asks of it, is dark. */
export const systemDark = (): MediaQueryList => matchMedia('(prefers-color-scheme: dark)');
