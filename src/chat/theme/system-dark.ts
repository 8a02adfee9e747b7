/** Whether the system, or its setting for the page, is dark. */
export const systemDark = (): MediaQueryList => matchMedia('(prefers-color-scheme: dark)');
