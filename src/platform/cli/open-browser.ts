import { spawn } from 'node:child_process';

/** Opens an http(s) address in the person's browser, without a shell. Resolves with whether a program took it. */
export function openBrowser(address: string): Promise<boolean> {
  const [command, ...args]: [string, ...string[]] =
    process.platform === 'darwin'
      ? ['open', address]
      : process.platform === 'win32'
        ? ['rundll32', 'url.dll,FileProtocolHandler', address]
        : ['xdg-open', address];
  return new Promise((resolve) => {
    const child = spawn(command, args, { stdio: 'ignore', detached: true });
    child.once('error', () => resolve(false));
    child.once('spawn', () => resolve(true));
    child.unref();
  });
}

/**
 * True when the person can see a browser that opens here: not by SSH from another machine, and not without a display.
 */
export function hasDisplay(
  env: NodeJS.ProcessEnv = process.env,
  platform: NodeJS.Platform = process.platform,
): boolean {
  const isSet = (...names: string[]) => names.some((name) => (env[name] ?? '') !== '');
  if (isSet('SSH_CONNECTION', 'SSH_CLIENT', 'SSH_TTY')) return false;
  return ['darwin', 'win32'].includes(platform) || isSet('DISPLAY', 'WAYLAND_DISPLAY');
}
