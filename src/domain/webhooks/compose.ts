/** What an event is about whose body is made at the fan-out, since the script that wrote the event cannot make it. */
export type ComposedKind = "job" | "batch";

/** The resource's JSON as its GET answers with, or null when the resource is gone. */
export type ComposeResource = (tenantId: string, kind: string, id: string) => Promise<string | null>;

/** A resource as its GET shows it, or null. */
export type ReadResource = (tenantId: string, id: string) => Promise<object | null>;

/** Composes from one reader for each kind. Rejects for a kind without one: a newer worker may know it. */
export function composeFrom(readers: Partial<Record<ComposedKind, ReadResource>>): ComposeResource {
  return async (tenantId, kind, id) => {
    const read = Object.hasOwn(readers, kind) ? readers[kind as ComposedKind] : undefined;
    if (read === undefined) throw new Error(`an event is about a ${kind}, which nothing here can read`);
    const resource = await read(tenantId, id);
    return resource === null ? null : JSON.stringify(resource);
  };
}
