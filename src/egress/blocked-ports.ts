/**
 * Ports at which something else than a web server listens: those that browsers refuse (WHATWG Fetch, section 2.9 «port
 * blocking»), and those of databases and cluster managers. A TLS greeting is harmless to most of them; being made to
 * knock at them in a tenant's name is not.
 */
const blocked = new Set([
  ...[1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103],
  ...[104, 109, 110, 111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513],
  ...[514, 515, 526, 530, 531, 532, 540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993, 995, 1719, 1720],
  ...[1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080],
  ...[2375, 2376, 2379, 2380, 3306, 3389, 5432, 5672, 6379, 9200, 9300, 10250, 11211, 27017],
]);

/** Says why a port must not be called, or null. The text is that of `URL.port`: empty for the scheme's own. */
export function portRefusal(port: string): string | null {
  return blocked.has(Number(port)) ? `names port ${port}, which is not a web server's` : null;
}
