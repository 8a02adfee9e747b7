import { existsSync, readFileSync } from 'node:fs';

/** Whether this process runs in a container, where 127.0.0.1 is the container and not the machine. */
export function isInContainer(env: NodeJS.ProcessEnv = process.env): boolean {
  // Docker and Podman leave a file; Kubernetes a variable; others are seen in the control group.
  if (existsSync('/.dockerenv') || existsSync('/run/.containerenv')) return true;
  if (env['KUBERNETES_SERVICE_HOST'] !== undefined) return true;
  try {
    return /docker|kubepods|containerd|libpod|lxc/.test(readFileSync('/proc/1/cgroup', 'utf8'));
  } catch {
    return false;
  }
}
