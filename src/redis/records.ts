import type { Entity, Repository, SchemaDefinition } from "redis-om";
import { asUnavailable, type Connection } from "./connection.ts";

type Fields = Record<string, string>;

export type Records<Shape> = {
  read(key: string): Promise<Shape | null>;
  /** Maps a record onto hash fields and hands them to `commit`, which writes them with whatever belongs to the same step. */
  write<Result>(key: string, record: Shape, commit: (fields: Fields) => Promise<Result>): Promise<Result>;
};

/**
 * redis-om as the mapper between operators' records and hashes. Its own client knows neither Sentinel nor Cluster
 * and would be a second truth about connections, so it gets the few calls that it makes for hashes, over ours. It
 * is loaded with the first write: it brings five hundred modules along, which would double the start of every command.
 */
export function createRecords<Shape extends Entity>(
  connection: Connection,
  prefix: string,
  definition: SchemaDefinition,
  mark: keyof Shape & string,
): Records<Shape> {
  const idOf = (key: string): string => key.slice(prefix.length + 1);
  const over = async (commit: (fields: Fields) => Promise<unknown>): Promise<Repository> => {
    const { Repository, Schema } = await import("redis-om");
    const captured = {
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
    return new Repository(
      new Schema(prefix, definition, { dataStructure: "HASH" }),
      captured as unknown as ConstructorParameters<typeof Repository>[1],
    );
  };
  return {
    async read(key) {
      try {
        const record = decoded(definition, await connection.hgetall(key)) as Shape;
        return record[mark] === undefined ? null : record;
      } catch (error) {
        throw asUnavailable(error);
      }
    },
    async write(key, record, commit) {
      let result: Awaited<ReturnType<typeof commit>> | undefined;
      try {
        const repository = await over(async (fields) => {
          result = await commit(fields);
        });
        await repository.save(idOf(key), record);
      } catch (error) {
        throw asUnavailable(error);
      }
      return result as Awaited<ReturnType<typeof commit>>;
    },
  };
}

/** A record as redis-om reads it: fields that the definition does not name stay text, lists that are missing are empty. */
function decoded(definition: SchemaDefinition, fields: Fields): Record<string, unknown> {
  const known = Object.entries(definition).flatMap(([name, { type }]) => {
    const text = fields[name];
    if (text !== undefined) return [[name, parsed(type, text)]];
    return type === "string[]" ? [[name, []]] : [];
  });
  return { ...fields, ...Object.fromEntries(known) };
}

function parsed(type: string, text: string): unknown {
  switch (type) {
    case "string":
      return text;
    case "number":
      return Number.parseFloat(text);
    case "boolean":
      return text === "1";
    case "string[]":
      return text.split("|");
    default:
      throw new Error(`fields of the type ${type} are not read`);
  }
}

/** Commands of one slot that must happen together; rejects when one of them fails. */
export async function together(connection: Connection, commands: readonly (readonly (string | number)[])[]) {
  const transaction = connection.multi();
  for (const [name = "", ...args] of commands) transaction.call(String(name), ...args.map(String));
  const replies = (await transaction.exec()) ?? [];
  for (const [error] of replies) if (error !== null) throw error;
}
