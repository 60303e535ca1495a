import { type Entity, Repository, Schema, type SchemaDefinition } from "redis-om";
import { asUnavailable, type Connection } from "./connection.ts";

type Fields = Record<string, string>;

export type Records<Shape> = {
  read(key: string): Promise<Shape | null>;
  /** Maps a record onto hash fields and hands them to `commit`, which writes them with whatever belongs to the same step. */
  write<Result>(key: string, record: Shape, commit: (fields: Fields) => Promise<Result>): Promise<Result>;
};

/**
 * redis-om as the mapper between operators' records and hashes. Its own client knows neither Sentinel nor Cluster
 * and would be a second truth about connections, so it gets the few calls that it makes for hashes, over ours.
 */
export function createRecords<Shape extends Entity>(
  connection: Connection,
  prefix: string,
  definition: SchemaDefinition,
  mark: keyof Shape & string,
): Records<Shape> {
  const schema = new Schema(prefix, definition, { dataStructure: "HASH" });
  const idOf = (key: string): string => key.slice(prefix.length + 1);
  const over = (commit: (fields: Fields) => Promise<unknown>): Repository => {
    const captured = {
      hGetAll: (key: string) => connection.hgetall(key),
      multi: () => {
        let fields: Fields = {};
        const chain = {
          unlink: () => chain,
          hSet: (_key: string, data: Fields) => {
            fields = data;
            return chain;
          },
          exec: () => commit(fields),
        };
        return chain;
      },
    };
    return new Repository(schema, captured as unknown as ConstructorParameters<typeof Repository>[1]);
  };
  const reader = over(async () => {
    throw new Error("a reader does not write");
  });
  return {
    async read(key) {
      try {
        const record = (await reader.fetch(idOf(key))) as Shape;
        // redis-om answers a missing hash with an empty record.
        return record[mark] === undefined || record[mark] === null ? null : record;
      } catch (error) {
        throw asUnavailable(error);
      }
    },
    async write(key, record, commit) {
      let result: Awaited<ReturnType<typeof commit>> | undefined;
      try {
        await over(async (fields) => {
          result = await commit(fields);
        }).save(idOf(key), record);
      } catch (error) {
        throw asUnavailable(error);
      }
      return result as Awaited<ReturnType<typeof commit>>;
    },
  };
}

/** Commands of one slot that must happen together; rejects when one of them fails. */
export async function together(connection: Connection, commands: readonly (readonly (string | number)[])[]) {
  const transaction = connection.multi();
  for (const [name = "", ...args] of commands) transaction.call(String(name), ...args.map(String));
  const replies = (await transaction.exec()) ?? [];
  for (const [error] of replies) if (error !== null) throw error;
}
