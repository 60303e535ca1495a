/** True for a URL of this machine itself, which plain http does no harm to. */
export const isLoopback = (url: string | URL): boolean =>
  /^(localhost|127(\.\d+){3}|\[::1\])$/.test(new URL(url).hostname);
