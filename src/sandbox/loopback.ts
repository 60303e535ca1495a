/** True for an http or https URL of this machine itself. The sandbox calls nobody else of its own accord. */
export function isLoopbackUrl(text: string): boolean {
  const url = URL.parse(text);
  return (
    url !== null && /^https?:$/.test(url.protocol) && /^(localhost|127(\.\d+){3}|\[::1\])$/.test(url.hostname)
  );
}
