/** A tenant's id and that of one of its records, 44 characters: as much as Redis keeps in the same allocation as the key's object. */
export function packIds(tenantId: string, id: string): string {
  return packId(tenantId) + packId(id);
}

export function unpackIds(packed: string): [tenantId: string, id: string] {
  return [unpackId(packed.slice(0, 22)), unpackId(packed.slice(22))];
}

/** The 16 bytes of a UUID as 22 characters. */
export function packId(uuid: string): string {
  return Buffer.from(uuid.replaceAll("-", ""), "hex").toString("base64url");
}

function unpackId(packed: string): string {
  const hex = Buffer.from(packed, "base64url").toString("hex");
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}
